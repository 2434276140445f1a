import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { migrationSource } from '../../migrations/migration-source.ts';
import { FilesystemBlobStore } from '../../src/adapters/filesystem/filesystem-blob-store.ts';
import { STAGING_FOLDER } from '../../src/adapters/filesystem/filesystem-staging-area.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/objection-image-repository.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite-database.ts';
import type { BlobStore } from '../../src/domain/ports/blob-store.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { ImageRepository } from '../../src/domain/ports/image-repository.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a service keeps its catalog in, empty at first; and a second way into it, past the service. */
export interface TestStorage {
  /** What the service is configured with, so that it uses this storage and leaves nothing anywhere else. */
  readonly environment: Readonly<Record<string, string>>;
  readonly images: ImageRepository;
  readonly blobs: BlobStore;
  /** The names of uploads under way, and of blobs that no record knows. */
  leftovers(): Promise<readonly string[]>;
  tearDown(): Promise<void>;
}

/** @param clock for records that a test adds past the service */
export type OpenStorage = (clock: Clock) => Promise<TestStorage>;

/** A SQLite file and a blob folder, in a temporary folder. */
export const openSqliteAndFiles: OpenStorage = async (clock) => {
  const folder = await temporaryFolder();
  const database = join(folder.path, 'catalog.sqlite');
  const blobFolder = join(folder.path, 'blobs');
  const knex = openSqliteDatabase(database);
  await migrate(knex, migrationSource);
  // Of this connection, not of the service's: what a test adds past it need not survive a power cut.
  await knex.raw('PRAGMA synchronous = OFF');
  await mkdir(join(blobFolder, STAGING_FOLDER), { recursive: true });
  const images = new ObjectionImageRepository(knex, clock);
  return {
    environment: {
      DATABASE_URL: `sqlite:${database}`,
      BLOB_STORE_URL: `file:${blobFolder}`,
      RENDITION_CACHE_URL: `file:${join(folder.path, 'renditions')}`,
    },
    images,
    blobs: new FilesystemBlobStore(blobFolder),
    leftovers: () => unrecordedFiles(blobFolder, images),
    tearDown: async () => {
      await knex.destroy();
      await folder.remove();
    },
  };
};

async function unrecordedFiles(blobFolder: string, images: ImageRepository): Promise<readonly string[]> {
  const entries = await readdir(blobFolder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => basename(entry.name));
  const recorded = await images.findUuidsAmong(names);
  return names.filter((name) => !recorded.has(name));
}
