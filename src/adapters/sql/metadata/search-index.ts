import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { TooMuchMetadata } from '../../../domain/errors.ts';
import { WORD_FILTERS } from '../../../domain/image/fields.ts';
import type { ImageMetadata } from '../../../domain/image/image-metadata.ts';
import { searchableTexts } from '../../../domain/image/searchable-texts.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { foldTag, mergeTags } from '../../../domain/image/words/tags.ts';
import { indexWords } from '../../../domain/image/words/words.ts';
import { dialectOf } from '../database/dialect-of.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { tagsIn } from '../rows/field-columns.ts';
import {
  type DescribedRecord,
  METADATA_COLUMN_TYPES,
  type MetadataRow,
  metadataFromRow,
  metadataRowOf,
  takenSortOf,
} from '../rows/metadata-row.ts';
import {
  IndexedTerms,
  keyOf,
  TAGS,
  type Term,
  type TermCount,
  type TermLink,
  type Terms,
  WORDS,
} from './indexed-terms.ts';

/** The change of one image. */
export interface MetadataChange {
  /** `undefined` for a new image. */
  readonly before?: MetadataRow | undefined;
  /** `undefined` for an image that the caller removes afterwards, and its row with it. */
  readonly after?: { readonly record: DescribedRecord; readonly metadata: ImageMetadata } | undefined;
}

/** Counted while they are written: before that, their number is not known. */
export class WordBudget {
  private spent = 0;

  constructor(private readonly maxWords: number) {}

  /** @throws {TooMuchMetadata} */
  spend(words: number): void {
    this.spent += words;
    if (this.spent > this.maxWords) throw new TooMuchMetadata(this.maxWords);
  }
}

/**
 * Writes metadata and all that is derived from it, in a few statements for any number of images of any spaces. The caller holds the
 * lock of `SqlDialect.lockChanges`.
 */
export class SearchIndex {
  private readonly words = new IndexedTerms(WORDS);
  private readonly tags = new IndexedTerms(TAGS);

  constructor(private readonly calendar: Calendar) {}

  /**
   * Resolves to the new rows, in the order of the changes; `undefined` for removed images.
   *
   * @throws {TooMuchMetadata} if the budget is spent
   */
  async write(
    transaction: Knex,
    changes: readonly MetadataChange[],
    budget?: WordBudget,
  ): Promise<ReadonlyArray<MetadataRow | undefined>> {
    if (changes.length === 1) return await this.writePortion(transaction, changes, budget);
    const rows: (MetadataRow | undefined)[] = [];
    for (const portion of portionsOf(changes)) {
      rows.push(...(await this.writePortion(transaction, portion, budget)));
    }
    return rows;
  }

  private async writePortion(
    transaction: Knex,
    changes: readonly MetadataChange[],
    budget: WordBudget | undefined,
  ): Promise<ReadonlyArray<MetadataRow | undefined>> {
    const tags = await this.countTags(transaction, changes);
    const written = changes.map((change) => this.writtenOf(change, tags));
    for (const { words } of written) budget?.spend(words.added.length + words.gone.length);
    await this.writeRows(transaction, written);
    await this.writeWords(transaction, written);
    await this.writeImageTags(transaction, written, tags);
    await this.writeDays(transaction, written);
    return written.map(({ after }) => after);
  }

  /** A tag that stays keeps its spelling. */
  private writtenOf({ before, after }: MetadataChange, tags: Terms): Written {
    if (after === undefined) return { before, after, words: wordChanges({ before, after }) };
    const { record, metadata } = after;
    const known = new Map(tagsIn(before?.tags ?? null).map((tag) => [foldTag(tag), tag]));
    const spelled = mergeTags(metadata.tags).map(
      (tag) => known.get(foldTag(tag)) ?? tags.get(keyOf(record.spaceId, foldTag(tag)))?.spelling ?? tag,
    );
    const described = { ...metadata, tags: spelled };
    const words = wordChanges({ before, after: { record, metadata: described } });
    return { before, after: metadataRowOf(record, described, words.words, this.calendar), words };
  }

  /** Resolves to those that come or go, and to those of images that move to another time. */
  private async countTags(transaction: Knex, changes: readonly MetadataChange[]): Promise<Terms> {
    const counts = new Counts();
    for (const { before, after } of changes) {
      const space = before?.space ?? after?.record.spaceId ?? 0;
      const [old, now] = [tagsIn(before?.tags ?? null), mergeTags(after?.metadata.tags ?? [])];
      for (const tag of without(old, now)) counts.add(space, [foldTag(tag), tag], -1);
      for (const tag of without(now, old)) counts.add(space, [foldTag(tag), tag], 1);
      if (before === undefined || after === undefined || old.length === 0) continue;
      const isMoved = before.taken_sort !== takenSortOf(after.record, after.metadata, this.calendar);
      if (isMoved) for (const tag of now) counts.add(space, [foldTag(tag), tag], 0);
    }
    return await this.tags.count(transaction, counts);
  }

