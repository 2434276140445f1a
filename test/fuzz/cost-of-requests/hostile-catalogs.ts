import { createHash } from 'node:crypto';
import { link, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Knex } from 'knex';
import { SearchIndex } from '../../../src/adapters/sql/metadata/search-index.ts';
import { restoreImages } from '../../../src/adapters/sql/records/restore-images.ts';
import { putIntoTrash } from '../../../src/adapters/sql/trash/put-into-trash.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { ImageMetadata } from '../../../src/domain/image/image-metadata.ts';
import { NO_CAPTURE, NO_METADATA } from '../../../src/domain/image/image-metadata.ts';
import { Calendar } from '../../../src/domain/image/time/calendar.ts';
import type { ImportedImage } from '../../../src/domain/ports/records/image-repository.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import { withSegments } from '../../support/fixtures/embedded-chunks.ts';
import { LONGEST_TAGS } from '../../support/fixtures/longest-record.ts';
import { jpegPicture } from '../../support/fixtures/pictures.ts';
import { plantNames } from '../../support/fixtures/plant-names.ts';
import { jpegSegment } from '../../support/fixtures/raw-pictures.ts';
import { tinyPng } from '../../support/fixtures/tiny-pictures.ts';
import { TEXT_KINDS } from './hostile-texts.ts';

/** Images of one space, whose ids follow each other. */
export interface FilledSpace {
  readonly space: string;
  readonly firstId: number;
  readonly count: number;
}

export const CATALOGS = [
  'one-word',
  'shared-words',
  'long-records',
  'alike-tags',
  'named',
  'alike-names',
  'many-parts',
  'look-alikes',
  'trash',
  'everything',
  'neighbour',
] as const;

export type CatalogName = (typeof CATALOGS)[number];
export type HostileCatalogs = Readonly<Record<CatalogName, FilledSpace>>;

/** Each image of `shared-words` has all of them but one. */
export const SHARED_WORDS = ['ba', 'ca', 'da', 'fa', 'ga', 'ha'];
export const ALIKE_TAG = 't'.repeat(58);
/** Each image of `named` has as many as an image may have: `planted-<id>-1` and so on. */
export const NAMES_OF_AN_IMAGE = 100;
/** Of all images of `one-word`. */
export const COMMON_DIGEST = 'c'.repeat(64);

const BATCH = 5_000;
const MAX_OF_AN_ARCHIVE = 5_000;
const MAX_LONG_RECORDS = 2_000;
const CREATED_AT = new Date('2026-01-31T12:00:00Z');
const A_DAY_MS = 86_400_000;
const CAPTURE = { ...NO_CAPTURE, takenAt: CREATED_AT.toISOString(), make: 'Canon', lens: 'Canon' };
const PICTURE = tinyPng(7);
/** As many as a file may have: with a comment each. */
const PARTS = 45_000;
const MANY_PARTS = await jpegOfManyParts();

/** Hashes come in random order: the pages of their index stay in the cache. */
const FOR_SPEED = ['pragma cache_size = -500000', 'pragma wal_autocheckpoint = 50000'];

interface Kind {
  readonly countOf: (images: number) => number;
  readonly imageOf: (number: number) => Partial<ImportedImage>;
  /** Of each image; others have records alone. */
  readonly bytes?: Buffer;
}

const KINDS: Readonly<Record<CatalogName, Kind>> = {
  // All of one second, with the same word, tag and bytes.
  'one-word': {
    countOf: (images) => images,
    imageOf: () => ({
      originalName: 'same.jpg',
      sha256: COMMON_DIGEST,
      metadata: described({ title: 'same', tags: ['same'] }),
    }),
  },
  // Each on a day of its own.
  'shared-words': {
    countOf: (images) => images,
    imageOf: (number) => ({
      metadata: described({
        title: SHARED_WORDS.filter((_, at) => at !== number % SHARED_WORDS.length).join(' '),
        capture: { ...CAPTURE, takenAt: new Date(CREATED_AT.getTime() - number * A_DAY_MS).toISOString() },
      }),
    }),
  },
  'long-records': { countOf: (images) => between(20, images / 50, MAX_LONG_RECORDS), imageOf: longRecord },
  'alike-tags': {
    countOf: (images) => between(20, images / 100, 100),
    imageOf: (number) => ({
      metadata: described({
        tags: Array.from({ length: 100 }, (_, at) => ALIKE_TAG + String(number * 100 + at).padStart(6, '0')),
      }),
    }),
  },
  named: { countOf: (images) => between(10, images / 100, 1_000), imageOf: () => ({}), bytes: PICTURE },
  // Names of 251 bytes that differ in three, each twice: an archive numbers them.
  'alike-names': {
    countOf: (images) => Math.min(images, MAX_OF_AN_ARCHIVE),
    imageOf: (number) => ({
      originalName: `${'n'.repeat(248)}${((number >> 1) % 46_656).toString(36).padStart(3, '0')}`,
    }),
    bytes: PICTURE,
  },
  // Their clean originals leave out as many comments.
  'many-parts': {
    countOf: () => 20,
    imageOf: () => ({ mediaType: 'image/jpeg', size: MANY_PARTS.length, width: 16, height: 12 }),
    bytes: MANY_PARTS,
  },
  'look-alikes': { countOf: (images) => between(100, images / 5, images), imageOf: lookAlike },
  trash: { countOf: (images) => between(100, images / 50, MAX_LONG_RECORDS), imageOf: longRecord },
  everything: {
    countOf: (images) => Math.ceil(images / 2),
    // Long ones are few: each takes 50 KB.
    imageOf: (number) =>
      number % 100 === 0
        ? longRecord(number)
        : { ...lookAlike(number), metadata: described({ title: 'same ba ca da', tags: ['same'] }) },
  },
  neighbour: { countOf: () => 100, imageOf: () => ({}), bytes: PICTURE },
};

