import type { Knex } from 'knex';
import type { SqlDialect } from './sql-dialect.ts';

/** Its driver has given it to the connections, which give it to their transactions. */
export function dialectOf(knex: Knex): SqlDialect {
  return knex.userParams['dialect'] as SqlDialect;
}
