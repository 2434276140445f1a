import type { Container } from 'inversify';
import { pino } from 'pino';
import { parseStorageConfig, type StorageConfig } from '../config.ts';
import { createStorageContainer } from '../container.ts';
import { readEnvironment } from '../environment.ts';
import { requireStorage } from '../prepare-storage.ts';

const STDERR = 2;

/** Opens the catalog, which must be there, for a maintenance command and closes it afterwards. */
export async function withStorage<T>(work: (container: Container) => Promise<T>): Promise<T> {
  return await withContainer(parseStorageConfig(readEnvironment()), async (container) => {
    await requireStorage(container);
    return await work(container);
  });
}

/** Wires a storage and closes it afterwards. What is logged goes to stderr: stdout is for results. */
export async function withContainer<T>(
  config: StorageConfig,
  work: (container: Container) => Promise<T>,
): Promise<T> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: STDERR, sync: true }));
  const container = createStorageContainer(config, log);
  try {
    return await work(container);
  } finally {
    await container.unbindAllAsync();
  }
}
