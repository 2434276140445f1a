import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('KnexCatalogIdentity', () => {
  it('returns undefined for a database without tables', async () => {
    const knex = openSqliteDatabase(':memory:');

    expect(await sqlPorts(knex).identity.find()).to.equal(undefined);
    await knex.destroy();
  });

  it('uses a table that rejects a second row', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const insertion = knex('catalog_identity').insert({ singleton: 2, id: new RandomUuids().next() });

    expect((await rejection(Promise.resolve(insertion))).message).to.match(/CHECK constraint failed/);
    await tearDown();
  });
});
