import type { Knex } from 'knex';
import type { SearchFilter } from '../../domain/ports/image-search.ts';
import { dialectOf } from './dialect-of.ts';
import { indexedPart } from './finding-index.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { allOf, joined, rowsOf, type SqlFragment, sql } from './sql-fragment.ts';

/** They bound the work for a page; the results do not depend on them. */
export interface SearchLimits {
  /** Up to this number of hits, a page collects and sorts them all. */
  readonly fewHits: number;
  /** Words with one beginning that are looked up one by one. */
  readonly words: number;
  /** Rows of a stream that are tested for the other conditions before all hits are collected instead. */
  readonly tested: number;
  /** Positions of a shuffled catalog that are looked up before all hits are collected instead. */
  readonly positions: number;
}

export const SEARCH_LIMITS: SearchLimits = { fewHits: 5_000, words: 16, tested: 10_000, positions: 20_000 };

/** Behind all words with a beginning: no letter, mark or digit. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Images in an order of the catalog, read from an index. */
export interface Stream {
  readonly table: string;
  /** Columns. */
  readonly id: string;
  readonly taken: string | undefined;
  readonly conditions: readonly SqlFragment[];
}

/** An index that finds the images of one condition. */
export interface Source {
  /** At most one more than `SearchLimits.fewHits`. */
  readonly hits: number;
  /** A statement with one column, which may repeat ids. */
  readonly ids: SqlFragment;
  readonly stream?: Stream | undefined;
  /** The condition in `SearchConditions.rows` that the source makes superfluous. */
  readonly proves?: SqlFragment | undefined;
}

/** What a filter means in the tables. */
export interface SearchConditions {
  /** On joined rows of `images` and `image_metadata`. */
  readonly rows: readonly SqlFragment[];
  readonly sources: readonly Source[];
  /** On the id of an image, whatever its column is called. */
  readonly idBounds: ReadonlyArray<(column: string) => SqlFragment>;
  /** On `taken_sort`. */
  readonly takenBounds: ReadonlyArray<(column: string) => SqlFragment>;
}

/** `undefined` if no image can match. */
export async function conditionsOf(
  connection: Knex,
  filter: SearchFilter,
  limits: SearchLimits,
): Promise<SearchConditions | undefined> {
  const dialect = dialectOf(connection);
  const tags = await tagSources(connection, filter.tags ?? [], limits);
  if (tags === undefined) return undefined;
  const words = await Promise.all(
    (filter.words ?? []).map((word) => wordSource({ connection, dialect, limits }, word)),
  );
  if (words.some(({ hits }) => hits === 0)) return undefined;
  const [idBounds, takenBounds] = [idBoundsOf(filter), takenBoundsOf(filter)];
  const columns = columnConditions(filter);
  const wordTests = (filter.words ?? []).map((word) => wordTest(dialect, word));
  const tagTests = tags.flatMap(({ proves }) => (proves === undefined ? [] : [proves]));
  const taken = takenBounds.length === 0 ? [] : [sql('image_metadata.taken_at is not null')];
  const others = await countedSources(connection, filter, limits);
  return {
    rows: [...columns, ...tagTests, ...wordTests, ...taken],
    sources: [...tags, ...words, ...others].toSorted((a, b) => a.hits - b.hits),
    idBounds,
    takenBounds,
  };
}

// Times never decrease with the id, so a bound on the time is a bound on the id, found with one index seek.
const LAST_CREATED_UP_TO =
  'coalesce((select id from images where created_at <= ? order by created_at desc, id desc limit 1), 0)';
const FIRST_CREATED_FROM =
  'coalesce((select id from images where created_at >= ? order by created_at, id limit 1), 9223372036854775807)';

function idBoundsOf({ createdAfter, createdBefore }: SearchFilter): SearchConditions['idBounds'] {
  return [
    ...(createdAfter === undefined
      ? []
      : [(column: string) => sql(`${column} > ${LAST_CREATED_UP_TO}`, createdAfter.getTime())]),
    ...(createdBefore === undefined
      ? []
      : [(column: string) => sql(`${column} < ${FIRST_CREATED_FROM}`, createdBefore.getTime())]),
  ];
}

function takenBoundsOf({ takenAfter, takenBefore }: SearchFilter): SearchConditions['takenBounds'] {
  return [
    ...(takenAfter === undefined ? [] : [(column: string) => sql(`${column} > ?`, takenAfter.getTime())]),
    ...(takenBefore === undefined ? [] : [(column: string) => sql(`${column} < ?`, takenBefore.getTime())]),
  ];
}

function columnConditions({ mediaType, sha256 }: SearchFilter): readonly SqlFragment[] {
  return [
    ...(mediaType === undefined ? [] : [sql('images.media_type = ?', mediaType)]),
    ...(sha256 === undefined ? [] : [sql('images.sha256 = ?', sha256)]),
  ];
}

