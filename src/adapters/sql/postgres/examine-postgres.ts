import type { Knex } from 'knex';
import type { DatabaseExamination } from '../database/database-location.ts';

/** The oldest that is still maintained (https://www.postgresql.org/support/versioning/). */
const OLDEST_POSTGRES = 14;

interface PostgresState {
  readonly version: string;
  readonly encoding: string;
  readonly is_standby: boolean;
  readonly may_create: boolean | null;
  readonly is_read_only: string;
}

const POSTGRES_STATE = `select current_setting('server_version') as version,
  current_setting('server_encoding') as encoding,
  pg_is_in_recovery() as is_standby,
  has_schema_privilege(current_schema(), 'CREATE') as may_create,
  current_setting('default_transaction_read_only') as is_read_only`;

export async function examinePostgres(knex: Knex): Promise<DatabaseExamination> {
  const { rows } = await knex.raw<{ readonly rows: readonly [PostgresState] }>(POSTGRES_STATE);
  return { product: `PostgreSQL ${rows[0].version}`, problems: [...postgresProblems(rows[0])] };
}

function* postgresProblems(state: PostgresState): Generator<string> {
  if (Number.parseInt(state.version, 10) < OLDEST_POSTGRES) {
    yield `its version is older than ${OLDEST_POSTGRES}, the oldest that gets fixes`;
  }
  if (state.encoding !== 'UTF8') yield `its encoding must be UTF8, and is ${state.encoding}`;
  if (state.is_standby) yield 'it is a standby, which cannot be written to: name the primary';
  if (state.is_read_only === 'on') yield 'default_transaction_read_only is on';
  // Null if no schema of the search path exists.
  if (state.may_create !== true) {
    yield 'its user may not create tables: grant create on schema public to the user';
  }
}
