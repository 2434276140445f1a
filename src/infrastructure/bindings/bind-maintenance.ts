import type { Container } from 'inversify';
import { NodeHasher } from '../../adapters/system/node-hasher.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { LookUpImages } from '../../application/find/look-up-images.ts';
import { ClaimBlobStore } from '../../application/maintenance/claim-blob-store.ts';
import { DirectImportTargets } from '../../application/maintenance/import/direct-import-targets.ts';
import { ReindexCatalog } from '../../application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../../application/maintenance/rotate-link-key.ts';
import { RemoveSpace } from '../../application/maintenance/spaces/remove-space.ts';
import { SweepBlobs } from '../../application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../../application/maintenance/sweep-orphans.ts';
import { VerifyCatalog } from '../../application/maintenance/verify-catalog.ts';
import { type UploadedImages, UploadImage } from '../../application/upload/upload-image.ts';
import { UploadImageOnce } from '../../application/upload/upload-image-once.ts';
import type { ImageRecords } from '../../domain/ports/records/image-repository.ts';
import type { StorageConfig } from '../config/config.ts';
import { TOKENS } from '../tokens.ts';

export function bindMaintenance(container: Container): void {
  const { identity, images, blobs, inspector, clock } = TOKENS;
  container
    .bind(ClaimBlobStore)
    .toResolvedValue(
      (catalog, repository, store) =>
        new ClaimBlobStore({ identity: catalog, images: repository, blobs: store }),
      [identity, images, blobs],
    );
  container
    .bind(VerifyCatalog)
    .toResolvedValue(
      (repository, spaces, store, decoder, time) =>
        new VerifyCatalog({ images: repository, spaces, blobs: store }, decoder, new NodeHasher(), time),
      [images, TOKENS.spaces, blobs, inspector, clock],
    );
  container
    .bind(ReindexCatalog)
    .toResolvedValue(
      (repository, metadata, hashes, store, decoder) =>
        new ReindexCatalog({ images: repository, metadata, hashes }, store, decoder),
      [images, TOKENS.metadata, TOKENS.similarImages, blobs, TOKENS.uploadInspector],
    );
  container
    .bind(RotateLinkKey)
    .toResolvedValue((...ports) => new RotateLinkKey(...ports), [TOKENS.linkKeys, TOKENS.linkSigner, clock]);
  container
    .bind(RemoveSpace)
    .toResolvedValue(
      (repository, spaces, store, cache, log) =>
        new RemoveSpace(repository, spaces, new DeleteImage(repository, store, cache), log),
      [images, TOKENS.spaces, blobs, TOKENS.renditions, TOKENS.log],
    );
  bindSweep(container);
  bindImport(container);
}

function bindSweep(container: Container): void {
  const { storageConfig, clock, log, identity, images, keys, changes, blobs, staging, renditions } = TOKENS;
  container.bind(SweepBlobs).toResolvedValue(
    (config, time, events, names, catalog, repository, slices, store, cache) => {
      const sharedRenditions = isShared(config) ? cache : undefined;
      const storage = { identity: catalog, images: repository, slices, blobs: store, sharedRenditions };
      return new SweepBlobs(storage, time, names.next(), config.sweep.graceMs, events);
    },
    [storageConfig, clock, log, TOKENS.uuids, identity, images, TOKENS.sweepSlices, blobs, renditions],
  );
  container.bind(SweepOrphans).toResolvedValue(
    (config, time, events, repository, idempotencyKeys, feed, area, cache, sweepBlobs) => {
      const storage = {
        images: repository,
        keys: idempotencyKeys,
        changes: feed,
        staging: area,
        ownRenditions: isShared(config) ? undefined : cache,
      };
      const limits = { ...config.sweep, maxUploadMs: config.requestTimeoutMs };
      return new SweepOrphans(storage, sweepBlobs, time, limits, events);
    },
    [storageConfig, clock, log, images, keys, changes, staging, renditions, SweepBlobs],
  );
}

/** Of the processes of all machines. A cache in a folder may be one of this machine. */
function isShared({ renditions }: StorageConfig): boolean {
  return !renditions.cache.boundsCache;
}

function bindImport(container: Container): void {
  const { storageConfig, images, keys, blobs, staging, inspector, uuids } = TOKENS;
  container
    .bind(DirectImportTargets)
    .toResolvedValue(
      ({ upload }, repository, idempotencyKeys, store, area, decoder, names) =>
        new DirectImportTargets(
          new UploadImageOnce(
            new UploadImage(unlimited(repository), store, decoder, names),
            repository,
            idempotencyKeys,
          ),
          new LookUpImages(repository),
          area,
          upload.maxBytes,
        ),
      [storageConfig, images, keys, blobs, staging, inspector, uuids],
    );
}

/** A command stores what its operator says, whatever the limits of the space. */
function unlimited(images: ImageRecords): UploadedImages {
  return {
    in: (space) => images.unlimited.in(space),
    mayBeRecorded: (uuid) => images.mayBeRecorded(uuid),
  };
}
