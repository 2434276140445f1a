import { PostgresPreparedReads } from '../../src/adapters/sql/postgres/postgres-prepared-reads.ts';
import { behavesLikeACatalog } from '../contracts/sql-catalog.contract.ts';
import { emptied } from '../support/fixtures/emptied.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  const catalog = useCatalog(server, 3, 10);

  // A connection knows its statements by the names of these reads.
  let preparedReads: PostgresPreparedReads;

  before(() => {
    preparedReads = new PostgresPreparedReads(catalog().knex);
  });

  behavesLikeACatalog(async () => {
    const { knex, other, knexes } = catalog();
    await emptied(knex);
    return {
      knexes: [knex, other, ...knexes.slice(1, -1)],
      preparedReads,
      tearDown: async () => {},
    };
  });
});