  private async writeRows(transaction: Knex, written: readonly Written[]): Promise<void> {
    const rows = written.flatMap(({ after }) => after ?? []);
    if (rows.length > 0) await rowsOf(transaction, upsertRows(rows, dialectOf(transaction)));
  }

  private async writeWords(transaction: Knex, written: readonly Written[]): Promise<void> {
    const changes = written.map((one) => ({ row: rowOf(one), terms: termChanges(one) }));
    const counts = new Counts();
    for (const { row, terms } of changes) {
      for (const term of terms.gone) counts.add(row.space, [term], -1);
      for (const term of terms.added) counts.add(row.space, [term], 1);
    }
    const words = await this.words.count(transaction, counts);
    const linksOf = (kind: 'added' | 'gone'): readonly TermLink[] =>
      changes.flatMap(({ row, terms }) => terms[kind].map((term) => [idOf(words, row, term), row.image_id]));
    await this.words.link(transaction, linksOf('added'));
    await this.words.unlink(transaction, linksOf('gone'));
    await this.words.removeUnused(transaction, words);
  }

  private async writeImageTags(transaction: Knex, written: readonly Written[], tags: Terms): Promise<void> {
    const [gone, present]: [TermLink[], TermLink[]] = [[], []];
    for (const one of written) {
      const { before, after } = one;
      const row = rowOf(one);
      const [old, now] = [tagsIn(before?.tags ?? null), tagsIn(after?.tags ?? null)];
      const linked = before?.taken_sort === after?.taken_sort ? without(now, old) : now;
      for (const tag of without(old, now)) gone.push([idOf(tags, row, foldTag(tag)), row.image_id]);
      for (const tag of linked) present.push([idOf(tags, row, foldTag(tag)), row.image_id, row.taken_sort]);
    }
    await this.tags.link(transaction, present);
    await this.tags.unlink(transaction, gone);
    await this.tags.removeUnused(transaction, tags);
  }

  private async writeDays(transaction: Knex, written: readonly Written[]): Promise<void> {
    const counts = new Map<string, [space: number, day: number, by: number]>();
    const count = ({ space, taken_day: day }: MetadataRow, by: number): void => {
      const [, , before] = counts.get(`${space} ${day}`) ?? [space, day, 0];
      counts.set(`${space} ${day}`, [space, day, before + by]);
    };
    for (const { before, after } of written) {
      if (before !== undefined) count(before, -1);
      if (after !== undefined) count(after, 1);
    }
    const changed = [...counts.values()].filter(([, , by]) => by !== 0);
    if (changed.length === 0) return;
    const { jsonRows } = dialectOf(transaction);
    const cells = sql`cast(value ->> 0 as integer), cast(value ->> 1 as integer)`;
    const days = await rowsOf<TimelineDay>(
      transaction,
      sql`insert into timeline_days (space, day, images) select ${cells}, cast(value ->> 2 as integer)
        from ${jsonRows(changed)} where true
        on conflict (space, day) do update set images = timeline_days.images + excluded.images
        returning space, day, images`,
    );
    const empty = days.filter(({ images }) => images <= 0).map(({ space, day }) => [space, day]);
    if (empty.length === 0) return;
    const those = sql`select ${cells} from ${jsonRows(empty)}`;
    await rowsOf(transaction, sql`delete from timeline_days where (space, day) in (${those})`);
  }
}

/** UTF-16 units of the texts that are split into words before the event loop goes on. One image may have twice as many. */
const LENGTH_AT_A_TIME = 12_000;

function portionsOf(changes: readonly MetadataChange[]): ReadonlyArray<readonly MetadataChange[]> {
  const portions: MetadataChange[][] = [];
  let left = 0;
  for (const change of changes) {
    const length = lengthOf(change);
    if (portions.length === 0 || length > left) {
      portions.push([]);
      left = LENGTH_AT_A_TIME;
    }
    portions.at(-1)?.push(change);
    left -= length;
  }
  return portions;
}

function lengthOf({ before, after }: MetadataChange): number {
  const texts = after === undefined ? [] : searchableTexts('', after.metadata);
  // The words are about as long as the texts that they are from.
  return texts.reduce((sum, text) => sum + text.length, before?.words.length ?? 0);
}

interface TimelineDay {
  readonly space: number;
  readonly day: number;
  readonly images: number;
}

/** Of a term that was counted. */
function idOf(terms: Terms, { space }: MetadataRow, term: string): number {
  return (terms.get(keyOf(space, term)) as Term).id;
}

/** By space and term. */
class Counts extends Map<string, TermCount> {
  add(space: number, texts: TermCount['texts'], by: number): void {
    const counted = this.get(keyOf(space, texts[0]));
    if (counted === undefined) this.set(keyOf(space, texts[0]), { space, texts, by });
    else counted.by += by;
  }
}

