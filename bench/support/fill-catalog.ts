import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { dialectOf } from '../../src/adapters/sql/database/dialect-of.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import {
  openPostgresDatabase,
  type PostgresConnection,
} from '../../src/adapters/sql/postgres/postgres-database.ts';
import { SearchIndex } from '../../src/adapters/sql/search/search-index.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { type ImageMetadata, NO_CAPTURE, NO_METADATA } from '../../src/domain/image/metadata.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import type { PostgresServer } from '../../test/support/servers/postgres-server.ts';

/** Records per statement. */
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

/**
 * Makes a catalog of records without blobs. The repository is not used, because it inserts one record per statement: at
 * 0.3 ms of CPU each, a million takes minutes. One statement per 10,000 records takes a fifth of that.
 */
export async function fillCatalog(
  folder: string,
  size: number,
  takenMsOf: TakenMsOf = anyTimeOfTwentyYears,
): Promise<Catalog> {
  const catalog = { folder, size, firstCreatedAt: Date.now() - size * 1000, env: {} };
  const database = openSqliteDatabase(join(folder, 'catalog.sqlite'));
  try {
    await migrate(database, migrationSource);
    for (const pragma of FOR_SPEED) await database.raw(pragma);
    await insertAll(database, SQLITE_INSERT, catalog);
    await describeAll(database, catalog, takenMsOf);
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
    await insertAll(database, POSTGRES_INSERT, catalog);
    await describeAll(database, catalog, anyTimeOfTwentyYears);
    // Otherwise autovacuum would run during the measurement.
    await database.raw('vacuum analyze');
  } finally {
    await database.destroy();
  }
  return { ...catalog, connection };
}

async function insertAll(database: Knex, insert: string, { size, firstCreatedAt }: Catalog): Promise<void> {
  for (let first = 1; first <= size; first += BATCH) {
    const count = Math.min(BATCH, size - first + 1);
    const rows = Array.from({ length: count }, (_, index) => rowOf(first + index, firstCreatedAt));
    await database.raw(insert, [JSON.stringify(rows)]);
  }
}

/** Through the index of the service, so that the catalog is as the service would have made it. */
async function describeAll(database: Knex, catalog: Catalog, takenMsOf: TakenMsOf): Promise<void> {
  const index = new SearchIndex(dialectOf(database), new Calendar('UTC'));
  for (let first = 1; first <= catalog.size; first += BATCH) {
    const count = Math.min(BATCH, catalog.size - first + 1);
    const ids = Array.from({ length: count }, (_, at) => first + at);
    await index.write(
      database,
      ids.map((id) => ({
        after: {
          record: { id, originalName: nameOf(id), createdAt: createdAtOf(catalog, id) },
          metadata: metadataOf(id, takenMsOf),
        },
      })),
    );
  }
  await database('finding_state').update({ filled_up_to: catalog.size });
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

const COLUMNS = 'uuid, original_name, media_type, size, width, height, sha256, thumbhash, created_at';

const SQLITE_INSERT = `
  insert into images (${COLUMNS})
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, 4000, 3000, value ->> 4, value ->> 5, value ->> 6
  from json_each(?)`;

const POSTGRES_INSERT = `
  insert into images (${COLUMNS})
  select (value ->> 0)::uuid, value ->> 1, value ->> 2, (value ->> 3)::bigint, 4000, 3000, value ->> 4, value ->> 5,
    (value ->> 6)::bigint
  from json_array_elements(?::json)`;

function rowOf(id: number, firstCreatedAt: number): readonly (string | number)[] {
  const sha256 = sha256Of(id);
  return [
    uuidOf(sha256),
    nameOf(id),
    id % PNG_EVERY === 0 ? 'image/png' : 'image/jpeg',
    100_000 + (id % 7_919) * 100,
    sha256,
    Buffer.from(sha256, 'latin1').subarray(0, 24).toString('base64'),
    firstCreatedAt + (id - 1) * 1000,
  ];
}

function uuidOf(hex: string): string {
  const part = (start: number, end: number): string => hex.slice(start, end);
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}