/** `undefined` if the catalog does not have one of the tags. */
async function tagSources(
  connection: Knex,
  tags: readonly string[],
  { fewHits }: SearchLimits,
): Promise<readonly Source[] | undefined> {
  if (tags.length === 0) return [];
  const asked = [...new Set(tags)];
  const rows: ReadonlyArray<{ readonly id: number | string; readonly images: number }> = await connection(
    'tags',
  )
    .select('id', 'images')
    .whereIn('fold', asked);
  if (rows.length < asked.length) return undefined;
  return rows.map(({ id, images }) => ({
    hits: Math.min(images, fewHits + 1),
    ids: sql('select image_id from image_tags where tag_id = ?', Number(id)),
    stream: {
      table: 'image_tags',
      id: 'image_tags.image_id',
      taken: 'image_tags.taken_sort',
      conditions: [sql('image_tags.tag_id = ?', Number(id))],
    },
    proves: sql(
      'exists (select 1 from image_tags tagged where tagged.tag_id = ? and tagged.image_id = images.id)',
      Number(id),
    ),
  }));
}

/** The words are stored with a space in front. */
function wordTest({ position }: SqlDialect, word: string): SqlFragment {
  return sql(`${position}(image_metadata.words, ?) > 0`, ` ${word}`);
}

/** Walks from word to word instead of reading their images; counts up to the limit. */
function wordsWithBeginning({ words, fewHits }: SearchLimits): string {
  return `
  with recursive found (word, number) as (
    select (select word from image_words where word >= ? and word < ? order by word limit 1), 1
    union all
    select (select word from image_words where word > found.word and word < ? order by word limit 1), number + 1
    from found where found.word is not null and number <= ${words}
  )
  select word, (select count(*) from (select 1 from image_words hits where hits.word = found.word
    limit ${fewHits + 1}) counted) as images
  from found where word is not null`;
}

interface Lookup {
  readonly connection: Knex;
  readonly dialect: SqlDialect;
  readonly limits: SearchLimits;
}

async function wordSource({ connection, dialect, limits }: Lookup, word: string): Promise<Source> {
  const first = indexedPart(word);
  const behind = first + LAST_CHARACTER;
  const found = await rowsOf<{ readonly word: string; readonly images: number | string }>(
    connection,
    sql(wordsWithBeginning(limits), first, behind, behind),
  );
  if (found.length > limits.words)
    return {
      hits: limits.fewHits + 1,
      ids: sql('select image_id from image_words where word >= ? and word < ?', first, behind),
    };
  const hits = found.reduce((sum, { images }) => sum + Number(images), 0);
  const isWhole = first === word;
  return {
    hits: Math.min(hits, limits.fewHits + 1),
    ids: sql(
      `select image_id from image_words where word in (${found.map(() => '?').join(', ')})`,
      ...found.map((row) => row.word),
    ),
    ...(found.length === 1 && { stream: streamOf(found[0]?.word ?? '') }),
    ...(isWhole && { proves: wordTest(dialect, word) }),
  };
}

function streamOf(word: string): Stream {
  return {
    table: 'image_words',
    id: 'image_words.image_id',
    taken: undefined,
    conditions: [sql('image_words.word = ?', word)],
  };
}

/** Indexes of columns, each counted up to the limit. */
async function countedSources(
  connection: Knex,
  filter: SearchFilter,
  { fewHits }: SearchLimits,
): Promise<readonly Source[]> {
  const { mediaType, sha256 } = filter;
  const [idBounds, takenBounds] = [idBoundsOf(filter), takenBoundsOf(filter)];
  const found = [
    ...(mediaType === undefined
      ? []
      : [sql('select id as image_id from images where media_type = ?', mediaType)]),
    ...(sha256 === undefined ? [] : [sql('select id as image_id from images where sha256 = ?', sha256)]),
    ...(idBounds.length === 0
      ? []
      : [
          idsWhere(
            'select id as image_id from images where',
            idBounds.map((bound) => bound('id')),
          ),
        ]),
    ...(takenBounds.length === 0
      ? []
      : [
          idsWhere(
            'select image_id from image_metadata where',
            takenBounds.map((bound) => bound('taken_sort')),
          ),
        ]),
  ];
  if (found.length === 0) return [];
  const counts = found.map((ids, at) =>
    sql(
      `(select count(*) from (select 1 from (${ids.sql}) hits limit ${fewHits + 1}) counted) as c${at}`,
      ...ids.bindings,
    ),
  );
  const list = joined(counts, ', ');
  const [row] = await rowsOf<Readonly<Record<string, number | string>>>(
    connection,
    sql(`select ${list.sql}`, ...list.bindings),
  );
  return found.map((ids, at) => ({ hits: Number(row?.[`c${at}`]), ids }));
}

function idsWhere(select: string, conditions: readonly SqlFragment[]): SqlFragment {
  const condition = allOf(conditions);
  return sql(`${select} ${condition.sql}`, ...condition.bindings);
}
