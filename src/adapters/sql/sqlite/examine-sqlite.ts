import type { Knex } from 'knex';
import type { DatabaseExamination } from '../database/database-location.ts';

export async function examineSqlite(knex: Knex): Promise<DatabaseExamination> {
  const [row] = await knex.raw<ReadonlyArray<{ readonly version: string }>>(
    'select sqlite_version() as version',
  );
  return { product: `SQLite ${row?.version}`, problems: await writeProblems(knex) };
}

/** Takes the write lock and makes a table, and rolls both back. */
async function writeProblems(knex: Knex): Promise<readonly string[]> {
  const transaction = await knex.transaction();
  try {
    await transaction.raw('create table image_catalog_examination (id integer)');
    return [];
  } catch (error) {
    return [`it cannot be written to: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await transaction.rollback();
  }
}
