import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { FilesystemStagingArea } from '../adapters/filesystem/filesystem-staging-area.ts';
import { FilesystemTemporaryFiles } from '../adapters/filesystem/filesystem-temporary-files.ts';
import { LruCleanForms } from '../adapters/memory/lru-clean-forms.ts';
import { RecentRenditions } from '../adapters/memory/recent-renditions.ts';
import { HostProcesses } from '../adapters/system/host-processes.ts';
import { NodeAddressSeal } from '../adapters/system/node-address-seal.ts';
import { RandomUuids } from '../adapters/system/random-uuids.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { systemTimer } from '../adapters/system/system-timer.ts';
import { changeUseCasesOf } from '../application/changes/change-use-cases.ts';
import { DECODERS } from './bindings/decoders.ts';
import { RECORDS } from './bindings/records.ts';
import type { CatalogStorage } from './catalog-storage.ts';
import { type Closers, type Composition, compose, type Makers } from './compose.ts';
import type { StorageConfig } from './config/config.ts';
import { MAINTENANCE } from './maintenance.ts';

/** What differs from process to process is given. */
export const STORAGE_MAKERS = {
  clock: () => new SystemClock(),
  timer: () => systemTimer,
  uuids: () => new RandomUuids(),
  processes: () => new HostProcesses(),
  addressSeal: () => new NodeAddressSeal(),
  ...RECORDS,
  stores: ({ config }) => {
    const { blobStore, renditions } = config;
    const blobs = blobStore.open();
    // At one location they share its connections.
    const isShared = isDeepStrictEqual(blobStore, renditions.cache);
    return { blobs, cache: isShared ? blobs : renditions.cache.open() };
  },
  blobs: ({ stores }) => stores.blobs.blobs,
  staging: ({ config, uuids, processes }) => {
    // A file that is renamed must be durable before. One that is copied is acknowledged only when the copy is durable.
    const durability = config.blobStore.stagingFolder === undefined ? 'volatile' : 'durable';
    return new FilesystemStagingArea(config.stagingPath, uuids, processes, durability);
  },
  temporaryFiles: ({ config, uuids, processes }) =>
    new FilesystemTemporaryFiles(config.stagingPath, uuids, processes),
  recentCleanForms: () => new LruCleanForms(),
  renditions: ({ stores, config, clock }) =>
    new RecentRenditions(stores.cache.renditionCache(config.renditions.cacheMaxBytes, clock)),
  ...DECODERS,
  changeUseCases: (parts) => changeUseCasesOf(parts),
  ...MAINTENANCE,
} as const satisfies Omit<Makers<CatalogStorage>, 'config' | 'log'>;

export const STORAGE_CLOSERS: Closers<CatalogStorage> = {
  database: (database) => database.close(),
  stores: async ({ blobs, cache }) => {
    await Promise.all([...new Set([blobs, cache])].map((store) => store.close()));
  },
  decoders: (decoders) => decoders.stop(),
  changeUseCases: ({ changeTail }) => changeTail.stop(),
};

/** Everything but HTTP, so that commands do not load it. Nothing is opened before it is used. */
export function composeStorage(config: StorageConfig, log: Logger): Composition<CatalogStorage> {
  return compose<CatalogStorage>(
    { ...STORAGE_MAKERS, config: () => config, log: () => log },
    STORAGE_CLOSERS,
  );
}
