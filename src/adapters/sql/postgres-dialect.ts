import type { Knex } from 'knex';
import { driverCodeOf, type SqlDialect } from './sql-dialect.ts';

/** "ICat": the first of the two keys of this service's locks, so that those of others in the database are others. */
const LOCKS = 0x49436174;
const MIGRATIONS = 1;
const INSERTS = 2;
const RESTORES = 3;

/** What removing a blob may take, which goes on within a transaction. */
const REMOVAL_TIMEOUT = '60s';

/** For this transaction only: the session may be shared. */
const UNLIMITED = 'set local statement_timeout = 0; set local lock_timeout = 0';

/** That of the ids of images. */
const SEQUENCE = 'images_id_seq';

/**
 * Fails on a standby, which takes advisory locks of its own and may be behind: after a failover it may be asked before it is
 * promoted, and has not seen the last commits then.
 */
const REQUIRE_PRIMARY = 'pg_current_xact_id()';

/** The lock of a UUID: 62 of its 64 last bits are random, and two that share them merely wait for each other. */
const UUID_LOCK = '?::bigint';

/**
 * Classes of SQLSTATE, and single ones, that say "not now" or "not here" rather than "wrong statement":
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE = [
  '08', // connection exceptions
  '25006', // read-only: a standby, after a failover
  '25P03', // idle in a transaction for too long
  '28', // the password or the role is not right any more
  '3D000', // no such database
  '40', // a deadlock or a conflict, rolled back
  '42501', // a privilege is missing
  '53', // disk, memory or connections are used up
  '55P03', // a lock was not to be had in time
  '57', // cancelled, timed out, shutting down, starting up
  '58', // the server's own input and output
  'XX001', // damaged data
  'XX002', // a damaged index
];

/** Of Node.js, where it finds no server, loses it, or does not trust it: system calls, names, TLS, certificates. */
const UNREACHABLE =
  /^(?:E[A-Z]{3,}|EAI_[A-Z]+|ERR_(?:TLS|SSL)_.+|CERT_.+|.*_(?:CERT|SIGNATURE|CERTIFICATE|CA|CHAIN|LOCALLY))$/;

/** What the driver throws without a code; Knex puts the statement in front of it. */
const DRIVER =
  /(?:Connection (?:terminated|ended)(?: unexpectedly| due to connection timeout)?|timeout expired|Query read timeout|is not queryable|(?:support|establishing an) SSL connections?)$/;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Advisory locks that end with their transaction, whatever becomes of its client. Each is a statement of its own: at READ
 * COMMITTED, which the transactions run at, the next statement sees all that was committed before the lock was had.
 */
export const POSTGRES_DIALECT: SqlDialect = {
  greatest: 'greatest',
  hasOneWriter: false,
  // Said each time: what sessions are set to is lost where a pooler shares them.
  transactions: { isolationLevel: 'read committed' },

  async lockMigrations(transaction: Knex.Transaction): Promise<void> {
    // A statement of its own: the limit of one is taken when it begins.
    await transaction.raw(UNLIMITED);
    await transaction.raw('select pg_advisory_xact_lock(?, ?)', [LOCKS, MIGRATIONS]);
  },

  async lockInserts(transaction: Knex.Transaction, uuids: readonly string[]): Promise<void> {
    // Those of the UUIDs tell others that this transaction may still be committed; nobody waits for them but who has none.
    const locks = uuids.map(() => `pg_advisory_xact_lock(${UUID_LOCK})`);
    await transaction.raw(`select ${[...locks, 'pg_advisory_xact_lock(?, ?)'].join(', ')}`, [
      ...uuids.map(lockKeyOf),
      LOCKS,
      INSERTS,
    ]);
  },

  async lockRecording(transaction: Knex.Transaction, uuid: string): Promise<void> {
    await transaction.raw(
      `select ${REQUIRE_PRIMARY}, set_config('idle_in_transaction_session_timeout', ?, true),
        pg_advisory_xact_lock_shared(?, ?), pg_advisory_xact_lock(${UUID_LOCK})`,
      [REMOVAL_TIMEOUT, LOCKS, RESTORES, lockKeyOf(uuid)],
    );
  },

  async mayBeUnderWay(transaction: Knex.Transaction, uuid: string): Promise<boolean> {
    const { rows } = await transaction.raw<{ readonly rows: ReadonlyArray<{ readonly ended: boolean }> }>(
      `select ${REQUIRE_PRIMARY}, pg_try_advisory_xact_lock(${UUID_LOCK}) as ended`,
      [lockKeyOf(uuid)],
    );
    return rows[0]?.ended !== true;
  },

  async lockRestores(transaction: Knex.Transaction): Promise<void> {
    // Not a lock for each UUID: there are thousands, and the server keeps all locks in memory of a fixed size.
    await transaction.raw('select pg_advisory_xact_lock(?, ?), pg_advisory_xact_lock(?, ?)', [
      LOCKS,
      RESTORES,
      LOCKS,
      INSERTS,
    ]);
  },

  async highestId(connection: Knex): Promise<number> {
    const { rows } = await connection.raw<{ readonly rows: ReadonlyArray<{ readonly id: string }> }>(
      `select case when is_called then last_value else 0 end as id from ${SEQUENCE}`,
    );
    return Number(rows[0]?.id);
  },

  async raiseIds(transaction: Knex.Transaction, upTo: number): Promise<void> {
    if (upTo > (await this.highestId(transaction)))
      await transaction.raw('select setval(?, ?)', [SEQUENCE, upTo]);
  },

  isUnavailable(error: Error): boolean {
    const code = driverCodeOf(error);
    if (code === undefined) return DRIVER.test(error.message);
    // `EPIPE` has five characters, too; no SQLSTATE begins with an E.
    if (SQLSTATE.test(code) && !code.startsWith('E'))
      return UNAVAILABLE.some((state) => code.startsWith(state));
    return UNREACHABLE.test(code);
  },
};

function lockKeyOf(uuid: string): string {
  return BigInt.asIntN(64, BigInt(`0x${uuid.replaceAll('-', '').slice(16)}`)).toString();
}
