import type { Knex } from 'knex';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import {
  type Columns,
  type FilledImage,
  IMAGE_COLUMNS,
  indexedWords,
  METADATA_COLUMNS,
  tagsIn,
  type Values,
  wordsIn,
} from './old-images.ts';

/** What is counted of an image. */
type Counted = Pick<FilledImage, 'id' | 'words' | 'tags' | 'takenDay'>;

interface NextMetadata {
  readonly image_id: number;
  readonly taken_day: number;
  readonly tags: string | null;
  readonly words: string;
}

interface NumberedRow {
  readonly id: number;
  readonly name: string;
}

interface Numbers {
  readonly words: ReadonlyMap<string, number>;
  readonly tags: ReadonlyMap<string, number>;
}

const BANDS = [0, 1, 2, 3];
const APPEARANCE_COLUMNS = [
  'image_id',
  ...['dhash_without', 'dhash', 'phash'].flatMap((name) => BANDS.map((band) => `${name}_${band}`)),
  'mean_colour',
  'flat',
].join(', ');

/**
 * The tables that are filled, in the form that migration 0009 has made. Later versions of the service write another form, so this one
 * stays as it is. All images are in the common space, which has the number 0.
 */
export class NextTables {
  constructor(
    private readonly dialect: SqlDialect,
    private readonly transaction: Knex,
  ) {}

  async highestId(): Promise<number> {
    const [row] = await rowsOf<{ readonly id: number | null }>(
      this.transaction,
      sql('select max(id) as id from next_images'),
    );
    return row?.id ?? 0;
  }

  /** None of them is there. */
  async add(images: readonly FilledImage[]): Promise<void> {
    if (images.length === 0) return;
    await this.addRows(images);
    const { words, tags } = await this.count(images, 1);
    await this.run(
      `insert into next_image_words (word_id, image_id)
      select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint) from ${this.dialect.jsonRows}`,
      wordPairs(images, words),
    );
    await this.run(
      `insert into next_image_tags (tag_id, image_id, taken_sort)
      select cast(value ->> 0 as bigint), image_id, taken_sort
      from ${this.dialect.jsonRows} join next_image_metadata on image_id = cast(value ->> 1 as bigint)`,
      tagPairs(images, tags),
    );
  }

  private async addRows(images: readonly FilledImage[]): Promise<void> {
    const { dialect } = this;
    const { jsonRows } = dialect;
    const columns = IMAGE_COLUMNS.map(([, type], at) => {
      if (type === 'bytes') return dialect.bytesOfHex(`value ->> ${at}`);
      return type === 'uuid' ? dialect.uuidOfHex(`value ->> ${at}`) : cast(at, type);
    });
    await this.run(
      `insert into next_images (${namesOf(IMAGE_COLUMNS)}, space) select ${columns.join(', ')}, 0 from ${jsonRows}`,
      images.map(({ record }) => record),
    );
    await this.run(
      `insert into next_image_metadata (${namesOf(METADATA_COLUMNS)}, space)
      select ${METADATA_COLUMNS.map(([, type], at) => cast(at, type)).join(', ')}, 0 from ${jsonRows}`,
      images.map(({ metadata }) => metadata),
    );
    await this.run(
      `insert into next_image_appearances (${APPEARANCE_COLUMNS}, space) select ${APPEARANCE_COLUMNS}, 0
      from image_appearances where image_id in (select cast(value ->> 0 as bigint) from ${jsonRows})`,
      images.map(({ id }) => [id]),
    );
    await this.countImages(
      1,
      images.map(({ id }) => id),
    );
  }

  /** Skips those that are not there. */
  async remove(ids: readonly number[]): Promise<void> {
    const rows: readonly NextMetadata[] = await this.transaction('next_image_metadata')
      .select('image_id', 'taken_day', 'tags', 'words')
      .whereIn('image_id', [...ids]);
    const images = rows.map(countedFrom);
    const { words, tags } = await this.count(images, -1);
    await this.removePairs('next_image_words', 'word_id', wordPairs(images, words));
    await this.removePairs('next_image_tags', 'tag_id', tagPairs(images, tags));
    await this.removeUncounted('next_words', words);
    await this.removeUncounted('next_tags', tags);
    await this.transaction('next_timeline_days').delete().where('images', '<=', 0);
    await this.countImages(-1, ids);
    await this.transaction('next_images')
      .delete()
      .whereIn('id', [...ids]);
  }

