import type { Knex } from 'knex';
import type { RecordCopy } from '../../../domain/ports/commands/catalog-copy.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { loseWebhookPositions } from '../changes/sql-webhook-endpoints.ts';
import { ObjectionImageRepository } from '../records/objection-image-repository.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

export async function copySqliteRecords(knex: Knex, path: string, clock: Clock): Promise<RecordCopy> {
  await knex.raw('VACUUM INTO ?', [path]);
  const copied = openSqliteDatabase(path);
  await loseWebhookPositions(copied);
  return {
    images: new ObjectionImageRepository(copied, clock),
    close: async () => await copied.destroy(),
  };
}