/** Tags whose folds others do not have. */
function without(tags: readonly string[], others: readonly string[]): readonly string[] {
  const folds = new Set(others.map(foldTag));
  return tags.filter((tag) => !folds.has(foldTag(tag)));
}

/** A change with the row of its image before or after it. */
interface Written {
  readonly before: MetadataRow | undefined;
  readonly after: MetadataRow | undefined;
  readonly words: WordChanges;
}

function rowOf({ before, after }: Written): MetadataRow {
  return (after ?? before) as MetadataRow;
}

/** Code points: indexes bound the length of a key. A search compares the rest of a longer word with the row. */
const INDEXED_LENGTH = 64;

export function indexedPart(word: string): string {
  return word.length <= INDEXED_LENGTH ? word : Array.from(word).slice(0, INDEXED_LENGTH).join('');
}

/** Several long words of an image may have one indexed part. */
function termChanges({ before, after, words }: Written): Pick<WordChanges, 'added' | 'gone'> {
  const isShared = [...words.added, ...words.gone].some(({ length }) => length >= INDEXED_LENGTH);
  const [earlier, later] = isShared ? [termsIn(before), termsIn(after)] : [NO_TERMS, NO_TERMS];
  return {
    added: [...new Set(words.added.map(indexedPart))].filter((term) => !earlier.has(term)),
    gone: [...new Set(words.gone.map(indexedPart))].filter((term) => !later.has(term)),
  };
}

const NO_TERMS: ReadonlySet<string> = new Set();

function termsIn(row: MetadataRow | undefined): ReadonlySet<string> {
  return row === undefined ? NO_TERMS : new Set(wordsIn(row).map(indexedPart));
}

/** The key is the first one. */
const COLUMNS = Object.keys(METADATA_COLUMN_TYPES) as Array<keyof MetadataRow>;

const VALUES = COLUMNS.map((name, at) => {
  const type = METADATA_COLUMN_TYPES[name];
  return type === 'text' ? `value ->> ${at}` : `cast(value ->> ${at} as ${type})`;
});

const INSERT_ROWS = raw(
  `insert into image_metadata (${COLUMNS.join(', ')}) select ${VALUES.join(', ')} from`,
);
const UPDATE_ROWS = raw(
  `on conflict (image_id) do update set ${COLUMNS.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`,
);

function upsertRows(rows: readonly MetadataRow[], { jsonRows }: SqlDialect): SqlFragment {
  const cells = rows.map((row) => COLUMNS.map((name) => row[name]));
  return sql`${INSERT_ROWS} ${jsonRows(cells)} where true ${UPDATE_ROWS}`;
}

interface WordChanges {
  /** As in the row of the image: each with a space in front. */
  readonly words: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/**
 * From the texts that come and go alone: an image may have thousands of words, and a request may change hundreds of images.
 */
function wordChanges({ before, after }: MetadataChange): WordChanges {
  const known = before === undefined ? [] : wordsIn(before);
  if (after === undefined) return { words: '', added: [], gone: known };
  const { originalName } = after.record;
  const texts = new Set(markedTexts(originalName, after.metadata));
  const former = new Set(before && markedTexts(originalName, metadataFromRow(before)));
  const gone = wordsOf(difference(former, texts));
  if (gone.size > 0) for (const text of texts) for (const word of KNOWN.memo(text)) gone.delete(word);
  const added = wordsOf(difference(texts, former));
  for (const word of known) added.delete(word);
  const kept = gone.size === 0 ? (before?.words ?? '') : asColumn(known.filter((word) => !gone.has(word)));
  return { words: kept + asColumn([...added]), added: [...added], gone: [...gone] };
}

/** Stands before the words that `q` finds, where the words of a filter have its mark. */
const NO_MARK = ' ';

/** Each text with the mark of its words in front. */
function markedTexts(originalName: string, metadata: ImageMetadata): readonly string[] {
  const marked = WORD_FILTERS.flatMap(({ of, mark }) =>
    of.flatMap((field) => {
      const text = metadata.capture[field];
      return typeof text === 'string' ? [mark + text] : [];
    }),
  );
  const searched = searchableTexts(originalName, metadata);
  return [...searched.map((text) => NO_MARK + text), ...marked];
}

function difference(texts: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...texts].filter((text) => !others.has(text));
}

function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...KNOWN.memo(text)]));
}

function markedWords(text: string): ReadonlySet<string> {
  const mark = text.charAt(0);
  const words = indexWords([text.slice(1)]);
  return mark === NO_MARK ? words : new Set([...words].map((word) => mark + word));
}

/** A request may write the same texts to hundreds of images. UTF-16 units of all of them; their words take up to 2 MB. */
const KNOWN = new LRUCache<string, ReadonlySet<string>>({
  maxSize: 64 * 1024,
  sizeCalculation: (_words, text) => text.length,
  memoMethod: markedWords,
});

function wordsIn({ words }: MetadataRow): readonly string[] {
  return words === '' ? [] : words.slice(1).split(' ');
}

function asColumn(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}
