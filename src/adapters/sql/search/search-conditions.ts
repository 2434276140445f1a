import { conditionsBy } from '../../../domain/image/fields.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import { isUnfiltered, type SearchFilter } from '../../../domain/ports/records/image-search.ts';
import type { Space } from '../../../domain/space/space.ts';
import { hasSpace, inSpace, inSpaceById, orderInSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { join, listOf, type RowReader, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { indexedPart } from '../metadata/search-index.ts';
import { shownColumn } from '../rows/field-columns.ts';
import { mediaTypeNumber } from '../rows/image-columns.ts';
import { createdStream, idsIn, type RowTest, type Stream, takenStream } from './stream.ts';

/** They bound the work for a page; the results do not depend on them. */
export const SEARCH_LIMITS = {
  /** Up to this number of hits, a page collects and sorts them all. */
  fewHits: 2_000,
  /** Words with one beginning that are looked up one by one. */
  words: 16,
  /** Rows of a stream, or places of a shuffled catalog, that one statement tests for the other conditions. */
  portion: 5_000,
  /** Hits that are collected if the first portion does not fill the page. */
  collected: 20_000,
  /** A page ends when it has looked at so many; a multiple of `portion`. */
  candidates: 50_000,
};

export type SearchLimits = Readonly<typeof SEARCH_LIMITS>;

/** Behind all words with a beginning: no letter, mark or digit. */
const LAST_CHARACTER = '\u{10FFFF}';

/** An index that finds the images of one condition. */
export interface Source {
  /** Exact up to `SearchLimits.fewHits`. `Infinity` if it is not known at all. */
  readonly hits: number;
  readonly rows: Stream;
  /** Whether an image may have several rows. */
  readonly repeats: boolean;
  /** Whether the rows can be read in the order of the ids, and of the capture times if they have them. */
  readonly isStream: boolean;
  /** One of `SearchConditions.tests` that all images of the source pass. */
  readonly proves?: RowTest | undefined;
}

/** What a filter means in the tables. */
export interface SearchConditions {
  readonly space: Space;
  readonly dialect: SqlDialect;
  readonly tests: readonly RowTest[];
  readonly sources: readonly Source[];
  /** On the id of an image, whatever its column is called. */
  readonly idBounds: readonly Bound[];
  /** On `taken_sort`. */
  readonly takenBounds: readonly Bound[];
}

export type Bound = (column: string) => SqlFragment;

export interface SearchContext {
  readonly space: Space;
  readonly reader: RowReader;
  readonly dialect: SqlDialect;
  readonly limits: SearchLimits;
}

/**
 * Conditions of the images themselves have an index in the order of the ids, which is read without a count of them. `undefined` if there
 * are others.
 */
export function conditionsOfRecords(
  { space, dialect }: SearchContext,
  filter: SearchFilter,
): SearchConditions | undefined {
  if (!isOfRecords(filter)) return undefined;
  const [created, tests] = [createdStream(space, dialect), recordTests(filter, dialect)];
  const rows =
    tests.length === 0 ? created : { ...created, conditions: [hasSpace(space, 'images.space'), ...tests] };
  const source = { hits: Infinity, rows, repeats: false, isStream: true };
  const idBounds = idBoundsOf(space, filter);
  return { space, dialect, tests: [], sources: [source], idBounds, takenBounds: [] };
}

function isOfRecords(filter: SearchFilter): boolean {
  const { mediaType, sha256, createdBy, createdAfter: _after, createdBefore: _before, ...others } = filter;
  // Each condition has an index. With two of them, every row of one index would have to be tested for the other condition.
  return countOf(mediaType, sha256, createdBy) <= 1 && isUnfiltered(others);
}

function countOf(...conditions: ReadonlyArray<string | undefined>): number {
  return conditions.filter((condition) => condition !== undefined).length;
}

/** `undefined` if no image can match. */
export async function conditionsOf(
  context: SearchContext,
  filter: SearchFilter,
): Promise<SearchConditions | undefined> {
  const { space, reader, dialect } = context;
  const [idBounds, takenBounds] = [idBoundsOf(space, filter), takenBoundsOf(filter)];
  const isContradictory = filter.dated === false && takenBounds.length > 0;
  const tags = isContradictory ? undefined : await tagSources(reader, space, filter.tags ?? []);
  if (tags === undefined) return undefined;
  const words = await wordSources(context, wordsOf(filter));
  if (words.some(({ source }) => source.hits === 0)) return undefined;
  const columns = missingSources(context, filter);
  const counted = [...columns, ...columnSources(context, filter).map((rows) => ({ rows, isStream: false }))];
  const sources = [
    ...tags,
    ...words.map(({ source }) => source),
    ...(await countedSources(context, counted)),
  ];
  return {
    space,
    dialect,
    tests: [
      ...recordTests(filter, dialect).map((condition): RowTest => ({ table: 'images', condition })),
      ...[...tags, ...columns].flatMap(({ proves }) => proves ?? []),
      ...words.map(({ test }) => test),
      ...(takenBounds.length === 0 ? [] : [HAS_TIME]),
      ...atLeastTests(filter),
    ],
    sources: sources.toSorted((a, b) => (a.hits === b.hits ? 0 : a.hits - b.hits)),
    idBounds,
    takenBounds,
  };
}

function atLeastTests(filter: SearchFilter): readonly RowTest[] {
  return conditionsBy('atLeast', filter).map(({ of, condition }) => ({
    table: 'image_metadata',
    condition: sql`${raw(`image_metadata.${shownColumn(of)}`)} >= ${condition}`,
  }));
}

const HAS_TIME: RowTest = { table: 'image_metadata', condition: sql`image_metadata.taken_at is not null` };

/** Times never decrease with the id, so a bound on the time is a bound on the id, found with one index seek. */
function idBoundsOf(space: Space, { createdAfter, createdBefore }: SearchFilter): readonly Bound[] {
  const inside = inSpace(space, 'images.space');
  const lastUpTo = (time: Date): SqlFragment => sql`coalesce((select images.id from images
    where ${inside} and images.created_at <= ${time.getTime()}
    order by images.created_at desc, images.id desc limit 1), 0)`;
  const firstFrom = (time: Date): SqlFragment => sql`coalesce((select images.id from images
    where ${inside} and images.created_at >= ${time.getTime()}
    order by images.created_at, images.id limit 1), 9223372036854775807)`;
  return betweenBounds(createdAfter && lastUpTo(createdAfter), createdBefore && firstFrom(createdBefore));
}

/** Exclusive, if they are there. */
function betweenBounds(low: SqlFragment | undefined, high: SqlFragment | undefined): readonly Bound[] {
  return [
    ...(low === undefined ? [] : [(column: string) => sql`${raw(column)} > ${low}`]),
    ...(high === undefined ? [] : [(column: string) => sql`${raw(column)} < ${high}`]),
  ];
}

function takenBoundsOf({ takenAfter, takenBefore }: SearchFilter): readonly Bound[] {
  const timeOf = (time: Date | undefined): SqlFragment | undefined => time && sql`${time.getTime()}`;
  return betweenBounds(timeOf(takenAfter), timeOf(takenBefore));
}

/**
 * Conditions on rows of `images`. A digest leaves few rows, a media type or an uploader perhaps all of the space. SQLite has no
 * statistics: if there are several conditions, the plus keeps it from the indexes of the media type and the uploader.
 */
function recordTests(
  { mediaType, sha256, createdBy }: SearchFilter,
  { unindexed }: SqlDialect,
): readonly SqlFragment[] {
  const plus = countOf(mediaType, sha256, createdBy) > 1 ? unindexed : '';
  return [
    ...(sha256 === undefined ? [] : [hasSha256(sha256)]),
    ...(createdBy === undefined ? [] : [isCreatedBy(createdBy, plus)]),
    ...(mediaType === undefined ? [] : [hasMediaType(mediaType, plus)]),
  ];
}

function hasMediaType(mediaType: MediaType, plus = ''): SqlFragment {
  return sql`${raw(plus)}images.media_type = ${mediaTypeNumber(mediaType)}`;
}

function isCreatedBy(createdBy: string, plus = ''): SqlFragment {
  return sql`${raw(plus)}images.created_by = ${createdBy}`;
}

/** An index has the first bytes of digests alone. */
function hasSha256(sha256: string): SqlFragment {
  const digest = Buffer.from(sha256, 'hex');
  return sql`substr(images.sha256, 1, 8) = ${digest.subarray(0, 8)} and images.sha256 = ${digest}`;
}

/** `undefined` if the space does not have one of the tags. */
async function tagSources(
  reader: RowReader,
  space: Space,
  tags: readonly string[],
): Promise<readonly Source[] | undefined> {
  if (tags.length === 0) return [];
  const asked = [...new Set(tags)];
  const rows = await reader.rows<{ readonly id: number; readonly images: number }>(
    sql`select id, images from tags where ${inSpace(space, 'tags.space')} and fold in (${listOf(asked)})`,
  );
  if (rows.length < asked.length) return undefined;
  return rows.map(({ id, images }) => ({
    hits: images,
    repeats: false,
    isStream: true,
    rows: {
      table: 'image_tags',
      id: 'image_tags.image_id',
      taken: 'image_tags.taken_sort',
      conditions: [sql`image_tags.tag_id = ${id}`],
    },
    proves: { table: 'image_tags', condition: sql`tagged.tag_id = ${id}` },
  }));
}

/** Words as they stand in the index: the words of a field filter have its mark. */
function wordsOf({ words = [], ...conditions }: SearchFilter): readonly string[] {
  const marked = conditionsBy('words', conditions).flatMap(({ mark, condition }) =>
    condition.map((word) => mark + word),
  );
  return [...words, ...marked];
}

interface Word {
  readonly source: Source;
  readonly test: RowTest;
}

/** One statement looks all of them up. */
async function wordSources(context: SearchContext, words: readonly string[]): Promise<readonly Word[]> {
  if (words.length === 0) return [];
  const { reader, limits } = context;
  const ranges = words.map((word) => rangeOf(context, word));
  const selects = ranges.map(
    (range, at) => sql`select * from (select ${raw(String(at))} as place, id, images from words
      where ${range} order by word limit ${limits.words + 1}) found`,
  );
  const found = await reader.rows<IndexedWord>(join(selects, ' union all '));
  return words.map((word, at) => {
    const some = found.filter(({ place }) => place === at);
    const range = ranges[at] as SqlFragment;
    return wordFrom(context, word, some.length > limits.words ? broadSource(range) : narrowSource(some));
  });
}

/** Of all words with a beginning. */
function rangeOf({ space }: SearchContext, word: string): SqlFragment {
  const first = indexedPart(word);
  const inside = inSpace(space, 'words.space');
  return sql`${inside} and words.word >= ${first} and words.word < ${first + LAST_CHARACTER}`;
}

function wordFrom({ dialect }: SearchContext, word: string, source: Source): Word {
  // The words are stored with a blank in front.
  const test: RowTest = {
    table: 'image_metadata',
    condition: sql`${raw(dialect.position)}(image_metadata.words, ${` ${word}`}) > 0`,
  };
  return { source: indexedPart(word) === word ? { ...source, proves: test } : source, test };
}

interface IndexedWord {
  /** In the list of the words that are looked up. */
  readonly place: number;
  readonly id: number;
  readonly images: number;
}

const LINKED_WORDS = { table: 'image_words', id: 'image_words.image_id', taken: undefined } as const;

/** A beginning of few words, or of none. */
function narrowSource(words: readonly IndexedWord[]): Source {
  const ids = words.map(({ id }) => id);
  const condition = sql`image_words.word_id in (${listOf(ids)})`;
  return {
    hits: words.reduce((sum, { images }) => sum + images, 0),
    repeats: ids.length > 1,
    rows: { ...LINKED_WORDS, conditions: [condition] },
    isStream: ids.length === 1,
  };
}

/** A beginning of too many words to look them up. */
function broadSource(range: SqlFragment): Source {
  const condition = sql`image_words.word_id in (select words.id from words where ${range})`;
  const rows = { ...LINKED_WORDS, conditions: [condition] };
  return { hits: Infinity, repeats: true, rows, isStream: false };
}

type Uncounted = Omit<Source, 'hits' | 'repeats'>;

/** Images that lack something have an index in the order of the ids. */
function missingSources({ space, dialect }: SearchContext, filter: SearchFilter): readonly Uncounted[] {
  return conditionsBy('missing', filter).map(({ of }) => {
    const condition = raw(`image_metadata.${shownColumn(of)} is null`);
    const spaceColumn = 'image_metadata.space';
    const rows = {
      table: 'image_metadata',
      id: 'image_metadata.image_id',
      taken: undefined,
      conditions: [inSpaceById(space, spaceColumn, dialect), condition],
      leading: orderInSpace(space, spaceColumn, []),
    };
    return { rows, isStream: true, proves: { table: 'image_metadata', condition } };
  });
}

/** Indexes of columns. */
function columnSources({ space, dialect }: SearchContext, filter: SearchFilter): readonly Stream[] {
  const { mediaType, sha256, createdBy } = filter;
  const ids = idBoundsOf(space, filter).map((bound) => bound('images.id'));
  const times = takenBoundsOf(filter).map((bound) => bound('image_metadata.taken_sort'));
  const [created, taken] = [createdStream(space, dialect), takenStream(space)];
  const inside = hasSpace(space, 'images.space');
  return [
    ...(mediaType === undefined ? [] : [{ ...created, conditions: [inside, hasMediaType(mediaType)] }]),
    ...(sha256 === undefined ? [] : [{ ...created, conditions: [inside, hasSha256(sha256)] }]),
    ...(createdBy === undefined ? [] : [{ ...created, conditions: [inside, isCreatedBy(createdBy)] }]),
    ...(ids.length === 0 ? [] : [{ ...created, conditions: [...created.conditions, ...ids] }]),
    ...(times.length === 0 ? [] : [{ ...taken, conditions: [...taken.conditions, ...times] }]),
  ];
}

/** Each counted up to the limit. */
async function countedSources(
  { reader, limits: { fewHits } }: SearchContext,
  sources: readonly Uncounted[],
): Promise<readonly Source[]> {
  const streams = sources.map(({ rows }) => rows);
  const hits = await countRows(reader, streams, fewHits + 1);
  return sources.map((source, at) => ({ ...source, hits: hits[at] ?? 0, repeats: false }));
}

export async function hasAtMost(hits: number, reader: RowReader, stream: Stream): Promise<boolean> {
  const [counted = 0] = await countRows(reader, [stream], hits + 1);
  return counted <= hits;
}

/** Of each stream, up to this number. */
async function countRows(
  reader: RowReader,
  streams: readonly Stream[],
  upTo: number,
): Promise<readonly number[]> {
  if (streams.length === 0) return [];
  const counts = streams.map((stream, at) => {
    const some = sql`select 1 from (${idsIn(stream)}) hits limit ${upTo}`;
    return sql`(select count(*) from (${some}) counted) as ${raw(`c${at}`)}`;
  });
  const [row] = await reader.rows<Readonly<Record<string, number>>>(sql`select ${join(counts, ', ')}`);
  return streams.map((_, at) => Number(row?.[`c${at}`]));
}
