import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { openSqliteDatabase, openSqliteReader } from './open-sqlite-database.ts';

/**
 * Uses a new database as the service would, with a write-ahead log that two connections share, and removes it. File systems
 * without locks, or without memory that processes share, fail at this, and not when an empty file is made.
 *
 * Rejects with the error of SQLite.
 */
export async function trySqliteIn(folder: string): Promise<void> {
  const file = join(folder, `.image-catalog-${randomUUID()}.sqlite`);
  try {
    await useDatabase(file);
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${file}${end}`, { force: true });
  }
}

async function useDatabase(file: string): Promise<void> {
  const knex = openSqliteDatabase(file);
  const reader = openSqliteReader(file);
  try {
    await knex.raw('create table trial (id integer)');
    await knex.raw('insert into trial values (1)');
    await reader.raw('select id from trial');
    await requireLog(knex);
  } finally {
    await reader.destroy();
    await knex.destroy();
  }
}

/** SQLite keeps another journal, without an error, if it cannot have a write-ahead log. */
async function requireLog(knex: Knex): Promise<void> {
  const [journal] = await knex.raw<ReadonlyArray<{ readonly journal_mode: string }>>('pragma journal_mode');
  if (journal?.journal_mode !== 'wal') throw new Error('SQLITE_PROTOCOL: there is no write-ahead log');
  const [checkpoint] = await knex.raw<ReadonlyArray<{ readonly busy: number }>>(
    'pragma wal_checkpoint(truncate)',
  );
  if (checkpoint?.busy !== 0) throw new Error('SQLITE_PROTOCOL: the log cannot be written back');
}
