import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Container } from 'inversify';
import { migrationSource } from '../../../migrations/migration-source.ts';
import type { Confinement } from '../../adapters/decoder/confinement.ts';
import type { DecoderPool } from '../../adapters/decoder/decoder-pool.ts';
import { makeFolderDurably } from '../../adapters/filesystem/make-folder-durably.ts';
import type { ClaimBlobStore } from '../../application/maintenance/claim-blob-store.ts';
import { ForeignBlobStore } from '../../application/maintenance/foreign-blob-store.ts';
import { Calendar } from '../../domain/image/time/calendar.ts';
import type { StorageConfig } from '../config/config.ts';
import { TOKENS } from '../tokens.ts';
import { missingImageLibrary } from './missing-image-library.ts';
import { UnusableDependency } from './unusable-dependency.ts';

const WHAT_TO_DO =
  'One of the two is not the one that was meant: check both. No blob was touched; docs/maintenance.md, "Which blobs belong to which records", says what to do if both are right.';

/**
 * The database is the last, because a new one cannot be removed: another process may use it already.
 *
 * @throws {UnusableDependency} and leaves no folder or database that it has made
 */
export async function prepareStorage(storage: Container, { mayShareBlobs = false } = {}): Promise<void> {
  const config = storage.get(TOKENS.storageConfig);
  const { database, stagingPath, renditions } = config;
  await requireDriver(config);
  const missing = [database.folder, stagingPath, renditions.cache.blobFolder].flatMap(missingFolders);
  try {
    await prepareStaging(config);
    await requiring('BLOB_STORE_URL', () => storage.get(TOKENS.blobs).ping());
    await requiring('RENDITION_CACHE_URL', () => storage.get(TOKENS.stores).cache.prepareCache());
    const isNew = await database.requireExisting().then(
      () => false,
      () => true,
    );
    await makeDatabaseFolder(config);
    if (isNew && !mayShareBlobs) {
      await refusingForeign(() => storage.get(TOKENS.claimBlobStore).requireFree());
    }
    await prepareDatabase(storage);
  } catch (error) {
    // Not those into which another process has written.
    for (const folder of missing) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/**
 * For commands that write something before they open the database.
 *
 * @throws {UnusableDependency}
 */
export async function requireDriver({ database }: StorageConfig): Promise<void> {
  await requiring('DATABASE_URL', () => database.requireDriver());
}

/** The innermost first. */
function missingFolders(path: string | undefined): readonly string[] {
  if (path === undefined || existsSync(path)) return [];
  return [path, ...missingFolders(dirname(path))];
}

/** @throws {UnusableDependency} */
export async function prepareStaging({ blobStore, stagingPath }: StorageConfig): Promise<void> {
  const variable = blobStore.stagingFolder === undefined ? 'STAGING_URL' : 'BLOB_STORE_URL';
  await requiring(variable, () => makeFolderDurably(stagingPath));
}

/**
 * One of several concurrent processes migrates. Resolves to the migrations that ran.
 *
 * @throws {UnusableDependency}
 */
export async function prepareDatabase(storage: Container): Promise<readonly string[]> {
  const config = storage.get(TOKENS.storageConfig);
  await requireDriver(config);
  await makeDatabaseFolder(config);
  return await requiring('DATABASE_URL', () =>
    storage.get(TOKENS.database).migrate(migrationSource, new Calendar(config.timeZone)),
  );
}

/** Before the database is opened, which would make the folder without syncing it into its parent. */
async function makeDatabaseFolder({ database: { folder } }: StorageConfig): Promise<void> {
  if (folder !== undefined) await requiring('DATABASE_URL', () => makeFolderDurably(folder));
}

/** @throws {UnusableDependency} */
export async function schemaIn(storage: Container): Promise<'none' | 'older' | 'current'> {
  const database = storage.get(TOKENS.database);
  return await requiring('DATABASE_URL', () => database.schema(migrationSource));
}

/** @throws {UnusableDependency} */
export async function hasCatalog(storage: Container): Promise<boolean> {
  const isThere = await storage
    .get(TOKENS.storageConfig)
    .database.requireExisting()
    .then(
      () => true,
      () => false,
    );
  return isThere && (await schemaIn(storage)) !== 'none';
}

const OLDER = 'The catalog is of an older version. Run image-catalog migrate, or start the service, first';

/** Of an empty database or file, and of the database of another program. */
const NONE =
  'there is no catalog in it yet. Start the service, or run image-catalog migrate, first. If there should be one, correct the address';

/**
 * For commands that must not create a catalog.
 *
 * @throws {UnusableDependency}
 */
export async function requireStorage(storage: Container): Promise<void> {
  const config = storage.get(TOKENS.storageConfig);
  await requireDriver(config);
  await requiring('DATABASE_URL', async () => {
    await config.database.requireExisting();
    const schema = await schemaIn(storage);
    if (schema === 'none') throw new Error(NONE);
    if (schema === 'older') throw new Error(OLDER);
    // Fails if tables are missing.
    await storage.get(TOKENS.images).findPage({ order: 'asc', limit: 1 });
  });
  await requiring('BLOB_STORE_URL', () => storage.get(TOKENS.blobs).ping());
}

/**
 * Notes the owner in the store.
 *
 * @throws {UnusableDependency}
 */
export async function requireOwnBlobs(
  claimBlobStore: ClaimBlobStore,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  await refusingForeign(() => claimBlobStore.execute({ dryRun }));
}

/** @throws {UnusableDependency} */
async function refusingForeign(claim: () => Promise<void>): Promise<void> {
  await requiring('BLOB_STORE_URL together with DATABASE_URL', async () => {
    try {
      await claim();
    } catch (error) {
      throw error instanceof ForeignBlobStore ? new Error(`${error.message}. ${WHAT_TO_DO}`) : error;
    }
  });
}

/** @throws {UnusableDependency} */
export async function requiring<T>(variable: string, prepare: () => T | Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    throw new UnusableDependency(variable, { cause: error });
  }
}

/** @throws {UnusableDependency} if no decoder starts */
export async function requireDecoders(decoders: DecoderPool): Promise<Confinement> {
  try {
    return await decoders.start();
  } catch (error) {
    const missing = missingImageLibrary(error instanceof Error ? error.message : '');
    throw new UnusableDependency('The decoder', {
      cause: missing === undefined ? error : new Error(missing),
    });
  }
}
