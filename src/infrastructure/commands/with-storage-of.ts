import type { Container } from 'inversify';
import { pino } from 'pino';
import type { StorageConfig } from '../config/config.ts';
import { createStorageContainer } from '../create-storage-container.ts';
import { createLog } from '../start/create-log.ts';

const STDERR = 2;

/** Logs go to stderr, because stdout is for results. */
export async function withStorageOf<T>(
  config: StorageConfig,
  work: (storage: Container) => Promise<T>,
): Promise<T> {
  const log = createLog(config.logLevel, pino.destination({ dest: STDERR, sync: true }));
  const storage = createStorageContainer(config, log);
  try {
    return await work(storage);
  } finally {
    await storage.unbindAllAsync();
  }
}
