import type { Database } from 'sqlite3';
import type { SqlFragment } from '../database/sql-fragment.ts';

/** Of a statement that Knex does not build. */
export async function allRows<Row>(
  database: Database,
  { sql, bindings }: SqlFragment,
): Promise<readonly Row[]> {
  return await new Promise((resolve, reject) => {
    database.all<Row>(sql, bindings, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(error);
    });
  });
}
