import type { Knex } from 'knex';

/**
 * Counts of changes by subject and hour, and the actors of requests that changed many images at once. The version before works with
 * these tables: it writes an actor into each row of `changes`, and shows none for the changes of a range.
 */
export async function up(knex: Knex): Promise<void> {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  const engine = client.driverName === 'pg' ? POSTGRES : SQLITE;
  for (const statement of statementsOf(engine)) await knex.raw(statement);
}

interface Engine {
  /** Sorted by code point. */
  readonly text: string;
  /** On SQLite, only `integer` is the row id itself. */
  readonly rowId: string;
  /** The table is its primary key, on engines that can. */
  readonly clustered: string;
  /** Storage of tables whose rows are changed again and again. */
  readonly counted: string;
}

function statementsOf({ text, rowId, clustered, counted }: Engine): readonly string[] {
  return [
    `create table change_counts (
      space integer not null,
      -- Hours since 1970, by the clock of the process that wrote the changes.
      hour integer not null,
      changes integer not null,
      -- A hash: subjects can be long, and RECORD_ACTOR=false forbids to keep them.
      subject ${text} not null,
      primary key (space, subject, hour)
    ) ${clustered} ${counted}`,
    'create index change_counts_hour_index on change_counts (hour)',
    // The actor of the changes with these numbers, whose rows in the feed have none.
    `create table change_actors (
      first_number ${rowId} primary key,
      last_number bigint not null,
      actor text not null
    )`,
  ];
}

const SQLITE: Engine = { text: 'text', rowId: 'integer', clustered: 'without rowid', counted: '' };

const POSTGRES: Engine = {
  text: 'text collate "C"',
  rowId: 'bigint',
  clustered: '',
  // A page with free space takes the new version of its own row.
  counted: 'with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)',
};
