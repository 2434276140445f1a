import type { Logger } from 'pino';
import type { Composition } from './compose.ts';
import type { StorageConfig } from './config/config.ts';
import { MAINTENANCE } from './maintenance.ts';
import { composeStorageParts } from './storage-container.ts';
import type { StorageParts } from './storage-parts.ts';

type Maintenance = { readonly [Name in keyof typeof MAINTENANCE]: ReturnType<(typeof MAINTENANCE)[Name]> };

/** What commands and the start of the service use. Each part is opened when it is first used. */
export interface CatalogStorage extends StorageParts, Maintenance {
  /** Closes what was opened. */
  close(): Promise<void>;
}

export function storageIn({ container, parts }: Composition<StorageParts>): CatalogStorage {
  const storage = Object.defineProperties({}, Object.getOwnPropertyDescriptors(parts));
  for (const [name, make] of Object.entries(MAINTENANCE)) {
    let made: object | undefined;
    Object.defineProperty(storage, name, { get: () => (made ??= make(parts)) });
  }
  return Object.assign(storage, { close: () => container.unbindAllAsync() }) as CatalogStorage;
}

export function composeStorage(config: StorageConfig, log: Logger): CatalogStorage {
  return storageIn(composeStorageParts(config, log));
}
