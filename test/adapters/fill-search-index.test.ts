import { fillsTheIndex } from '../contracts/fill-search-index.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('The search index, on SQLite', () => {
  fillsTheIndex(async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    return { knex, close: tearDown };
  });
});
