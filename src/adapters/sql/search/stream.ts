import type { Space } from '../../../domain/space/space.ts';
import { inSpace, inSpaceById, orderInSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { allOf, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';

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
  return sql`select ${raw(id)} as image_id from ${raw(table)} where ${allOf(conditions)}`;
}

/** A condition on the row of an image in one table. */
export interface RowTest {
  readonly table: 'images' | 'image_metadata' | 'image_tags';
  /** With the names of its table. */
  readonly condition: SqlFragment;
}

/** All tests of a table look the row of an image up once. Tags have a row for each. */
export function testsOf(
  tests: readonly RowTest[],
  stream: { readonly table: string; readonly id: string },
): readonly SqlFragment[] {
  const conditionsOn = (table: RowTest['table']): readonly SqlFragment[] =>
    tests.filter((test) => test.table === table).map(({ condition }) => condition);
  const ofRows = (['images', 'image_metadata'] as const).flatMap((table) => {
    const conditions = conditionsOn(table);
    return conditions.length === 0 ? [] : [rowTest(table, allOf(conditions), stream)];
  });
  return [...ofRows, ...conditionsOn('image_tags').map((condition) => tagTest(condition, stream))];
}

/**
 * Looks the row up by its key if it is in another table. It is not a join, for which Postgres might read a whole table, because it
 * cannot know how many images pass.
 */
function rowTest(
  table: 'images' | 'image_metadata',
  condition: SqlFragment,
  stream: { readonly table: string; readonly id: string },
): SqlFragment {
  if (table === stream.table) return condition;
  const key = raw(table === 'images' ? 'images.id' : 'image_metadata.image_id');
  return sql`(select ${condition} from ${raw(table)} where ${key} = ${raw(stream.id)})`;
}

function tagTest(condition: SqlFragment, { id }: { readonly id: string }): SqlFragment {
  return sql`(select count(*) > 0 from image_tags tagged where ${condition} and tagged.image_id = ${raw(id)})`;
}

export function takenTest(bound: (column: string) => SqlFragment): RowTest {
  return { table: 'image_metadata', condition: bound('image_metadata.taken_sort') };
}

export function idTest(bound: (column: string) => SqlFragment): RowTest {
  return { table: 'image_metadata', condition: bound('image_metadata.image_id') };
}
