import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { migrationSource } from '../../migrations/migration-source.ts';
import { FilesystemBlobStore } from '../../src/adapters/filesystem/filesystem-blob-store.ts';
import { FilesystemStagingArea } from '../../src/adapters/filesystem/filesystem-staging-area.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/objection-image-repository.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite-database.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import type { BlobStore } from '../../src/domain/ports/blob-store.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { ImageRepository } from '../../src/domain/ports/image-repository.ts';
import type { StagingArea } from '../../src/domain/ports/staging-area.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a service keeps its catalog in, empty at first. */
export interface TestStorage {
  readonly images: ImageRepository;
  readonly blobs: BlobStore;
  readonly staging: StagingArea;
  /** The names of uploads under way, and of blobs that no record knows. */
  leftovers(): Promise<readonly string[]>;
  tearDown(): Promise<void>;
}

export type OpenStorage = (clock: Clock) => Promise<TestStorage>;

const STAGING_FOLDER = '.staging';

/** A SQLite file and a blob folder, in a temporary folder. */
export const openSqliteAndFiles: OpenStorage = async (clock) => {
  const folder = await temporaryFolder();
  const blobFolder = join(folder.path, 'blobs');
  const knex = openSqliteDatabase(join(folder.path, 'catalog.sqlite'));
  await migrate(knex, migrationSource);
  await mkdir(join(blobFolder, STAGING_FOLDER), { recursive: true });
  const images = new ObjectionImageRepository(knex, clock);
  return {
    images,
    blobs: new FilesystemBlobStore(blobFolder),
    staging: new FilesystemStagingArea(join(blobFolder, STAGING_FOLDER), new RandomUuids()),
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
