import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Container } from 'inversify';
import { migrationSource } from '../../migrations/migration-source.ts';
import { makeFolderDurably } from '../adapters/filesystem/make-folder-durably.ts';
import { S3Buckets } from '../adapters/s3/s3-buckets.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import {
  openPostgresMigrator,
  type PostgresConnection,
  requireUtf8,
} from '../adapters/sql/postgres-database.ts';
import { ClaimBlobStore, ForeignBlobStore } from '../application/maintenance/claim-blob-store.ts';
import type { StoreLocation } from './store-url.ts';
import { TOKENS } from './tokens.ts';

const WHAT_TO_DO =
  'One of the two is not the one that was meant: check both. No blob was touched; docs/operations.md, "Which blobs belong to which records", says what to do where both are right.';

/** A part that the service cannot start without. */
export class UnusableDependency extends Error {
  constructor(
    readonly variable: string,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(
      `${variable} cannot be used: ${cause instanceof Error ? rootOf(cause).message : String(cause)}`,
      options,
    );
  }
}

/**
 * Brings the schema up to date and makes the folders.
 *
 * @throws {UnusableDependency}
 */
export async function prepareStorage(container: Container): Promise<void> {
  const { renditions } = container.get(TOKENS.storageConfig);
  await prepareDatabase(container);
  await prepareStaging(container);
  await requiring('BLOB_STORE_URL', () => container.get(TOKENS.blobs).ping());
  await requiring('RENDITION_CACHE_URL', () => prepareCache(renditions.cache, container));
}

/**
 * Makes the folder of uploads under way.
 *
 * @throws {UnusableDependency}
 */
export async function prepareStaging(container: Container): Promise<void> {
  const { blobStore, stagingPath } = container.get(TOKENS.storageConfig);
  // In a folder the uploads under way are among the blobs.
  const variable = blobStore.kind === 'file' ? 'BLOB_STORE_URL' : 'STAGING_URL';
  await requiring(variable, () => makeFolderDurably(stagingPath));
}

/**
 * Brings the schema up to date; of several processes at once, one does.
 *
 * @returns the names of the migrations that were run
 * @throws {UnusableDependency}
 */
export async function prepareDatabase(container: Container): Promise<readonly string[]> {
  const { database } = container.get(TOKENS.storageConfig);
  return await requiring('DATABASE_URL', async () => {
    if (database.kind === 'postgres') return await migratePostgres(database);
    await makeFolderDurably(dirname(database.path));
    return await migrate(container.get(TOKENS.knex), migrationSource);
  });
}

/** On a connection of its own, whose statements may take their time. */
async function migratePostgres(connection: PostgresConnection): Promise<readonly string[]> {
  const migrator = openPostgresMigrator(connection);
  try {
    await requireUtf8(migrator);
    return await migrate(migrator, migrationSource);
  } finally {
    await migrator.destroy();
  }
}

/**
 * Checks that there is a catalog, for commands that are not to make one.
 *
 * @throws {UnusableDependency}
 */
export async function requireStorage(container: Container): Promise<void> {
  const { database } = container.get(TOKENS.storageConfig);
  await requiring('DATABASE_URL', async () => {
    if (database.kind === 'sqlite') await access(database.path, constants.R_OK);
    // An empty file, or one of something else, is no catalog.
    await container.get(TOKENS.images).findPage({ filter: {}, order: 'asc', limit: 1 });
  });
  await requiring('BLOB_STORE_URL', () => container.get(TOKENS.blobs).ping());
}

/**
 * Makes sure that the blob store is that of the catalog in the database, and notes it there.
 *
 * @param dryRun notes nothing
 * @throws {UnusableDependency}
 */
export async function claimBlobStore(
  container: Container,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  const claim = container.get(ClaimBlobStore);
  await requiring('BLOB_STORE_URL together with DATABASE_URL', async () => {
    try {
      await claim.execute({ dryRun });
    } catch (error) {
      throw error instanceof ForeignBlobStore ? explained(error) : error;
    }
  });
}

function explained(error: ForeignBlobStore): Error {
  return new Error(`${error.message}. ${WHAT_TO_DO}`);
}

async function prepareCache(cache: StoreLocation, container: Container): Promise<void> {
  if (cache.kind === 's3') await container.get(S3Buckets).at(cache).ping();
  else await mkdir(cache.path, { recursive: true });
}

async function requiring<T>(variable: string, prepare: () => T | Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    throw new UnusableDependency(variable, { cause: error });
  }
}

/** The error that the system gave, below those that translate it. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
