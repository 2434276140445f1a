import { pino } from 'pino';
import type { CatalogStorage } from '../catalog-storage.ts';
import { composeStorage } from '../compose-storage.ts';
import type { StorageConfig } from '../config/config.ts';
import { createLog } from '../start/create-log.ts';

const STDERR = 2;

/** Logs go to stderr, because stdout is for results. */
export async function withStorageOf<T>(
  config: StorageConfig,
  work: (storage: CatalogStorage) => Promise<T>,
): Promise<T> {
  const log = createLog(config.logLevel, pino.destination({ dest: STDERR, sync: true }));
  const { parts, close } = composeStorage(config, log);
  try {
    return await work(parts);
  } finally {
    await close();
  }
}
