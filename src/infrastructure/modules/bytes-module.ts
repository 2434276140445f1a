import { isDeepStrictEqual } from 'node:util';
import { ContainerModule } from 'inversify';
import { FilesystemStagingArea } from '../../adapters/filesystem/filesystem-staging-area.ts';
import { FilesystemTemporaryFiles } from '../../adapters/filesystem/filesystem-temporary-files.ts';
import { LruCleanForms } from '../../adapters/memory/lru-clean-forms.ts';
import { RecentRenditions } from '../../adapters/memory/recent-renditions.ts';
import { TOKENS } from '../tokens.ts';

const { storageConfig, stores, clock, uuids, processes } = TOKENS;

/** Originals, uploads in progress and renditions. */
export const bytesModule = new ContainerModule(({ bind }) => {
  bind(stores)
    .toResolvedValue(
      ({ blobStore, renditions }) => {
        const blobs = blobStore.open();
        // At one location they share its connections.
        const isShared = isDeepStrictEqual(blobStore, renditions.cache);
        return { blobs, cache: isShared ? blobs : renditions.cache.open() };
      },
      [storageConfig],
    )
    .onDeactivation(async ({ blobs, cache }) => {
      await Promise.all([...new Set([blobs, cache])].map((store) => store.close()));
    });
  bind(TOKENS.blobs).toResolvedValue(({ blobs }) => blobs.blobs, [stores]);
  bind(TOKENS.renditions).toResolvedValue(
    ({ cache }, { renditions }, time) =>
      new RecentRenditions(cache.renditionCache(renditions.cacheMaxBytes, time)),
    [stores, storageConfig, clock],
  );
  bind(TOKENS.staging).toResolvedValue(
    ({ blobStore, stagingPath }, ids, owners) => {
      // A file that is renamed must be durable before. One that is copied is acknowledged only when the copy is durable.
      const durability = blobStore.stagingFolder === undefined ? 'volatile' : 'durable';
      return new FilesystemStagingArea(stagingPath, ids, owners, durability);
    },
    [storageConfig, uuids, processes],
  );
  bind(TOKENS.temporaryFiles).toResolvedValue(
    ({ stagingPath }, ids, owners) => new FilesystemTemporaryFiles(stagingPath, ids, owners),
    [storageConfig, uuids, processes],
  );
  bind(TOKENS.recentCleanForms).toResolvedValue(() => new LruCleanForms());
});
