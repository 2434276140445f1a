import { behavesLikeATrash } from '../contracts/trash.contract.ts';
import { sqlTrash } from '../support/doubles/finding-ports.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';

const TABLES =
  'images, image_metadata, words, image_words, tags, image_tags, timeline_days, image_appearances, deleted_images, swept_blobs, trashed_images, names, changes, spaces';

describeOnPostgres('On Postgres', (server) => {
  const catalog = useCatalog(server);

  behavesLikeATrash('SqlTrash', async () => {
    const { knex } = catalog();
    await knex.raw(
      `truncate ${TABLES} restart identity; insert into spaces (id, name) values (0, '');
      insert into changes (number, kind, image_id) values (0, 0, 0)`,
    );
    return { ...sqlTrash(knex), tearDown: async () => {} };
  });
});
