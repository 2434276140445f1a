import { NodeHasher } from '../adapters/system/node-hasher.ts';
import { SteadyClock } from '../adapters/system/steady-clock.ts';
import { DeleteImage } from '../application/delete-image.ts';
import { ClaimBlobStore } from '../application/maintenance/claim-blob-store.ts';
import { DirectImportTargets } from '../application/maintenance/import/direct-import-targets.ts';
import { ReindexCatalog } from '../application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../application/maintenance/rotate-link-key.ts';
import { RemoveSpace } from '../application/maintenance/spaces/remove-space.ts';
import { SweepBlobs } from '../application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import { SweepTrash } from '../application/maintenance/sweep-trash.ts';
import { VerifyCatalog } from '../application/maintenance/verify-catalog.ts';
import { EraseImage } from '../application/trash/erase-image.ts';
import { type UploadedImages, UploadImage } from '../application/upload/upload-image.ts';
import { UploadImageOnce } from '../application/upload/upload-image-once.ts';
import type { ImageRecords } from '../domain/ports/records/image-repository.ts';
import { DAY_MS } from './config/variable-types.ts';
import type { StorageParts } from './storage-parts.ts';

/** How the use cases of commands and of the start are made. */
export const MAINTENANCE = {
  sweeps: sweepsOf,
  claimBlobStore: (parts: StorageParts) => new ClaimBlobStore(parts),
  reindexCatalog: ({ images, metadata, similarImages: hashes, blobs, uploadInspector }: StorageParts) =>
    new ReindexCatalog({ images, metadata, hashes }, blobs, uploadInspector),
  rotateLinkKey: ({ linkKeys, addressSeal, clock }: StorageParts) =>
    new RotateLinkKey(linkKeys, addressSeal, clock),
  removeSpace: (parts: StorageParts) => {
    const deleteImage = new DeleteImage(parts.images, parts);
    return new RemoveSpace(parts, { deleteImage, eraseImage: new EraseImage(parts.trash, parts) }, parts.log);
  },
  verifyCatalog: (parts: StorageParts) =>
    new VerifyCatalog(parts, parts.inspector, new NodeHasher(), parts.clock),
  importTargets: ({ config: { upload }, images, keys, blobs, staging, inspector, uuids }: StorageParts) => {
    const uploadImage = new UploadImage(unlimited(images), blobs, inspector, uuids);
    const once = new UploadImageOnce(uploadImage, images, keys);
    return new DirectImportTargets(once, images, staging, upload.maxBytes, upload.acceptedTypes);
  },
} as const;

/** A command stores what its operator says, whatever the limits of the space. */
function unlimited(images: ImageRecords): UploadedImages {
  return {
    in: (space) => images.unlimited.in(space),
    mayBeRecorded: (uuid) => images.mayBeRecorded(uuid),
  };
}

export interface Sweeps {
  readonly sweepBlobs: SweepBlobs;
  readonly sweepOrphans: SweepOrphans;
}

function sweepsOf(parts: StorageParts): Sweeps {
  const { config, clock, log, identity, images, keys, changes, names, staging, trash, blobs, renditions } =
    parts;
  // Of the processes of all machines. A cache in a folder may be one of this machine.
  const isShared = !config.renditions.cache.boundsCache;
  const [sharedRenditions, ownRenditions] = isShared ? [renditions] : [undefined, renditions];
  const sweepBlobs = new SweepBlobs(
    { identity, images, slices: parts.sweepSlices, blobs, sharedRenditions },
    clock,
    parts.uuids.next(),
    config.sweep.graceMs,
    log,
  );
  const trashMs = config.trashDays === undefined ? undefined : config.trashDays * DAY_MS;
  const clocks = { wall: clock, steady: new SteadyClock() };
  const sweepOrphans = new SweepOrphans(
    { images, keys, changes, names, staging, ownRenditions },
    { blobs: sweepBlobs, trash: new SweepTrash(trash, { blobs, renditions }, clocks, trashMs, log) },
    clock,
    { ...config.sweep, maxUploadMs: config.requestTimeoutMs },
    log,
  );
  return { sweepBlobs, sweepOrphans };
}
