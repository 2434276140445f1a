import { allOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { SearchConditions, Source } from './search-sources.ts';
import { createdStream, idsIn, type Stream, takenTest, testOf } from './streams.ts';

/** What a page needs to know of its query. */
export interface Page {
  readonly conditions: SearchConditions;
  readonly upToId: number | undefined;
  /** One more than wanted: shows whether there are more. */
  readonly limit: number;
}

/** Images that match, as a statement with one column. */
export function matchingIds(conditions: SearchConditions): SqlFragment {
  const { from, tests } = hitsOf({ conditions, upToId: undefined, limit: 0 }, false);
  const where = allOf(tests);
  return sql(`select hits.image_id from ${from.sql} where ${where.sql}`, ...from.bindings, ...where.bindings);
}

/** Hits of the rarest source, or all images. */
export const HITS: Stream = { table: 'hits', id: 'hits.image_id', taken: 'hits.taken_sort', conditions: [] };

interface Hits {
  readonly from: SqlFragment;
  readonly tests: readonly SqlFragment[];
}

export function hitsOf(page: Page, withTime: boolean): Hits {
  const { sources, space, dialect } = page.conditions;
  const [source] = sources;
  const ids = source?.ids ?? idsIn(createdStream(space, dialect));
  const distinct = source?.repeats === true ? 'distinct found.image_id' : 'found.image_id';
  const once = `select ${distinct} from (${ids.sql}) found`;
  const time = '(select taken_sort from image_metadata where image_metadata.image_id = once.image_id)';
  const from = withTime
    ? `(select once.image_id, ${time} as taken_sort from (${once}) once) hits`
    : `(${once}) hits`;
  return { from: sql(from, ...ids.bindings), tests: idTests(page, HITS, source) };
}

/** All conditions, on images of the space of which only the id is known. */
export function idTests(
  { conditions, upToId }: Page,
  { id, table }: Stream,
  source?: Source,
): readonly SqlFragment[] {
  const taken = conditions.takenBounds.map(takenTest);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  return [
    ...[...tests, ...taken].map((test) => testOf(test, { table, id })),
    ...conditions.idBounds.map((bound) => bound(id)),
    ...(upToId === undefined ? [] : [sql(`${id} <= ?`, upToId)]),
  ];
}
