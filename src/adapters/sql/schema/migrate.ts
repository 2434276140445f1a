import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { driverCodeOf } from '../database/sql-dialect.ts';
import { rowsOf } from '../database/sql-fragment.ts';
import { adoptTimeZone } from './adopt-time-zone.ts';
import { schemaOf } from './schema-of.ts';

type Source = Knex.MigrationSource<unknown>;

/** SQLSTATE `lock_not_available`: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';
const RETRY_MS = 1_000;

/**
 * Resolves to the migrations that ran.
 *
 * @throws {CatalogTooNew}
 * @throws {DevelopmentCatalog}
 */
export async function migrate(
  knex: Knex,
  source: Source,
  calendar = new Calendar('UTC'),
): Promise<readonly string[]> {
  const { sortOnDisk, sortInMemory } = dialectOf(knex);
  await rowsOf(knex, sortOnDisk);
  const names = await retryWhileTablesAreInUse(() => runPending(knex, source));
  await rowsOf(knex, sortInMemory);
  await adoptTimeZone(knex, calendar);
  return names;
}

/** Reads that take long, such as a dump of the database, have the tables in use. Writers wait for one try only. */
async function retryWhileTablesAreInUse<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || driverCodeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
    await delay(RETRY_MS);
  }
}

/**
 * All in one transaction, which first takes a database lock: of several processes, one migrates. A killed migration leaves neither half a
 * schema nor a lock; Knex's own lock row would stay.
 */
async function runPending(knex: Knex, migrationSource: Source): Promise<readonly string[]> {
  const dialect = dialectOf(knex);
  return await knex.transaction(async (transaction) => {
    await dialect.lockMigrations(transaction);
    // Knex would write to its lock row, which a standby refuses.
    if ((await schemaOf(transaction, migrationSource)) === 'current') return [];
    const [, names]: [number, string[]] = await transaction.migrate.latest({
      migrationSource,
      disableTransactions: true,
      // A later version may have added what this one does not use.
      disableMigrationsListValidation: true,
    });
    return names;
  }, dialect.transactions);
}
