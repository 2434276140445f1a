import { readsBesideBusySpaces } from '../contracts/sql-change-feed.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('The feed of changes on SQLite', () => {
  readsBesideBusySpaces(newSqliteCatalog);
});