/** @param images of the largest spaces */
export async function fillCatalogs(knex: Knex, blobFolder: string, images: number): Promise<HostileCatalogs> {
  for (const pragma of FOR_SPEED) await knex.raw(pragma);
  const filled: Partial<Record<CatalogName, FilledSpace>> = {};
  let firstId = 1;
  for (const name of CATALOGS) {
    const count = Math.round(KINDS[name].countOf(images));
    filled[name] = { space: name, firstId, count };
    await fillSpace(knex, name, filled[name]);
    const { bytes } = KINDS[name];
    if (bytes !== undefined) await linkBlobs(blobFolder, filled[name], bytes);
    firstId += count;
  }
  for (const name of ['named', 'neighbour'] as const) await nameAll(knex, filled[name]);
  // An image that is restored is not in the feed.
  await knex.raw(
    `insert into changes (number, kind, image_id, at, space)
      select id + (select max(number) from changes), 1, id, 0, space from images`,
  );
  await knex.raw('pragma wal_checkpoint(truncate)');
  return filled as HostileCatalogs;
}

async function fillSpace(knex: Knex, name: CatalogName, { firstId, count }: FilledSpace): Promise<void> {
  const index = new SearchIndex(new Calendar('UTC'));
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    const images = Array.from({ length }, (_, at) => imageOf(name, firstId, first + at));
    await knex.transaction(async (transaction) => {
      if (name !== 'trash') return await restoreImages(images, index, transaction);
      const trashed = images.map((image) => ({ ...image, trashedAt: CREATED_AT, trashedBy: null }));
      await putIntoTrash(trashed, transaction);
    });
  }
}

function imageOf(name: CatalogName, firstId: number, number: number): ImportedImage {
  const id = firstId + number;
  const sha256 = digestOf(id);
  return {
    id,
    uuid: uuidOf(id),
    originalName: `${id}.png`,
    mediaType: 'image/png',
    size: PICTURE.length,
    width: 2,
    height: 2,
    frames: 1,
    sha256,
    thumbhash: Buffer.from(sha256, 'latin1').subarray(0, 24).toString('base64'),
    createdAt: CREATED_AT,
    createdBy: null,
    space: name as string as Space,
    metadata: described({}),
    ...KINDS[name].imageOf(number),
  };
}

function described(metadata: Partial<ImageMetadata>): ImageMetadata {
  return { ...NO_METADATA, capture: CAPTURE, version: 1, updatedAt: null, ...metadata };
}

/** All texts at their limits, in another kind of text for each. */
function longRecord(number: number): Partial<ImportedImage> {
  const { make } = TEXT_KINDS[number % TEXT_KINDS.length] ?? {};
  return {
    originalName: `${'x'.repeat(251)}.png`,
    metadata: described({
      title: '😀'.repeat(200),
      description: make?.(5_000, number) ?? null,
      tags: LONGEST_TAGS,
    }),
  };
}

/** All of them are candidates for each other; every other one has a bit of its own. */
function lookAlike(number: number): Partial<ImportedImage> {
  const bit = number % 2 === 0 ? 0 : 1 << (number % 16);
  return {
    hashes: {
      dHash: [0x5a5a, 0x3c3c, 0x0ff0, 0x3333 ^ bit],
      pHash: [0x5a5a, 0x3c3c, 0x0ff0, 0x3333],
      meanColour: [100, 100, number % 200],
    },
  };
}

async function jpegOfManyParts(): Promise<Buffer> {
  const pair = Buffer.concat([jpegSegment(0xdd, [0, 0]), jpegSegment(0xfe, [0x20])]);
  return withSegments(await jpegPicture(16, 12), Array<Buffer>(PARTS).fill(pair));
}

async function linkBlobs(folder: string, { firstId, count }: FilledSpace, bytes: Buffer): Promise<void> {
  const source = join(folder, `picture-${firstId}`);
  await writeFile(source, bytes);
  for (let id = firstId; id < firstId + count; id += 1) {
    const path = join(folder, uuidOf(id).slice(0, 2), uuidOf(id));
    await mkdir(dirname(path), { recursive: true });
    await link(source, path);
  }
}

async function nameAll(knex: Knex, filled: FilledSpace | undefined): Promise<void> {
  const { firstId = 1, count = 0 } = filled ?? {};
  for (let id = firstId; id < firstId + count; id += 1) await plantNames(knex, id, NAMES_OF_AN_IMAGE);
}

export function digestOf(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex');
}

function uuidOf(id: number): BlobKey {
  const hex = digestOf(id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function between(least: number, number: number, most: number): number {
  return Math.max(least, Math.min(number, most));
}
