import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { fillsSpaces } from '../contracts/fill-spaces.contract.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { sqlSpaces } from '../support/fixtures/sql-spaces.ts';
import { halfFill } from '../support/servers/half-fill.ts';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';

const TABLES =
  'images, image_metadata, words, image_words, tags, image_tags, timeline_days, image_appearances, idempotency_keys, swept_blobs, spaces';

describeOnPostgres('On Postgres', (server) => {
  let database: TestDatabase | undefined;
  let pools: readonly Knex[] = [];

  before(async () => {
    const { connection } = (database = await server().newCatalog());
    pools = [1, 2, 3].map(() => openPostgresDatabase({ ...connection, poolMax: 4 }));
  });

  after(async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await database?.drop();
  });

  keepsSpacesApart('SqlSpaces', async () => {
    const [knex, ...others] = pools as [Knex, ...Knex[]];
    await knex.raw(`truncate ${TABLES}; insert into spaces (id, name) values (0, '')`);
    return { ...sqlSpaces(knex, ...others), tearDown: async () => {} };
  });
});

describeOnPostgres('Tables with spaces, on Postgres', (server) => {
  fillsSpaces(async () => {
    const [old, current] = [await server().newDatabase(), await server().newCatalog()];
    const pools = [old, old, current].map(({ connection }) =>
      openPostgresDatabase({ ...connection, poolMax: 2 }),
    );
    const [knex, other, fresh] = pools as [Knex, Knex, Knex];
    return {
      knex,
      other,
      fresh,
      migrateHalf: () => halfFill(old.url),
      close: async () => {
        await Promise.all(pools.map((pool) => pool.destroy()));
        await Promise.all([old.drop(), current.drop()]);
      },
    };
  });
});
