import { parseStorageConfig, type StorageConfig } from '../../config/config.ts';
import { InvalidConfig } from '../../config/invalid-config.ts';
import type { Environment } from '../../config/variable-table.ts';
import { nameFlags } from './name-flags.ts';

interface TargetOptions {
  readonly toDatabase: string | undefined;
  readonly toBlobs: string | undefined;
}

/**
 * Variables are an alternative to flags, because all users of the machine can read flags, and a URL may hold a password.
 *
 * @throws {InvalidConfig}
 */
export function targetConfig(
  environment: Environment,
  { toDatabase, toBlobs }: TargetOptions,
): StorageConfig {
  try {
    return parseStorageConfig({
      ...environment,
      DATABASE_URL: toDatabase ?? environment.TRANSFER_TO_DATABASE ?? environment.DATABASE_URL,
      BLOB_STORE_URL: toBlobs ?? environment.TRANSFER_TO_BLOBS ?? environment.BLOB_STORE_URL,
    });
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    throw new InvalidConfig(error.problems.map(nameFlags));
  }
}
