import type { SearchFilter } from '../../../domain/ports/records/image-search.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { allOf, join, type RowReader, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { indexedPart } from './search-index.ts';

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

export const SEARCH_LIMITS: SearchLimits = { fewHits: 2_000, words: 16, tested: 5_000, positions: 20_000 };

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
  /** For words and columns, at most one more than `SearchLimits.fewHits`. */
  readonly hits: number;
  /** A statement with one column. */
  readonly ids: SqlFragment;
  /** Whether `ids` may have an image twice. */
  readonly repeats: boolean;
  readonly stream?: Stream | undefined;
  /** One of `SearchConditions.tests` that all images of the source pass. */
  readonly proves?: RowTest | undefined;
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

/** What a filter means in the tables. */
export interface SearchConditions {
  readonly tests: readonly RowTest[];
  readonly sources: readonly Source[];
  /** On the id of an image, whatever its column is called. */
  readonly idBounds: ReadonlyArray<(column: string) => SqlFragment>;
  /** On `taken_sort`. */
  readonly takenBounds: ReadonlyArray<(column: string) => SqlFragment>;
}

export interface SearchContext {
  readonly reader: RowReader;
  readonly dialect: SqlDialect;
  readonly limits: SearchLimits;
}

/**
 * `undefined` if no image can match.
 *
 * @param needsHits `false` if the order is that of the only stream, so that nothing has to be chosen by hits
 */
export async function conditionsOf(
  { reader, dialect, limits }: SearchContext,
  filter: SearchFilter,
  needsHits = true,
): Promise<SearchConditions | undefined> {
  const isOnly = Object.values(filter).filter((condition) => condition !== undefined).length === 1;
  const hasOneWord = isOnly && filter.words?.length === 1;
  const lookup = { reader, dialect, limits, needsHits: needsHits || !hasOneWord };
  const tags = await tagSources(reader, filter.tags ?? []);
  if (tags === undefined) return undefined;
  const words: Word[] = [];
  // One after the other: a search occupies one connection.
  for (const word of filter.words ?? []) {
    const found = await wordSource(lookup, word);
    if (found.source.hits === 0) return undefined;
    words.push(found);
  }
  const [idBounds, takenBounds] = [idBoundsOf(filter), takenBoundsOf(filter)];
  const sources = [...tags, ...words.map(({ source }) => source)];
  const others = await countedSources(reader, filter, limits);
  return {
    tests: [
      ...columnTests(filter),
      ...tags.flatMap(({ proves }) => proves ?? []),
      ...words.map(({ test }) => test),
      ...(takenBounds.length === 0 ? [] : [HAS_TIME]),
    ],
    sources: [...sources, ...others].toSorted((a, b) => a.hits - b.hits),
    idBounds,
    takenBounds,
  };
}

const HAS_TIME: RowTest = { table: 'image_metadata', condition: sql('image_metadata.taken_at is not null') };

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

function columnTests({ mediaType, sha256 }: SearchFilter): readonly RowTest[] {
  const conditions = [
    ...(mediaType === undefined ? [] : [sql('images.media_type = ?', mediaType)]),
    ...(sha256 === undefined ? [] : [sql('images.sha256 = ?', sha256)]),
  ];
  return conditions.map((condition) => ({ table: 'images', condition }));
}

/** `undefined` if the catalog does not have one of the tags. */
async function tagSources(
  reader: RowReader,
  tags: readonly string[],
): Promise<readonly Source[] | undefined> {
  if (tags.length === 0) return [];
  const asked = [...new Set(tags)];
  const rows = await reader.rows<{ readonly id: number; readonly images: number }>(
    sql(`select id, images from tags where fold in (${asked.map(() => '?').join(', ')})`, ...asked),
  );
  if (rows.length < asked.length) return undefined;
  return rows.map(({ id, images }) => ({
    hits: images,
    repeats: false,
    ids: sql('select image_id from image_tags where tag_id = ?', id),
    stream: {
      table: 'image_tags',
      id: 'image_tags.image_id',
      taken: 'image_tags.taken_sort',
      conditions: [sql('image_tags.tag_id = ?', id)],
    },
    proves: { table: 'image_tags', condition: sql('tagged.tag_id = ?', id) },
  }));
}

/** The words are stored with a space in front. */
function wordTest({ position }: SqlDialect, word: string): RowTest {
  return { table: 'image_metadata', condition: sql(`${position}(image_metadata.words, ?) > 0`, ` ${word}`) };
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

interface Lookup extends SearchContext {
  readonly needsHits: boolean;
}

interface Word {
  readonly source: Source;
  readonly test: RowTest;
}

async function wordSource(lookup: Lookup, word: string): Promise<Word> {
  const { reader, dialect, limits, needsHits } = lookup;
  const test = wordTest(dialect, word);
  const first = indexedPart(word);
  const behind = first + LAST_CHARACTER;
  const found = await reader.rows<{ readonly word: string; readonly images: number }>(
    sql(wordsWithBeginning({ ...limits, fewHits: needsHits ? limits.fewHits : 0 }), first, behind, behind),
  );
  if (!needsHits && found.length > 1) return await wordSource({ ...lookup, needsHits: true }, word);
  if (found.length > limits.words) return { source: broadSource(limits, first, behind), test };
  const hits = found.reduce((sum, { images }) => sum + images, 0);
  const source = {
    hits: Math.min(hits, limits.fewHits + 1),
    repeats: found.length > 1,
    ids: sql(
      `select image_id from image_words where word in (${found.map(() => '?').join(', ')})`,
      ...found.map((row) => row.word),
    ),
    ...(found.length === 1 && { stream: streamOf(found[0]?.word ?? '') }),
    ...(first === word && { proves: test }),
  };
  return { source, test };
}

/** A beginning of too many words to look them up. */
function broadSource({ fewHits }: SearchLimits, first: string, behind: string): Source {
  return {
    hits: fewHits + 1,
    repeats: true,
    ids: sql('select image_id from image_words where word >= ? and word < ?', first, behind),
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
  reader: RowReader,
  filter: SearchFilter,
  { fewHits }: SearchLimits,
): Promise<readonly Source[]> {
  const found = columnSources(filter);
  if (found.length === 0) return [];
  const counts = found.map((ids, at) =>
    sql(
      `(select count(*) from (select 1 from (${ids.sql}) hits limit ${fewHits + 1}) counted) as c${at}`,
      ...ids.bindings,
    ),
  );
  const list = join(counts, ', ');
  const [row] = await reader.rows<Readonly<Record<string, number>>>(
    sql(`select ${list.sql}`, ...list.bindings),
  );
  return found.map((ids, at) => ({ hits: Number(row?.[`c${at}`]), ids, repeats: false }));
}

function columnSources(filter: SearchFilter): readonly SqlFragment[] {
  const { mediaType, sha256 } = filter;
  const ids = idBoundsOf(filter).map((bound) => bound('id'));
  const times = takenBoundsOf(filter).map((bound) => bound('taken_sort'));
  const images = 'select id as image_id from images where';
  return [
    ...(mediaType === undefined ? [] : [sql(`${images} media_type = ?`, mediaType)]),
    ...(sha256 === undefined ? [] : [sql(`${images} sha256 = ?`, sha256)]),
    ...(ids.length === 0 ? [] : [idsWhere(images, ids)]),
    ...(times.length === 0 ? [] : [idsWhere('select image_id from image_metadata where', times)]),
  ];
}

function idsWhere(select: string, conditions: readonly SqlFragment[]): SqlFragment {
  const condition = allOf(conditions);
  return sql(`${select} ${condition.sql}`, ...condition.bindings);
}
