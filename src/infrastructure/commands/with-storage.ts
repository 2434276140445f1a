import type { Container } from 'inversify';
import { pino } from 'pino';
import { parseStorageConfig } from '../config.ts';
import { createStorageContainer } from '../container.ts';
import { readEnvironment } from '../environment.ts';
import { requireStorage } from '../prepare-storage.ts';

const STDERR = 2;

/** Opens the catalog, which must be there, for a maintenance command and closes it afterwards. What is logged goes to stderr: stdout is for results. */
export async function withStorage<T>(work: (container: Container) => Promise<T>): Promise<T> {
  const config = parseStorageConfig(readEnvironment());
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: STDERR, sync: true }));
  const container = createStorageContainer(config, log);
  try {
    await requireStorage(container);
    return await work(container);
  } finally {
    await container.unbindAllAsync();
  }
}
