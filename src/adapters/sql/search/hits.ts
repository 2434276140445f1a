import type { SearchFilter } from '../../../domain/ports/records/image-search.ts';
import { inSpaceById, orderInSpace } from '../database/in-space.ts';
import { allOf, orderBy, type RowReader, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import {
  type Bound,
  conditionsOf,
  hasAtMost,
  type SearchConditions,
  type SearchContext,
  type Source,
} from './search-conditions.ts';
import { createdStream, idsIn, type Stream, takenTest, testsOf } from './stream.ts';

/** What a page needs to know of its query. */
export interface Page {
  readonly reader: RowReader;
  readonly conditions: SearchConditions;
  readonly upToId: number | undefined;
  /** One more than wanted: shows whether there are more. */
  readonly limit: number;
}

/** Images that one statement counts, in about a tenth of a second. */
const COUNTED_AT_A_TIME = 100_000;

/** All images that match, as statements with one column, each for other images. */
export async function* matchingParts(
  context: SearchContext,
  filter: SearchFilter,
): AsyncGenerator<SqlFragment, void, undefined> {
  const conditions = await conditionsOf(context, filter);
  if (conditions === undefined) return;
  const { reader } = context;
  const [rarest] = conditions.sources;
  if (rarest !== undefined && (await hasAtMost(COUNTED_AT_A_TIME, reader, rarest.rows))) {
    yield matchingIds(conditions, []);
    return;
  }
  const walked = { ...conditions, sources: conditions.sources.filter(isInOrderOfIds) };
  for (let first: number | undefined = 0; first !== undefined; ) {
    const [begin, next]: [number, number | undefined] = [first, await nextPart(reader, conditions, first)];
    yield matchingIds(walked, [
      (column) => sql`${raw(column)} >= ${begin}`,
      ...(next === undefined ? [] : [(column: string) => sql`${raw(column)} < ${next}`]),
    ]);
    first = next;
  }
}

/** Each part would read all rows of many words, or of capture times. */
function isInOrderOfIds({ hits, rows, isStream }: Source): boolean {
  return hits !== Infinity && (rows.taken === undefined || isStream);
}

/** The first id of the part behind this one. Ids may lie far apart. */
async function nextPart(
  reader: RowReader,
  { space, dialect }: SearchConditions,
  first: number,
): Promise<number | undefined> {
  const inside = inSpaceById(space, 'images.space', dialect);
  const order = orderBy(orderInSpace(space, 'images.space', ['images.id']), 'asc');
  const [next] = await reader.rows<{ readonly id: number }>(
    sql`select images.id from images where ${inside} and images.id >= ${first} ${order}
      limit 1 offset ${COUNTED_AT_A_TIME}`,
  );
  return next?.id;
}

function matchingIds(conditions: SearchConditions, within: readonly Bound[]): SqlFragment {
  const { from, tests } = hitsOf({ conditions, upToId: undefined }, false, within);
  return sql`select hits.image_id from ${from} where ${allOf(tests)}`;
}

/** Hits of the rarest source, or all images. */
export const HITS: Stream = { table: 'hits', id: 'hits.image_id', taken: 'hits.taken_sort', conditions: [] };

interface Hits {
  readonly from: SqlFragment;
  readonly tests: ReturnType<typeof idTests>;
}

/** @param within bounds of the ids */
export function hitsOf(
  page: Pick<Page, 'conditions' | 'upToId'>,
  withTime: boolean,
  within: readonly Bound[] = [],
): Hits {
  const { sources, space, dialect } = page.conditions;
  const [source] = sources;
  const rows = source?.rows ?? createdStream(space, dialect);
  const ids = idsIn({ ...rows, conditions: [...rows.conditions, ...within.map((bound) => bound(rows.id))] });
  const distinct = raw(source?.repeats === true ? 'distinct' : '');
  const once = sql`select ${distinct} found.image_id from (${ids}) found`;
  const time = sql`(select taken_sort from image_metadata where image_metadata.image_id = once.image_id)`;
  const from = withTime
    ? sql`(select once.image_id, ${time} as taken_sort from (${once}) once) hits`
    : sql`(${once}) hits`;
  return { from, tests: idTests(page, HITS, source) };
}

/** All conditions, on images of the space of which only the id is known. */
export function idTests(
  { conditions, upToId }: Pick<Page, 'conditions' | 'upToId'>,
  { id, table }: Stream,
  source?: Source,
): ReadonlyArray<SqlFragment | undefined> {
  const taken = conditions.takenBounds.map(takenTest);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  return [
    ...testsOf([...tests, ...taken], { table, id }),
    ...conditions.idBounds.map((bound) => bound(id)),
    upToId === undefined ? undefined : sql`${raw(id)} <= ${upToId}`,
  ];
}
