import { copiesTables } from '../contracts/sql-copied-tables.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

copiesTables('on SQLite', async () => {
  const [source, target] = [await newSqliteCatalog(), await newSqliteCatalog()];
  return {
    knexes: [source.knex, target.knex],
    tearDown: async () => {
      await source.tearDown();
      await target.tearDown();
    },
  };
});
