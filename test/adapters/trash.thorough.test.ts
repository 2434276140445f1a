import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { behavesLikeATrash } from '../contracts/trash.contract.ts';
import { sqlTrash } from '../support/doubles/finding-ports.ts';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';

const TABLES =
  'images, image_metadata, words, image_words, tags, image_tags, timeline_days, image_appearances, deleted_images, swept_blobs, trashed_images, names, changes, spaces';

describeOnPostgres('On Postgres', (server) => {
  let database: TestDatabase | undefined;
  let knex: Knex;

  before(async () => {
    database = await server().newCatalog();
    knex = openPostgresDatabase({ ...database.connection, poolMax: 4 });
  });

  after(async () => {
    await knex?.destroy();
    await database?.drop();
  });

  behavesLikeATrash('SqlTrash', async () => {
    await knex.raw(
      `truncate ${TABLES} restart identity; insert into spaces (id, name) values (0, '');
      insert into changes (number, kind, image_id) values (0, 0, 0)`,
    );
    return { ...sqlTrash(knex), tearDown: async () => {} };
  });
});
