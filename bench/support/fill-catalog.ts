import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { SearchIndex } from '../../src/adapters/sql/metadata/search-index.ts';
import {
  openPostgresDatabase,
  type PostgresConnection,
} from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { restoreImages } from '../../src/adapters/sql/records/restore-images.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import type { BlobKey } from '../../src/domain/image/blob-key.ts';
import type { ImageMetadata } from '../../src/domain/image/image-metadata.ts';
import { NO_CAPTURE, NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import type { ImportedImage } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import type { PostgresServer } from '../../test/support/servers/postgres-server.ts';

/** Records per transaction. */
const BATCH = 10_000;
/** Every tenth picture is a PNG. */
const PNG_EVERY = 10;

export interface Catalog {
  /** Working folder of a service. It has `catalog.sqlite` unless the records are on Postgres, and no blobs. */
  readonly folder: string;
  /** Settings by which a service finds the records. */
  readonly env: Readonly<Record<string, string>>;
  /** Number of records; their ids begin with 1. */
  readonly size: number;
  /** Epoch ms of the first record; the others follow one second apart. */
  readonly firstCreatedAt: number;
}

/** When the picture of an id was taken: epoch ms, or `null` if it does not say. */
export type TakenMsOf = (id: number) => number | null;

/** What the records of a catalog differ in. */
interface Records {
  readonly takenMsOf?: TakenMsOf;
  /** By default, all are in the common space. */
  readonly spaceOf?: (id: number) => Space;
}

/**
 * Makes a catalog of records without blobs. An upload inserts one record per statement: at 0.3 ms of CPU each, a million takes
 * minutes. An import takes many at once.
 */
export async function fillCatalog(folder: string, size: number, records: Records = {}): Promise<Catalog> {
  const catalog = { folder, size, firstCreatedAt: Date.now() - size * 1000, env: {} };
  const database = openSqliteDatabase(join(folder, 'catalog.sqlite'));
  try {
    await migrate(database, migrationSource);
    for (const pragma of FOR_SPEED) await database.raw(pragma);
    await recordAll(database, catalog, records);
  } finally {
    await database.destroy();
  }
  return catalog;
}

/** Like `fillCatalog`, in a new database of a Postgres server. */
export async function fillPostgresCatalog(
  server: PostgresServer,
  folder: string,
  size: number,
): Promise<Catalog & { readonly connection: PostgresConnection }> {
  const { connection, url } = await server.newCatalog();
  const catalog = { folder, size, firstCreatedAt: Date.now() - size * 1000, env: { DATABASE_URL: url } };
  const database = openPostgresDatabase(connection);
  try {
    await recordAll(database, catalog, {});
    // Otherwise autovacuum would run during the measurement.
    await database.raw('vacuum analyze');
  } finally {
    await database.destroy();
  }
  return { ...catalog, connection };
}

/** By the code of the service, so that the catalog is as the service would have made it. */
async function recordAll(database: Knex, catalog: Catalog, records: Records): Promise<void> {
  const index = new SearchIndex(new Calendar('UTC'));
  for (let first = 1; first <= catalog.size; first += BATCH) {
    const count = Math.min(BATCH, catalog.size - first + 1);
    const images = Array.from({ length: count }, (_, at) => imageOf(catalog, first + at, records));
    await database.transaction((transaction) => restoreImages(images, index, transaction));
  }
}

const MS_PER_YEAR = 365 * 86_400_000;
const FIRST_YEAR = Date.UTC(2004, 0, 1);

/** In no order; a tenth does not say. */
export function anyTimeOfTwentyYears(id: number): number | null {
  if (id % 10 === 1) return null;
  return FIRST_YEAR + ((id * 7_919_000_003) % (20 * MS_PER_YEAR));
}

/** Two words in a third of the titles, and tags of several frequencies. */
function metadataOf(id: number, takenMsOf: TakenMsOf): ImageMetadata {
  const takenMs = takenMsOf(id);
  const takenAt = takenMs === null ? null : new Date(takenMs).toISOString();
  return {
    ...NO_METADATA,
    title: id % 3 === 0 ? `Beach ${id % 2 === 0 ? 'at noon' : 'in the evening'}` : null,
    tags: [
      ...(id % 2 === 0 ? ['often'] : []),
      ...(id % 3 === 0 ? ['also'] : []),
      ...(id % 1_000 === 3 ? ['seldom'] : []),
    ],
    capture: { ...NO_CAPTURE, takenAt, make: 'Canon', model: 'EOS R5' },
    version: 1,
    updatedAt: null,
  };
}

function nameOf(id: number): string {
  return `holiday-${id}.jpg`;
}

export function sha256Of(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex');
}

export function createdAtOf({ firstCreatedAt }: Catalog, id: number): Date {
  return new Date(firstCreatedAt + (id - 1) * 1000);
}

/** Durability is not needed. Hashes arrive in random order, so the pages of their index should stay in the cache. */
const FOR_SPEED = [
  'pragma synchronous = off',
  'pragma cache_size = -500000',
  'pragma wal_autocheckpoint = 50000',
];

function imageOf(
  catalog: Catalog,
  id: number,
  { takenMsOf = anyTimeOfTwentyYears, spaceOf = () => COMMON_SPACE }: Records,
): ImportedImage {
  const sha256 = sha256Of(id);
  return {
    id,
    uuid: uuidOf(sha256),
    originalName: nameOf(id),
    mediaType: id % PNG_EVERY === 0 ? 'image/png' : 'image/jpeg',
    size: 100_000 + (id % 7_919) * 100,
    width: 4000,
    height: 3000,
    frames: 1,
    sha256,
    thumbhash: Buffer.from(sha256, 'latin1').subarray(0, 24).toString('base64'),
    createdAt: createdAtOf(catalog, id),
    createdBy: null,
    space: spaceOf(id),
    metadata: metadataOf(id, takenMsOf),
  };
}

function uuidOf(hex: string): BlobKey {
  const part = (start: number, end: number): string => hex.slice(start, end);
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}
