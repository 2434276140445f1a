import type { Knex } from 'knex';
import { CATALOG_SCHEMA, refuseLater, SELECT_LATER } from '../database/require-schema.ts';
import { driverCodeOf, type NumberedTable, type SqlDialect } from '../database/sql-dialect.ts';
import { raw, sql } from '../database/sql-fragment.ts';

/** "ICat": separates this service's advisory locks from those of other programs. */
const LOCKS = 0x49436174;
const MIGRATIONS = 1;
const INSERTS = 2;
const RESTORES = 3;

/** Removing a blob happens within the transaction. */
const REMOVAL_TIMEOUT = '60s';

/** Local, because a pooler may share the session. */
const UNLIMITED = 'set local statement_timeout = 0; set local lock_timeout = 0';

/** Others wait as long for a migration. */
const TABLE_TIMEOUT_MS = 1_000;

const SEQUENCES = { images: 'images_id_seq', names: 'names_number_seq' };

/**
 * Fails on a standby, whose advisory locks are its own and which may lag: after a failover, a request may reach it before
 * promotion.
 */
const REQUIRE_PRIMARY = 'pg_current_xact_id()';

const LOCK_OF_INSERTS = `pg_advisory_xact_lock(${LOCKS}, ${INSERTS})`;

/** SQLSTATE codes, or prefixes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNAVAILABLE = [
  '08', // connection exceptions
  '25006', // read-only: a standby, after a failover
  '25P03', // idle in a transaction for too long
  '26000', // a prepared statement is missing: a pooler has exchanged the server
  '28', // the password or the role is no longer valid
  '3D000', // no such database
  '40', // a deadlock or a conflict, rolled back
  '42501', // a privilege is missing
  '42P05', // a prepared statement exists already, for the same reason
  '53', // disk, memory or connections are used up
  '55P03', // a lock timed out
  '57', // cancelled, timed out, shutting down, starting up
  '58', // the server's own input and output
  'XX001', // damaged data
  'XX002', // a damaged index
];

const UNREACHABLE =
  /^(?:E[A-Z]{3,}|EAI_[A-Z]+|ERR_(?:TLS|SSL)_.+|CERT_.+|.*_(?:CERT|SIGNATURE|CERTIFICATE|CA|CHAIN|LOCALLY))$/;

/** Knex puts the statement in front. */
const DRIVER =
  /(?:Connection (?:terminated|ended)(?: unexpectedly| due to connection timeout)?|timeout expired|Query read timeout|is not queryable|(?:support|establishing an) SSL connections?)$/;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Advisory locks end with their transaction, even if its client is killed. Each is a separate statement: in READ COMMITTED, the
 * next one sees everything committed before the lock was granted.
 */
