import type { Space } from '../../../domain/space/space.ts';
import { inSpace, inSpaceById, orderInSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { allOf, type SqlFragment, sql } from '../database/sql-fragment.ts';

/** Images in an order of the catalog, read from an index. */
export interface Stream {
  readonly table: string;
  /** Columns. */
  readonly id: string;
  readonly taken: string | undefined;
  readonly conditions: readonly SqlFragment[];
  /** In front of the keys of the order, if other indexes of the table are in the order of the ids as well; see `orderInSpace`. */
  readonly leading?: readonly string[] | undefined;
}

/** All images of a space, by id. */
export function createdStream(space: Space, dialect: SqlDialect): Stream {
  const column = 'images.space';
  return {
    table: 'images',
    id: 'images.id',
    taken: undefined,
    conditions: [inSpaceById(space, column, dialect)],
    leading: orderInSpace(space, column, []),
  };
}

/** All images of a space, by capture time. */
export function takenStream(space: Space): Stream {
  return {
    table: 'image_metadata',
    id: 'image_metadata.image_id',
    taken: 'image_metadata.taken_sort',
    conditions: [inSpace(space, 'image_metadata.space')],
  };
}

/** A statement with one column. */
export function idsIn({ table, id, conditions }: Stream): SqlFragment {
  const where = allOf(conditions);
  return sql(`select ${id} as image_id from ${table} where ${where.sql}`, ...where.bindings);
}

/** A condition on the row of an image in one table. */
export interface RowTest {
  readonly table: 'images' | 'image_metadata' | 'image_tags';
  /** With the names of its table. */
  readonly condition: SqlFragment;
}

/**
 * Looks the row up by its key if it is in another table. It is not a join, for which Postgres might read a whole table, because it
 * cannot know how many images pass.
 */
export function testOf(
  { table, condition }: RowTest,
  stream: { readonly table: string; readonly id: string },
): SqlFragment {
  if (table === stream.table && table !== 'image_tags') return condition;
  const { sql: text, bindings } = condition;
  if (table === 'images') {
    return sql(`(select ${text} from images where images.id = ${stream.id})`, ...bindings);
  }
  if (table === 'image_metadata') {
    return sql(
      `(select ${text} from image_metadata where image_metadata.image_id = ${stream.id})`,
      ...bindings,
    );
  }
  return sql(
    `(select count(*) > 0 from image_tags tagged where ${text} and tagged.image_id = ${stream.id})`,
    ...bindings,
  );
}

export function takenTest(bound: (column: string) => SqlFragment): RowTest {
  return { table: 'image_metadata', condition: bound('image_metadata.taken_sort') };
}
