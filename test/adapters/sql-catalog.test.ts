import { openSqliteReader } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SqlitePreparedReads } from '../../src/adapters/sql/sqlite/sqlite-prepared-reads.ts';
import { behavesLikeACatalog } from '../contracts/sql-catalog.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('On SQLite', () => {
  behavesLikeACatalog(async () => {
    const { knex, other, knexes, path, tearDown } = await newSqliteCatalog(3);
    const [preparedReads, reader] = [new SqlitePreparedReads(path), openSqliteReader(path)];
    return {
      knexes: [knex, other, ...knexes.slice(1, -1)],
      preparedReads,
      reader,
      tearDown: async () => {
        await Promise.all([preparedReads.close(), reader.destroy()]);
        await tearDown();
      },
    };
  });
});
