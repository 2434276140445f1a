import type { Knex } from 'knex';

/** "ICat": marks the file as this service's (https://sqlite.org/fileformat2.html#application_id). */
const APPLICATION_ID = 0x49436174;

/**
 * Brings the schema up to date. All of it is one transaction that first takes the database's write lock: of several
 * processes that start at once one migrates and the others then find nothing to do, and one that is killed half-way
 * leaves neither half a schema nor a lock behind, as Knex's own lock row alone would.
 */
export async function migrate(knex: Knex, migrationSource: Knex.MigrationSource<unknown>): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(`PRAGMA application_id = ${APPLICATION_ID}`);
    await transaction.migrate.latest({ migrationSource, disableTransactions: true });
  });
}
