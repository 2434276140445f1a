import { expect } from 'chai';
import type { Knex } from 'knex';
import { KnexCatalogIdentity } from '../../src/adapters/sql/records/knex-catalog-identity.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import { behavesLikeACatalogIdentity } from '../contracts/catalog-identity.contract.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

behavesLikeACatalogIdentity('KnexCatalogIdentity on SQLite', async () => {
  const { knexes, tearDown } = await newSqliteCatalog(3);
  const of = (knex: Knex): KnexCatalogIdentity =>
    new KnexCatalogIdentity(databaseOn(knex), new RandomUuids());
  const [first, ...others] = knexes;
  return { identities: [of(first), ...others.map(of)], tearDown };
});

describe('KnexCatalogIdentity', () => {
  it('returns undefined for a database without tables', async () => {
    const knex = openSqliteDatabase(':memory:');

    expect(await new KnexCatalogIdentity(databaseOn(knex), new RandomUuids()).find()).to.equal(undefined);
    await knex.destroy();
  });

  it('uses a table that rejects a second row', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const insertion = knex('catalog_identity').insert({ singleton: 2, id: new RandomUuids().next() });

    expect((await rejection(Promise.resolve(insertion))).message).to.match(/CHECK constraint failed/);
    await tearDown();
  });
});
