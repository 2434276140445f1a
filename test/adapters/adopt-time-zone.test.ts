import { adoptsATimeZone } from '../contracts/adopt-time-zone.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('A catalog on SQLite', () => {
  adoptsATimeZone(async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    return { knex, close: tearDown };
  });
});