export const POSTGRES_DIALECT: SqlDialect = {
  greatest: 'greatest',
  jsonRows: (rows) => sql`json_array_elements(${JSON.stringify(rows)}::json)`,
  isAmong: (column, ids) => sql`${raw(column)} = any(${ids as unknown as Knex.Value})`,
  position: 'strpos',
  jsonOf: (columns) => sql`cast(json_agg(json_build_array(${columns})) as text)`,
  imageHex: sql`encode(uuid_send(images.blob_uuid) || images.sha256 || images.thumbhash_bytes, 'hex')`,
  unindexed: '',
  // The server checks before it looks for rows, so nothing is locked and no transaction id is used up.
  requireWritable: sql`select 1 from ${raw(CATALOG_SCHEMA)} where false for update`,
  byIndex: (table) => raw(table),
  storedUuid: (uuid) => uuid,
  now: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  // Not `space = …`: the primary key would have the same order then, and be walked through the changes of all spaces if one has most.
  isValueOf: (query) => sql`= any (array(${query}))`,
  skipLocked: sql`for update skip locked`,
  // Set for each transaction, because a pooler may share sessions and lose their settings.
  transactions: { isolationLevel: 'read committed' },

  snapshots: { isolationLevel: 'repeatable read', readOnly: true },

  // The server decides by `maintenance_work_mem`.
  sortOnDisk: sql`select 1`,
  sortInMemory: sql`select 1`,

  async lockMigrations(transaction: Knex.Transaction): Promise<void> {
    // A statement of its own, because a timeout applies from the next statement on.
    await transaction.raw(UNLIMITED);
    await transaction.raw('select pg_advisory_xact_lock(?, ?)', [LOCKS, MIGRATIONS]);
    // While it waits for a table, others wait for the locks that it has.
    await transaction.raw(`set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
  },

  async lockInserts(transaction: Knex.Transaction, uuids: readonly string[]): Promise<void> {
    // The locks of the UUIDs show `mayBeUnderWay` that this transaction may still be committed. Only `lockRecording` waits for them.
    await lock(transaction, [...uuids.map(lockOf), LOCK_OF_INSERTS]);
  },

  async lockChanges(transaction: Knex.Transaction): Promise<void> {
    await this.lockInserts(transaction, []);
  },

  async lockRecording(transaction: Knex.Transaction, uuid: string): Promise<void> {
    await lock(transaction, [
      REQUIRE_PRIMARY,
      `set_config('idle_in_transaction_session_timeout', '${REMOVAL_TIMEOUT}', true)`,
      `pg_advisory_xact_lock_shared(${LOCKS}, ${RESTORES})`,
      lockOf(uuid),
    ]);
  },

  async mayBeUnderWay(transaction: Knex.Transaction, uuid: string): Promise<boolean> {
    const { rows } = await transaction.raw<{ readonly rows: ReadonlyArray<{ readonly ended: boolean }> }>(
      `select ${REQUIRE_PRIMARY}, pg_try_advisory_xact_lock(${lockKeyOf(uuid)}) as ended`,
    );
    return rows[0]?.ended !== true;
  },

  async lockRestores(transaction: Knex.Transaction): Promise<void> {
    // Not a lock per UUID: there are thousands, and the server keeps locks in a table of fixed size.
    await lock(transaction, [`pg_advisory_xact_lock(${LOCKS}, ${RESTORES})`, LOCK_OF_INSERTS]);
  },

  async highestId(connection: Knex, table: NumberedTable): Promise<number> {
    const { rows } = await connection.raw<{ readonly rows: ReadonlyArray<{ readonly id: string }> }>(
      `select case when is_called then last_value else 0 end as id from ${SEQUENCES[table]}`,
    );
    return Number(rows[0]?.id);
  },

  async raiseIds(transaction: Knex.Transaction, table: NumberedTable, upTo: number): Promise<void> {
    if (upTo > (await this.highestId(transaction, table))) {
      await transaction.raw('select setval(?, ?)', [SEQUENCES[table], upTo]);
    }
  },

  isUnavailable(error: Error): boolean {
    const code = driverCodeOf(error);
    if (code === undefined) return DRIVER.test(error.message);
    // `EPIPE` has five characters too, but no SQLSTATE begins with an E.
    if (SQLSTATE.test(code) && !code.startsWith('E')) {
      return UNAVAILABLE.some((state) => code.startsWith(state));
    }
    return UNREACHABLE.test(code);
  },
};

/** In one round trip. Each statement sees what was committed before it began, the second one also while the locks were waited for. */
async function lock(transaction: Knex.Transaction, locks: readonly string[]): Promise<void> {
  const [, { rows }] = await transaction.raw<Results>(`select ${locks.join(', ')}; ${SELECT_LATER}`);
  refuseLater(rows);
}

type Results = readonly [unknown, { readonly rows: ReadonlyArray<{ readonly version: string }> }];

function lockOf(uuid: string): string {
  return `pg_advisory_xact_lock(${lockKeyOf(uuid)})`;
}

/** The last 64 bits of a UUID, 62 of them random. UUIDs that share them only wait for each other. */
function lockKeyOf(uuid: string): string {
  const key = BigInt.asIntN(64, BigInt(`0x${uuid.replaceAll('-', '').slice(16)}`));
  return `'${key}'::bigint`;
}
