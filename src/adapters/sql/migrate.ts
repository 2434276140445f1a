import type { Knex } from 'knex';
import { dialectOf } from './dialect-of.ts';

/**
 * Brings the schema up to date in one transaction, which first takes a lock of the database. Of several processes that start at
 * the same time, one migrates. A killed migration leaves neither half a schema nor a lock; Knex's own lock row would stay.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(
  knex: Knex,
  migrationSource: Knex.MigrationSource<unknown>,
): Promise<readonly string[]> {
  const dialect = dialectOf(knex);
  return await knex.transaction(async (transaction) => {
    await dialect.lockMigrations(transaction);
    const [, names]: [number, string[]] = await transaction.migrate.latest({
      migrationSource,
      disableTransactions: true,
    });
    return names;
  }, dialect.transactions);
}
