import type { Knex } from 'knex';

// AUTOINCREMENT keeps the highest id of each table in a table of its own, which may be written to:
// https://sqlite.org/autoinc.html#the_autoincrement_keyword

/** The highest id that a table has ever had; 0 where it never had a row. */
export async function highestSqliteId(knex: Knex, table: string): Promise<number> {
  const row = await knex<SequenceRow>('sqlite_sequence').where({ name: table }).first('seq');
  return row?.seq ?? 0;
}

/** Makes the ids that a table gives from now on higher than `upTo`. */
export async function raiseSqliteIds(knex: Knex, table: string, upTo: number): Promise<void> {
  await knex.transaction(async (transaction) => {
    const rows = transaction<SequenceRow>('sqlite_sequence').where({ name: table });
    // The update comes first: a transaction that begins with a write waits for another one's end.
    const isThere = await rows.clone().update({ seq: transaction.raw('max(seq, ?)', [upTo]) });
    if (isThere === 0) await transaction<SequenceRow>('sqlite_sequence').insert({ name: table, seq: upTo });
  });
}

interface SequenceRow {
  readonly name: string;
  readonly seq: number;
}
