import type { Knex } from 'knex';
import { POSTGRES_DIALECT } from '../postgres/postgres-dialect.ts';
import { SQLITE_DIALECT } from '../sqlite/sqlite-dialect.ts';
import type { SqlDialect } from './sql-dialect.ts';

export function dialectOf(knex: Knex): SqlDialect {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  if (client.driverName === 'sqlite3') return SQLITE_DIALECT;
  if (client.driverName === 'pg') return POSTGRES_DIALECT;
  throw new TypeError(`No dialect for ${client.driverName}`);
}
