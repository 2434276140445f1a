import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { TooMuchMetadata } from '../../../domain/errors.ts';
import { type ImageMetadata, searchableTexts } from '../../../domain/image/metadata.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { foldTag, mergeTags } from '../../../domain/image/words/tags.ts';
import { indexWords } from '../../../domain/image/words/words.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { tagsIn } from '../records/image-row.ts';
import { type DescribedRecord, type MetadataRow, metadataFromRow, metadataRowOf } from './metadata-row.ts';

/** The change of one image. */
export interface MetadataChange {
  /** `undefined` for a new image. */
  readonly before?: MetadataRow | undefined;
  /** `undefined` for a removed image. */
  readonly after?: { readonly record: DescribedRecord; readonly metadata: ImageMetadata } | undefined;
}

interface TagRow {
  readonly fold: string;
  readonly spelling: string;
}

/** Counted while they are written: how many words go is known to nobody before. */
export class WordBudget {
  private spent = 0;

  constructor(private readonly maxWords: number) {}

  /** @throws {TooMuchMetadata} */
  spend(words: number): void {
    this.spent += words;
    if (this.spent > this.maxWords) throw new TooMuchMetadata(this.maxWords);
  }
}

type Json = ReadonlyArray<string | number | null>;

/**
 * Writes metadata and all that is derived from it, in a few statements for any number of images. The caller holds the lock of
 * `SqlDialect.lockChanges`.
 */
export class SearchIndex {
  constructor(
    private readonly dialect: SqlDialect,
    private readonly calendar: Calendar,
  ) {}

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
    const spellings = await this.countTags(transaction, changes);
    const written = changes.map((change) => this.writtenOf(change, spellings));
    for (const { words } of written) budget?.spend(words.added.length + words.gone.length);
    await this.writeRows(transaction, written);
    await this.writeWords(transaction, written);
    await this.writeImageTags(transaction, written);
    await this.writeDays(transaction, written);
    return written.map(({ after }) => after);
  }

  /** A tag that stays keeps its spelling. */
  private writtenOf({ before, after }: MetadataChange, spellings: ReadonlyMap<string, string>): Written {
    if (after === undefined) return { before, after, words: wordChanges({ before, after }) };
    const { record, metadata } = after;
    const known = new Map(tagsIn(before?.tags ?? null).map((tag) => [foldTag(tag), tag]));
    const spelled = mergeTags(metadata.tags).map(
      (tag) => known.get(foldTag(tag)) ?? spellings.get(foldTag(tag)) ?? tag,
    );
    const described = { ...metadata, tags: spelled };
    const words = wordChanges({ before, after: { record, metadata: described } });
    return { before, after: metadataRowOf(record, described, words.words, this.calendar), words };
  }

  /** Resolves to the spellings of tags that come or go, by fold. */
  private async countTags(
    transaction: Knex,
    changes: readonly MetadataChange[],
  ): Promise<ReadonlyMap<string, string>> {
    const counts = new Map<string, { readonly spelling: string; by: number }>();
    const count = (tag: string, by: number): void => {
      const key = foldTag(tag);
      const counted = counts.get(key) ?? { spelling: tag, by: 0 };
      counted.by += by;
      counts.set(key, counted);
    };
    for (const { before, after } of changes) {
      const [old, now] = [tagsIn(before?.tags ?? null), mergeTags(after?.metadata.tags ?? [])];
      for (const tag of without(old, now)) count(tag, -1);
      for (const tag of without(now, old)) count(tag, 1);
    }
    if (counts.size === 0) return new Map();
    const rows = [...counts].map(([key, { spelling, by }]) => [key, spelling, by]);
    const found = await this.upsertTags(transaction, rows);
    return new Map(found.map((row) => [row.fold, row.spelling]));
  }

  private async upsertTags(transaction: Knex, rows: readonly Json[]): Promise<readonly TagRow[]> {
    return await this.run<TagRow>(
      transaction,
      `insert into tags (fold, spelling, images)
      select value ->> 0, value ->> 1, cast(value ->> 2 as integer) from ${this.dialect.jsonRows} where true
      on conflict (fold) do update set images = tags.images + excluded.images
      returning fold, spelling`,
      rows,
    );
  }

  private async writeRows(transaction: Knex, written: readonly Written[]): Promise<void> {
    const rows = written.flatMap(({ after }) => (after === undefined ? [] : [valuesOf(after)]));
    if (rows.length > 0) await this.run(transaction, upsertRows(this.dialect), rows);
    const removed = written.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [before.image_id] : [],
    );
    if (removed.length > 0) await transaction('image_metadata').delete().whereIn('image_id', removed);
  }

  private async writeWords(transaction: Knex, written: readonly Written[]): Promise<void> {
    const [gone, added]: [Json[], Json[]] = [[], []];
    for (const { before, after, words } of written) {
      const id = Number((after ?? before)?.image_id);
      for (const word of words.gone) gone.push([indexedPart(word), id]);
      for (const word of words.added) added.push([indexedPart(word), id]);
    }
    const { jsonRows } = this.dialect;
    if (gone.length > 0) {
      await this.run(
        transaction,
        `delete from image_words where (word, image_id) in
        (select value ->> 0, cast(value ->> 1 as bigint) from ${jsonRows})`,
        gone,
      );
    }
    if (added.length > 0) {
      await this.run(
        transaction,
        `insert into image_words (word, image_id)
        select value ->> 0, cast(value ->> 1 as bigint) from ${jsonRows} where true on conflict do nothing`,
        added,
      );
    }
  }

  private async writeImageTags(transaction: Knex, written: readonly Written[]): Promise<void> {
    const [gone, present]: [Json[], Json[]] = [[], []];
    for (const { before, after } of written) {
      const id = Number((after ?? before)?.image_id);
      const [old, now] = [tagsIn(before?.tags ?? null), tagsIn(after?.tags ?? null)];
      const isMoved = Number(before?.taken_sort) !== Number(after?.taken_sort);
      for (const tag of without(old, now)) gone.push([foldTag(tag), id]);
      for (const tag of isMoved ? now : without(now, old)) {
        present.push([foldTag(tag), id, Number(after?.taken_sort)]);
      }
    }
    const { jsonRows } = this.dialect;
    if (present.length > 0) {
      await this.run(
        transaction,
        `insert into image_tags (tag_id, image_id, taken_sort)
        select tags.id, cast(value ->> 1 as bigint), cast(value ->> 2 as bigint)
        from ${jsonRows} join tags on tags.fold = value ->> 0 where true
        on conflict (tag_id, image_id) do update set taken_sort = excluded.taken_sort`,
        present,
      );
    }
    if (gone.length === 0) return;
    await this.run(
      transaction,
      `delete from image_tags where (tag_id, image_id) in
      (select tags.id, cast(value ->> 1 as bigint) from ${jsonRows} join tags on tags.fold = value ->> 0)`,
      gone,
    );
    await transaction('tags').delete().where('images', '<=', 0);
  }

  private async writeDays(transaction: Knex, written: readonly Written[]): Promise<void> {
    const counts = new Map<number, number>();
    for (const { before, after } of written) {
      if (before !== undefined) counts.set(before.taken_day, (counts.get(before.taken_day) ?? 0) - 1);
      if (after !== undefined) counts.set(after.taken_day, (counts.get(after.taken_day) ?? 0) + 1);
    }
    const changed = [...counts].filter(([, by]) => by !== 0);
    if (changed.length === 0) return;
    await this.run(
      transaction,
      `insert into timeline_days (day, images)
      select cast(value ->> 0 as integer), cast(value ->> 1 as integer) from ${this.dialect.jsonRows} where true
      on conflict (day) do update set images = timeline_days.images + excluded.images`,
      changed,
    );
    if (changed.some(([, by]) => by < 0)) {
      await transaction('timeline_days').delete().where('images', '<=', 0);
    }
  }

  private async run<Row>(
    transaction: Knex,
    statement: string,
    rows: readonly Json[],
  ): Promise<readonly Row[]> {
    const result = await transaction.raw<readonly Row[] | { readonly rows: readonly Row[] }>(statement, [
      JSON.stringify(rows),
    ]);
    return 'rows' in result ? result.rows : result;
  }
}

