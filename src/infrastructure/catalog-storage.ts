import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { StorageConfig } from './config/config.ts';
import { MAINTENANCE } from './maintenance.ts';
import { createStorageContainer } from './storage-container.ts';
import { partsOf, STORAGE_TOKENS, type StorageParts } from './tokens.ts';

type Maintenance = { readonly [Name in keyof typeof MAINTENANCE]: ReturnType<(typeof MAINTENANCE)[Name]> };

/** What commands and the start of the service use. Each part is opened when it is first used. */
export interface CatalogStorage extends StorageParts, Maintenance {
  /** Closes what was opened. */
  close(): Promise<void>;
}

export function storageIn(container: Container): CatalogStorage {
  const storage = partsOf(container, STORAGE_TOKENS);
  for (const [name, make] of Object.entries(MAINTENANCE)) {
    let made: object | undefined;
    Object.defineProperty(storage, name, { get: () => (made ??= make(storage)) });
  }
  return Object.assign(storage as StorageParts & Maintenance, { close: () => container.unbindAllAsync() });
}

export function composeStorage(config: StorageConfig, log: Logger): CatalogStorage {
  return storageIn(createStorageContainer(config, log));
}
