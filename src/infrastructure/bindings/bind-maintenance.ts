import type { Container } from 'inversify';
import { SteadyClock } from '../../adapters/system/clock-and-uuids.ts';
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
import { SweepTrash } from '../../application/maintenance/sweep-trash.ts';
import { VerifyCatalog } from '../../application/maintenance/verify-catalog.ts';
import { EraseImage } from '../../application/trash/erase-image.ts';
import { type UploadedImages, UploadImage } from '../../application/upload/upload-image.ts';
import { UploadImageOnce } from '../../application/upload/upload-image-once.ts';
import type { ImageRecords } from '../../domain/ports/records/image-repository.ts';
import { DAY_MS, type StorageConfig } from '../config/config.ts';
import { TOKENS } from '../tokens.ts';

export function bindMaintenance(container: Container): void {
  const { identity, images, blobs, clock } = TOKENS;
  container
    .bind(ClaimBlobStore)
    .toResolvedValue(
      (catalog, repository, store) =>
        new ClaimBlobStore({ identity: catalog, images: repository, blobs: store }),
      [identity, images, blobs],
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
  bindRemoveSpace(container);
  bindVerify(container);
  bindSweep(container);
  bindImport(container);
}

function bindRemoveSpace(container: Container): void {
  const { images, blobs } = TOKENS;
  container.bind(RemoveSpace).toResolvedValue(
    (repository, spaces, trash, store, cache, log) => {
      const bytes = { blobs: store, renditions: cache };
      const removals = {
        deleteImage: new DeleteImage(repository, bytes),
        eraseImage: new EraseImage(trash, bytes),
      };
      return new RemoveSpace({ images: repository, spaces, trash }, removals, log);
    },
    [images, TOKENS.spaces, TOKENS.trash, blobs, TOKENS.renditions, TOKENS.log],
  );
}

function bindVerify(container: Container): void {
  const { images, blobs, inspector, clock } = TOKENS;
  container.bind(VerifyCatalog).toResolvedValue(
    (repository, trash, spaces, names, store, decoder, time) => {
      const storage = { images: repository, trash, spaces, names, blobs: store };
      return new VerifyCatalog(storage, decoder, new NodeHasher(), time);
    },
    [images, TOKENS.trash, TOKENS.spaces, TOKENS.names, blobs, inspector, clock],
  );
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
  bindTrashSweep(container);
  container.bind(SweepOrphans).toResolvedValue(
    (config, time, events, repository, idempotencyKeys, feed, names, area, cache, ...parts) => {
      const [blobSweep, trash] = parts;
      const storage = {
        images: repository,
        keys: idempotencyKeys,
        changes: feed,
        names,
        staging: area,
        ownRenditions: isShared(config) ? undefined : cache,
      };
      const limits = { ...config.sweep, maxUploadMs: config.requestTimeoutMs };
      return new SweepOrphans(storage, { blobs: blobSweep, trash }, time, limits, events);
    },
    [
      storageConfig,
      clock,
      log,
      images,
      keys,
      changes,
      TOKENS.names,
      staging,
      renditions,
      SweepBlobs,
      SweepTrash,
    ],
  );
}

function bindTrashSweep(container: Container): void {
  const { storageConfig, trash, blobs, renditions, clock, log } = TOKENS;
  container.bind(SweepTrash).toResolvedValue(
    ({ trashDays }, records, store, cache, wall, events) => {
      const ageMs = trashDays === undefined ? undefined : trashDays * DAY_MS;
      const bytes = { blobs: store, renditions: cache };
      return new SweepTrash(records, bytes, { wall, steady: new SteadyClock() }, ageMs, events);
    },
    [storageConfig, trash, blobs, renditions, clock, log],
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
          upload.acceptedTypes,
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
