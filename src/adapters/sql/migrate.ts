import type { Knex } from 'knex';
import { dialectOf } from './dialect-of.ts';

/**
 * Brings the schema up to date. All of it is one transaction that first takes a lock of the database: of several
 * processes that start at once one migrates and the others then find nothing to do, and one that is killed half-way
 * leaves neither half a schema nor a lock behind, as Knex's own lock row alone would.
 *
 * @returns the names of the migrations that were run
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
