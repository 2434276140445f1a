import { openSqliteDatabase } from './open-sqlite-database.ts';

/** What SQLite first finds wrong with a file; `undefined` if it is whole. Reads all of it. */
export async function faultIn(path: string): Promise<string | undefined> {
  const knex = openSqliteDatabase(path);
  try {
    const [row] = await knex.raw<ReadonlyArray<{ readonly quick_check: string }>>('PRAGMA quick_check(1)');
    return row?.quick_check === 'ok' ? undefined : row?.quick_check;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await knex.destroy();
  }
}
