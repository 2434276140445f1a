import { refusesLaterSchemas } from '../contracts/later-schema.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('A process on a SQLite file that a later version migrates', () => {
  refusesLaterSchemas(() => newSqliteCatalog(2));
});
