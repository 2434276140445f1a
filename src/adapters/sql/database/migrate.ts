import type { Knex } from 'knex';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import { fillSearchIndex } from '../search/fill-search-index.ts';
import { dialectOf } from './dialect-of.ts';

/**
 * The schema changes in one transaction, which first takes a database lock: of several processes, one migrates. A killed migration leaves neither half
 * a schema nor a lock; Knex's own lock row would stay.
 * The search indexes are filled afterwards, in batches between which other processes write.
 */
export async function migrate(
  knex: Knex,
  migrationSource: Knex.MigrationSource<unknown>,
  calendar = new Calendar('UTC'),
): Promise<readonly string[]> {
  const ran = await migrateSchema(knex, migrationSource);
  await fillSearchIndex(knex, calendar);
  return ran;
}

async function migrateSchema(
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
