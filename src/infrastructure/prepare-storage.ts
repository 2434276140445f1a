import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import { STAGING_FOLDER } from './container.ts';
import { TOKENS } from './tokens.ts';

/** A part that the service cannot start without. */
export class UnusableDependency extends Error {
  constructor(variable: string, options: ErrorOptions) {
    const { cause } = options;
    super(
      `${variable} cannot be used: ${cause instanceof Error ? rootOf(cause).message : String(cause)}`,
      options,
    );
  }
}

/**
 * Makes the folders, brings the schema up to date and removes what a killed process left in the staging area.
 *
 * @throws {UnusableDependency}
 */
export async function prepareStorage(container: Container): Promise<void> {
  const { blobStore, renditions } = container.get(TOKENS.config);
  await requiring('DATABASE_URL', () => migrate(container.get(TOKENS.knex), migrationSource));
  const leftovers = await requiring('BLOB_STORE_URL', async () => {
    await mkdir(join(blobStore.path, STAGING_FOLDER), { recursive: true });
    await container.get(TOKENS.blobs).ping();
    return await container.get(TOKENS.staging).removeLeftovers();
  });
  await requiring('RENDITION_CACHE_URL', () => mkdir(renditions.cachePath, { recursive: true }));
  if (leftovers > 0) container.get(TOKENS.log).info({ leftovers }, 'unfinished uploads removed');
}

async function requiring<T>(variable: string, prepare: () => Promise<T>): Promise<T> {
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
