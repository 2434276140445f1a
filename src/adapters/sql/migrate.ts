import type { Knex } from 'knex';
import { dialectOf } from './dialect-of.ts';

/**
 * One transaction, which first takes a database lock: of several processes, one migrates. A killed migration leaves neither half
 * a schema nor a lock; Knex's own lock row would stay.
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
