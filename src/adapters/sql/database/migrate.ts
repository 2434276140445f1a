import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import { fillChanged, fillMostChanged, fillSpaces } from '../fill/fill-spaces.ts';
import { fillSearchIndex } from '../search/fill-search-index.ts';
import { dialectOf } from './dialect-of.ts';
import { requireSchemaIfAny } from './require-schema.ts';
import { driverCodeOf } from './sql-dialect.ts';
import { whileMigrating } from './while-migrating.ts';

type Source = Knex.MigrationSource<unknown>;

/** The first migration that needs the tables of earlier ones filled. */
const CONTRACTION = '0010-use-spaces';

/** A later version may have added what this one does not use. */
const ADDITIONS_ALLOWED = { disableMigrationsListValidation: true };

/** SQLSTATE `lock_not_available`: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';
const RETRY_MS = 1_000;

/**
 * The schema changes in one transaction, which first takes a database lock: of several processes, one migrates. A killed migration
 * leaves neither half a schema nor a lock; Knex's own lock row would stay. A catalog of an earlier version takes two such transactions:
 * tables are filled in between, in short transactions, while processes of that version serve.
 *
 * @throws {CatalogTooNew}
 */
export async function migrate(
  knex: Knex,
  source: Source,
  calendar = new Calendar('UTC'),
): Promise<readonly string[]> {
  const expanded = await patiently(() => expand(knex, source));
  if (expanded !== undefined) await fillSpaces(knex, calendar);
  const contracted = await patiently(async () => {
    // At each try: while a dump of the database runs for hours, images are changed.
    if (expanded !== undefined) await fillMostChanged(knex, calendar);
    return await contract(knex, source, calendar);
  });
  await fillSearchIndex(knex, calendar);
  return [...(expanded ?? []), ...contracted];
}

/** Runs the migrations before the contraction; `undefined` if the contraction itself has run. */
async function expand(knex: Knex, source: Source): Promise<readonly string[] | undefined> {
  return await whileMigrating(knex, async (transaction) => {
    await requireSchemaIfAny(transaction);
    const pending = await pendingOf(source, transaction);
    if (!pending.includes(CONTRACTION)) return undefined;
    return await runAll(await before(CONTRACTION, source), transaction);
  });
}

async function contract(knex: Knex, source: Source, calendar: Calendar): Promise<readonly string[]> {
  return await whileMigrating(knex, async (transaction) => {
    const pending = await pendingOf(source, transaction);
    if (pending.includes(CONTRACTION)) {
      await dialectOf(knex).lockChanges(transaction);
      await fillChanged(transaction, calendar);
    }
    return await runAll(source, transaction);
  });
}

/** Reads that take long, such as a dump of the database, have the tables in use. Writers wait for one try only. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || driverCodeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
    await delay(RETRY_MS);
  }
}

async function pendingOf(migrationSource: Source, transaction: Knex.Transaction): Promise<readonly string[]> {
  const [, pending]: [unknown, unknown[]] = await transaction.migrate.list({
    migrationSource,
    ...ADDITIONS_ALLOWED,
  });
  return pending.map((migration) => migrationSource.getMigrationName(migration));
}

async function before(name: string, source: Source): Promise<Source> {
  const all = await source.getMigrations([]);
  const end = all.findIndex((migration) => source.getMigrationName(migration) === name);
  return {
    getMigrations: async () => all.slice(0, end),
    getMigrationName: (migration) => source.getMigrationName(migration),
    getMigration: (migration) => source.getMigration(migration),
  };
}

async function runAll(migrationSource: Source, transaction: Knex.Transaction): Promise<readonly string[]> {
  const [, names]: [number, string[]] = await transaction.migrate.latest({
    migrationSource,
    disableTransactions: true,
    ...ADDITIONS_ALLOWED,
  });
  return names;
}
