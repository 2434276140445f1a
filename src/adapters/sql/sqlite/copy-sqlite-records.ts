import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Knex } from 'knex';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import type { RecordCopy } from '../../../domain/ports/commands/record-copy.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { ChangeQuota } from '../changes/change-quota.ts';
import { loseWebhookPositions } from '../changes/sql-webhook-endpoints.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import type { NumberedTable } from '../database/sql-dialect.ts';
import { ObjectionImageRepository } from '../records/objection-image-repository.ts';
import { SqlTrash } from '../trash/sql-trash.ts';
import { keepPrivate } from './keep-private.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { SQLITE_DIALECT } from './sqlite-dialect.ts';

export async function copySqliteRecords(knex: Knex, path: string, clock: Clock): Promise<RecordCopy> {
  if (!existsSync(path)) await copyWhole(knex, path);
  const copied = new CatalogDatabase({ knex: openSqliteDatabase(path) });
  return {
    images: new ObjectionImageRepository(copied, clock),
    trash: new SqlTrash(copied, clock, new Calendar('UTC'), new ChangeQuota(0)),
    close: async () => await copied.knex.destroy(),
  };
}

/** As large as the highest number, but at least this. */
const MIN_GAP = 10_000;

/** The original goes on giving numbers: after a restore, the copy does not give them again. */
async function leaveGap(copied: Knex, table: NumberedTable): Promise<void> {
  const highest = await SQLITE_DIALECT.highestId(copied, table);
  await copied.transaction((transaction) =>
    SQLITE_DIALECT.raiseIds(transaction, table, highest + Math.max(highest, MIN_GAP)),
  );
}

/** A file that is there is complete. */
async function copyWhole(knex: Knex, path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  // SQLite writes into an empty file, and would make one that others can read.
  keepPrivate(part);
  await knex.raw('VACUUM INTO ?', [part]);
  const copied = openSqliteDatabase(part);
  await loseWebhookPositions(copied);
  for (const table of ['images', 'names'] as const) await leaveGap(copied, table);
  // The last connection writes the log into the file, and removes it.
  await copied.destroy();
  await rename(part, path);
}
