import type { Container } from 'inversify';
import { FilesystemStagingArea } from '../../adapters/filesystem/filesystem-staging-area.ts';
import { RECENT_RENDITIONS, RecentRenditions } from '../../adapters/memory/recent-renditions.ts';
import { OpenStores } from '../open-stores.ts';
import { TOKENS } from '../tokens.ts';

export function bindBytes(container: Container): void {
  const { storageConfig, clock, uuids, processes, blobStore, cacheStore } = TOKENS;
  container
    .bind(OpenStores)
    .toResolvedValue(() => new OpenStores())
    .onDeactivation((stores) => stores.close());
  container
    .bind(blobStore)
    .toResolvedValue((config, stores) => stores.at(config.blobStore), [storageConfig, OpenStores]);
  container
    .bind(cacheStore)
    .toResolvedValue((config, stores) => stores.at(config.renditions.cache), [storageConfig, OpenStores]);
  container.bind(TOKENS.blobs).toResolvedValue((store) => store.blobs, [blobStore]);
  container.bind(TOKENS.staging).toResolvedValue(
    (config, names, registry) => {
      // A file that is renamed must be durable before. One that is copied is acknowledged only when the copy is durable.
      const durability = config.blobStore.stagingFolder === undefined ? 'volatile' : 'durable';
      return new FilesystemStagingArea(config.stagingPath, names, registry, durability);
    },
    [storageConfig, uuids, processes],
  );
  container
    .bind(TOKENS.renditions)
    .toResolvedValue(
      ({ renditions }, store, time) =>
        new RecentRenditions(store.renditionCache(renditions.cacheMaxBytes, time), RECENT_RENDITIONS),
      [storageConfig, cacheStore, clock],
    );
}
