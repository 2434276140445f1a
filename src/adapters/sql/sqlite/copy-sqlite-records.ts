import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Knex } from 'knex';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import type { RecordCopy } from '../../../domain/ports/commands/catalog-copy.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { loseWebhookPositions } from '../changes/sql-webhook-endpoints.ts';
import { ObjectionImageRepository } from '../records/objection-image-repository.ts';
import { SqlTrash } from '../trash/sql-trash.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

export async function copySqliteRecords(knex: Knex, path: string, clock: Clock): Promise<RecordCopy> {
  if (!existsSync(path)) await copyWhole(knex, path);
  const copied = openSqliteDatabase(path);
  return {
    images: new ObjectionImageRepository(copied, clock),
    trash: new SqlTrash(copied, clock, new Calendar('UTC')),
    close: async () => await copied.destroy(),
  };
}

/** A file that is there is complete. */
async function copyWhole(knex: Knex, path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  await knex.raw('VACUUM INTO ?', [part]);
  const copied = openSqliteDatabase(part);
  await loseWebhookPositions(copied);
  // The last connection writes the log into the file, and removes it.
  await copied.destroy();
  await rename(part, path);
}