  /** Resolves to the numbers of words and tags. */
  private async count(images: readonly Counted[], by: 1 | -1): Promise<Numbers> {
    const words = await this.run<NumberedRow>(
      `insert into next_words (space, word, images)
      select 0, value ->> 0, cast(value ->> 1 as integer) from ${this.dialect.jsonRows} where true
      on conflict (space, word) do update set images = next_words.images + excluded.images returning id, word as name`,
      countsOf(
        images.flatMap((image) => image.words),
        by,
      ),
    );
    // In the spelling of the catalog.
    const tags = await this.run<NumberedRow>(
      `insert into next_tags (space, fold, images, spelling)
      select 0, value ->> 0, cast(value ->> 1 as integer),
        coalesce((select spelling from tags where fold = value ->> 0), value ->> 0)
      from ${this.dialect.jsonRows} where true
      on conflict (space, fold) do update set images = next_tags.images + excluded.images returning id, fold as name`,
      countsOf(
        images.flatMap((image) => image.tags),
        by,
      ),
    );
    await this.run(
      `insert into next_timeline_days (space, day, images)
      select 0, cast(value ->> 0 as integer), cast(value ->> 1 as integer) from ${this.dialect.jsonRows} where true
      on conflict (space, day) do update set images = next_timeline_days.images + excluded.images`,
      countsOf(
        images.map(({ takenDay }) => takenDay),
        by,
      ),
    );
    return { words: numbersOf(words), tags: numbersOf(tags) };
  }

  private async countImages(by: 1 | -1, ids: readonly number[]): Promise<void> {
    await this.run(
      `update spaces set images = spaces.images + ${by} * counted.images, bytes = spaces.bytes + ${by} * counted.bytes
      from (
        select count(*) as images, coalesce(sum(size), 0) as bytes from next_images
        where id in (select cast(value ->> 0 as bigint) from ${this.dialect.jsonRows})
      ) as counted where id = 0`,
      ids.map((id) => [id]),
    );
  }

  private async removePairs(table: string, column: string, pairs: readonly Values[]): Promise<void> {
    await this.run(
      `delete from ${table} where (${column}, image_id) in
      (select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint) from ${this.dialect.jsonRows})`,
      pairs,
    );
  }

  private async removeUncounted(table: string, numbers: Numbers['words']): Promise<void> {
    await this.run(
      `delete from ${table} where images <= 0
      and id in (select cast(value ->> 0 as bigint) from ${this.dialect.jsonRows})`,
      [...numbers.values()].map((number) => [number]),
    );
  }

  async refreshStatistics(): Promise<void> {
    const tables = [
      'images',
      'image_metadata',
      'words',
      'image_words',
      'tags',
      'image_tags',
      'image_appearances',
    ];
    await this.dialect.refreshStatistics(
      this.transaction,
      tables.map((table) => `next_${table}`),
    );
  }

  private async run<Row>(statement: string, rows: readonly Values[]): Promise<readonly Row[]> {
    return await rowsOf<Row>(this.transaction, sql(statement, JSON.stringify(rows)));
  }
}

function wordPairs(images: readonly Counted[], words: Numbers['words']): readonly Values[] {
  return images.flatMap((image) => image.words.map((word) => [words.get(word) ?? null, image.id]));
}

function tagPairs(images: readonly Counted[], tags: Numbers['tags']): readonly Values[] {
  return images.flatMap((image) => image.tags.map((tag) => [tags.get(tag) ?? null, image.id]));
}

function countsOf(all: ReadonlyArray<string | number>, by: 1 | -1): readonly Values[] {
  const counts = new Map<string | number, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + by);
  return [...counts];
}

function numbersOf(rows: readonly NumberedRow[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ id, name }) => [name, id]));
}

function countedFrom({ image_id, taken_day, tags, words }: NextMetadata): Counted {
  return { id: image_id, takenDay: taken_day, tags: tagsIn(tags), words: indexedWords(wordsIn(words)) };
}

function namesOf(columns: Columns): string {
  return columns.map(([name]) => name).join(', ');
}

function cast(at: number, type: string): string {
  return `cast(value ->> ${at} as ${type})`;
}
