import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { sqlSpaces } from '../support/fixtures/sql-spaces.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

keepsSpacesApart('SqlSpaces on SQLite', async () => {
  const { knex, other, tearDown } = await newSqliteCatalog(2);
  return { ...sqlSpaces(knex, other), tearDown };
});