/** Tags whose folds others do not have. */
function without(tags: readonly string[], others: readonly string[]): readonly string[] {
  const folds = new Set(others.map(foldTag));
  return tags.filter((tag) => !folds.has(foldTag(tag)));
}

interface Written {
  readonly before: MetadataRow | undefined;
  readonly after: MetadataRow | undefined;
  readonly words: WordChanges;
}

/** Code points: indexes bound the length of a key. A search compares the rest of a longer word with the row. */
const INDEXED_LENGTH = 64;

export function indexedPart(word: string): string {
  return word.length <= INDEXED_LENGTH ? word : Array.from(word).slice(0, INDEXED_LENGTH).join('');
}

/** In the order of `valuesOf`. */
const COLUMNS: ReadonlyArray<readonly [keyof MetadataRow, 'text' | 'bigint' | 'integer']> = [
  ['image_id', 'bigint'],
  ['version', 'integer'],
  ['title', 'text'],
  ['description', 'text'],
  ['tags', 'text'],
  ['taken_at', 'text'],
  ['own_taken_at', 'text'],
  ['capture', 'text'],
  ['taken_sort', 'bigint'],
  ['taken_day', 'integer'],
  ['words', 'text'],
  ['updated_at', 'bigint'],
];

function valuesOf(row: MetadataRow): Json {
  return COLUMNS.map(([name]) => row[name]);
}

function upsertRows({ jsonRows }: SqlDialect): string {
  const names = COLUMNS.map(([name]) => name);
  const values = COLUMNS.map(([, type], at) =>
    type === 'text' ? `value ->> ${at}` : `cast(value ->> ${at} as ${type})`,
  );
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  return `insert into image_metadata (${names.join(', ')}) select ${values.join(', ')} from ${jsonRows} where true
    on conflict (image_id) do update set ${updates.join(', ')}`;
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
  const texts = new Set(searchableTexts(after.record.originalName, after.metadata));
  const former = new Set(before && searchableTexts(after.record.originalName, metadataFromRow(before)));
  const gone = wordsOf(difference(former, texts));
  if (gone.size > 0) for (const text of texts) for (const word of wordsOfText(text)) gone.delete(word);
  const added = wordsOf(difference(texts, former));
  for (const word of known) added.delete(word);
  const kept = gone.size === 0 ? (before?.words ?? '') : asColumn(known.filter((word) => !gone.has(word)));
  return { words: kept + asColumn([...added]), added: [...added], gone: [...gone] };
}

function difference(texts: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...texts].filter((text) => !others.has(text));
}

function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...wordsOfText(text)]));
}

function wordsOfText(text: string): ReadonlySet<string> {
  return text.length <= MAX_KNOWN_LENGTH ? KNOWN.memo(text) : indexWords([text]);
}

/** UTF-16 code units: that of all tags. */
const MAX_KNOWN_LENGTH = 128;
/** A request may write the same tags to hundreds of images. */
const KNOWN = new LRUCache<string, ReadonlySet<string>>({
  max: 500,
  memoMethod: (text) => indexWords([text]),
});

function wordsIn({ words }: MetadataRow): readonly string[] {
  return words === '' ? [] : words.slice(1).split(' ');
}

function asColumn(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}
