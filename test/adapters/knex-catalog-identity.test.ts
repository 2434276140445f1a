import { join } from 'node:path';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { KnexCatalogIdentity } from '../../src/adapters/sql/records/knex-catalog-identity.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import { behavesLikeACatalogIdentity } from '../contracts/catalog-identity.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

behavesLikeACatalogIdentity('KnexCatalogIdentity on SQLite', async () => {
  const folder = await temporaryFolder();
  const databases = [1, 2, 3].map(() => openSqliteDatabase(join(folder.path, 'catalog.sqlite')));
  const [first, ...others] = databases;
  if (first === undefined) throw new TypeError('Three databases were opened');
  await migrate(first, migrationSource);
  return {
    identities: [
      new KnexCatalogIdentity(first, new RandomUuids()),
      ...others.map((knex) => new KnexCatalogIdentity(knex, new RandomUuids())),
    ],
    tearDown: async () => {
      for (const knex of databases) await knex.destroy();
      await folder.remove();
    },
  };
});

describe('KnexCatalogIdentity', () => {
  it('returns undefined for a database without tables', async () => {
    const knex = openSqliteDatabase(':memory:');

    expect(await new KnexCatalogIdentity(knex, new RandomUuids()).find()).to.equal(undefined);
    await knex.destroy();
  });

  it('uses a table that rejects a second row', async () => {
    const knex = openSqliteDatabase(':memory:');
    await migrate(knex, migrationSource);
    const insertion = knex('catalog_identity').insert({ singleton: 2, id: new RandomUuids().next() });

    expect((await rejection(Promise.resolve(insertion))).message).to.match(/CHECK constraint failed/);
    await knex.destroy();
  });
});
