import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Knex } from 'knex';
import { FilesystemBlobStore } from '../../../src/adapters/filesystem/filesystem-blob-store.ts';
import { STAGING_FOLDER } from '../../../src/adapters/filesystem/filesystem-staging-area.ts';
import { S3BlobStore } from '../../../src/adapters/s3/s3-blob-store.ts';
import { S3Bucket } from '../../../src/adapters/s3/s3-bucket.ts';
import type { BlobStorage } from '../../../src/domain/ports/bytes/blob-store.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type { ImageRecords } from '../../../src/domain/ports/records/image-repository.ts';
import { sqlPorts } from '../fixtures/sql-ports.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { PgBouncer } from '../servers/pg-bouncer.ts';
import { opened, PostgresServer } from '../servers/postgres-server.ts';
import { type S3Server, sharedS3Server } from '../servers/s3-server.ts';
import { newSqliteCatalog } from '../servers/sqlite-catalog.ts';

/** The storage of a service, empty at first, with access for the tests without the service. */
export interface TestStorage {
  /** The configuration of the service for this storage. */
  readonly environment: Readonly<Record<string, string>>;
  readonly images: ImageRecords;
  readonly blobs: BlobStorage;
  /** The names of staged files and of blobs without a record. */
  leftovers(): Promise<readonly string[]>;
  tearDown(): Promise<void>;
}

/** @param clock for records that a test adds without the service */
export type OpenStorage = (clock: Clock) => Promise<TestStorage>;

/** The storage of records. */
export interface TestRecords {
  readonly environment: Readonly<Record<string, string>>;
  readonly images: ImageRecords;
  tearDown(): Promise<void>;
}

/** The storage of bytes. */
export interface TestBlobs {
  readonly environment: Readonly<Record<string, string>>;
  readonly blobs: BlobStorage;
  /** The names of blobs and of staged files. */
  names(): Promise<readonly string[]>;
  tearDown(): Promise<void>;
}

export type OpenRecords = (clock: Clock) => Promise<TestRecords>;
export type OpenBlobs = () => Promise<TestBlobs>;

/** Combines a storage of records and one of bytes. */
export function storageOf(openRecords: OpenRecords, openBlobs: OpenBlobs): OpenStorage {
  return async (clock) => {
    const records = await openRecords(clock);
    const bytes = await openBlobs();
    return {
      environment: { ...records.environment, ...bytes.environment },
      images: records.images,
      blobs: bytes.blobs,
      leftovers: async () => {
        const names = await bytes.names();
        const recorded = await records.images.findUuidsAmong(names);
        return names.filter((name) => !recorded.has(name));
      },
      tearDown: async () => {
        await records.tearDown();
        await bytes.tearDown();
      },
    };
  };
}

/** A SQLite file in a temporary folder. */
export const openSqlite: OpenRecords = async (clock) => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  return recordsOf(`sqlite:${path}`, knex, clock, tearDown);
};

/** A new database of the Postgres server that the tests share. */
export const openPostgres: OpenRecords = async (clock) => {
  const server = await PostgresServer.shared();
  if (server === undefined) throw new Error('There is no Postgres server for this machine');
  return await openPostgresOn(server)(clock);
};

/** The same through PgBouncer in transaction mode. */
export const openPgBouncer: OpenRecords = async (clock) => {
  const bouncer = await PgBouncer.shared();
  if (bouncer === undefined) throw new Error('PgBouncer is not installed');
  return await openPostgresOn(bouncer)(clock);
};

/** A new database of a Postgres server. */
export function openPostgresOn(server: Pick<PostgresServer, 'newCatalog'>): OpenRecords {
  return async (clock) => {
    const { url, knex, tearDown } = opened(await server.newCatalog(), 1, 10);
    return recordsOf(url, knex, clock, tearDown);
  };
}

function recordsOf(url: string, knex: Knex, clock: Clock, tearDown: () => Promise<void>): TestRecords {
  return {
    environment: { DATABASE_URL: url },
    images: sqlPorts(knex, { clock }).images,
    tearDown,
  };
}

/** A blob folder and one of renditions, in a temporary folder. */
export const openFiles: OpenBlobs = async () => {
  const folder = await temporaryFolder();
  const blobFolder = join(folder.path, 'blobs');
  await mkdir(join(blobFolder, STAGING_FOLDER), { recursive: true });
  return {
    environment: {
      BLOB_STORE_URL: `file:${blobFolder}`,
      RENDITION_CACHE_URL: `file:${join(folder.path, 'renditions')}`,
    },
    blobs: new FilesystemBlobStore(blobFolder),
    names: async () => {
      const entries = await readdir(blobFolder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => basename(entry.name));
    },
    tearDown: () => folder.remove(),
  };
};

/**
 * A bucket for blobs and renditions.
 *
 * @param environment further settings of the service
 */
export function openBucketOf(
  server: S3Server,
  environment: Readonly<Record<string, string>> = {},
): OpenBlobs {
  return async () => {
    const staging = await temporaryFolder();
    const made = await server.makeBucket();
    const bucket = new S3Bucket(made.location);
    const blobs = new S3BlobStore(bucket);
    return {
      environment: {
        ...server.environment,
        BLOB_STORE_URL: made.url,
        STAGING_URL: `file:${staging.path}`,
        ...environment,
      },
      blobs,
      names: async () => [...(await namesIn(blobs)), ...(await readdir(staging.path))],
      tearDown: async () => {
        await bucket.close();
        await made.remove();
        await staging.remove();
      },
    };
  };
}

/** The same on the server that the tests share. */
export const openBucket: OpenBlobs = async () => {
  const server = await sharedS3Server();
  if (server === undefined) throw new Error('There is no S3 server for the tests');
  return await openBucketOf(server)();
};

async function namesIn(blobs: BlobStorage): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of blobs.list()) names.push(entry.kind === 'blob' ? entry.key : entry.name);
  return names;
}

export const openSqliteAndFiles = storageOf(openSqlite, openFiles);

const RECORDS: ReadonlyMap<string, OpenRecords> = new Map([
  ['postgres', openPostgres],
  ['pgbouncer', openPgBouncer],
]);

/**
 * `TEST_DATABASE=postgres` (or `pgbouncer`) and `TEST_BLOBS=s3` run the tests of the API on another storage. The API must not depend on it.
 */
export const openByEnvironment = storageOf(
  RECORDS.get(process.env.TEST_DATABASE ?? '') ?? openSqlite,
  process.env.TEST_BLOBS === 's3' ? openBucket : openFiles,
);
