import type { Container } from 'inversify';
import { parseStorageConfig } from '../config/config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import { requireStorage } from '../start/prepare-storage.ts';
import { withStorageOf } from './with-storage-of.ts';

export async function withStorage<T>(work: (storage: Container) => Promise<T>): Promise<T> {
  return await withStorageOf(parseStorageConfig(readEnvironment()), async (storage) => {
    await requireStorage(storage);
    return await work(storage);
  });
}
