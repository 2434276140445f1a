import type { Knex } from 'knex';
import { LOCK_AND_SELECT_LATER, refuseLater } from '../database/require-schema.ts';
import { driverCodeOf, type NumberedTable, type SqlDialect } from '../database/sql-dialect.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';

/** "ICat": marks the file as this service's (https://sqlite.org/fileformat2.html#application_id). */
const APPLICATION_ID = 0x49436174;

/** https://sqlite.org/rescode.html */
const UNAVAILABLE = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_NOMEM',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_PROTOCOL',
  'SQLITE_PERM',
]);

/** A transaction that has written holds the write lock until its end. */
export const SQLITE_DIALECT: SqlDialect = {
  greatest: 'max',
  jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)})`,
  isAmong: (column, ids) => sql`${raw(column)} in (select value from json_each(${JSON.stringify(ids)}))`,
  position: 'instr',
  jsonOf: (columns) => sql`json_group_array(json_array(${columns}))`,
  imageHex: sql`lower(hex(images.blob_uuid) || hex(images.sha256) || hex(images.thumbhash_bytes))`,
  unindexed: '+',
  requireWritable: sql`select 1`,
  byIndex: (table, index) => raw(`${table} indexed by ${index}`),
  storedUuid: (uuid) => Buffer.from(uuid.replaceAll('-', ''), 'hex'),
  now: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  isValueOf: (query) => sql`= (${query})`,
  // There is one writer.
  skipLocked: sql``,
  // A transaction with the write lock sees everything committed.
  transactions: {},

  snapshots: {},

  sortOnDisk: sql`PRAGMA temp_store = FILE`,
  sortInMemory: sql`PRAGMA temp_store = MEMORY`,

  async lockMigrations(transaction: Knex.Transaction): Promise<void> {
    await transaction.raw(`PRAGMA application_id = ${APPLICATION_ID}`);
  },

  lockInserts: lockWriter,
  lockChanges: lockWriter,
  lockRecording: lockWriter,
  lockRestores: lockWriter,

  async mayBeUnderWay(): Promise<boolean> {
    // The engine runs in this process, so a failed call has ended.
    return false;
  },

  // AUTOINCREMENT keeps the highest id of each table in `sqlite_sequence`, which may be written to:
  // https://sqlite.org/autoinc.html#the_autoincrement_keyword
  async highestId(connection: Knex, table: NumberedTable): Promise<number> {
    const row = await sequence(connection, table).first('seq');
    return row?.seq ?? 0;
  },

  async raiseIds(transaction: Knex.Transaction, table: NumberedTable, upTo: number): Promise<void> {
    const highest = sequence(transaction, table);
    const isThere = await highest.update({ seq: transaction.raw('max(seq, ?)', [upTo]) });
    if (isThere === 0) await sequence(transaction, table).insert({ name: table, seq: upTo });
  },

  isUnavailable(error: Error): boolean {
    const code = driverCodeOf(error);
    return code !== undefined && UNAVAILABLE.has(code);
  },
};

async function lockWriter(transaction: Knex.Transaction): Promise<void> {
  refuseLater(await rowsOf(transaction, raw(LOCK_AND_SELECT_LATER)));
}

interface SequenceRow {
  readonly name: string;
  readonly seq: number;
}

function sequence(connection: Knex, table: NumberedTable): Knex.QueryBuilder<SequenceRow, SequenceRow[]> {
  return connection<SequenceRow, SequenceRow[]>('sqlite_sequence').where({ name: table });
}
