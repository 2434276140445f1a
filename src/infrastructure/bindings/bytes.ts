import { isDeepStrictEqual } from 'node:util';
import { FilesystemStagingArea } from '../../adapters/filesystem/filesystem-staging-area.ts';
import { RecentRenditions } from '../../adapters/memory/recent-renditions.ts';
import type { Makers } from '../compose.ts';
import type { StorageParts } from '../storage-parts.ts';

export const BYTES = {
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
  renditions: ({ stores, config, clock }) =>
    new RecentRenditions(stores.cache.renditionCache(config.renditions.cacheMaxBytes, clock)),
} as const satisfies Partial<Makers<StorageParts>>;
