import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { raw, type SqlFragment, sql } from './sql-fragment.ts';

/** Migrations make its row. */
export const COMMON_SPACE_ID = 0;

function idOf(space: Space): SqlFragment {
  return sql`select id from spaces where name = ${space}`;
}

const COMMON = raw(String(COMMON_SPACE_ID));

/**
 * Rows of a space. `<> 0` says to the engines that they can use an index without the common space, whose images are found by their ids.
 *
 * @param column with the id of the space
 */
export function inSpace(space: Space, column: string): SqlFragment {
  const id = raw(column);
  if (space === COMMON_SPACE) return sql`${id} = ${COMMON}`;
  return sql`${id} <> ${COMMON} and ${id} = (${idOf(space)})`;
}

/**
 * As `inSpace`, for rows that are read by their key or in its order: see `orderInSpace`. SQLite does not read another index of the common
 * space, and sort it.
 */
export function inSpaceById(
  space: Space,
  column: string,
  { isValueOf, unindexed }: Pick<SqlDialect, 'isValueOf' | 'unindexed'>,
): SqlFragment {
  if (space === COMMON_SPACE) return sql`${raw(unindexed + column)} = ${COMMON}`;
  return sql`${raw(column)} <> ${COMMON} and ${raw(column)} ${isValueOf(idOf(space))}`;
}

/** The keys by which the rows of a space are sorted, so that the engine reads the index that begins with the space. */
export function orderInSpace(space: Space, column: string, keys: readonly string[]): readonly string[] {
  return space === COMMON_SPACE ? keys : [column, ...keys];
}

/**
 * As `inSpace`, for conditions that have an index of their own: Postgres takes a space for small, and would read all of it by an index of
 * spaces alone. A plus before the column keeps all indexes of spaces away.
 */
export function hasSpace(space: Space, column: string): SqlFragment {
  if (space === COMMON_SPACE) return inSpace(space, column);
  return sql`${raw(column)} = (${idOf(space)})`;
}
