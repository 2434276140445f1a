import { ContainerModule, type ResolutionContext } from 'inversify';
import { NodeHasher } from '../../adapters/system/node-hasher.ts';
import { SteadyClock } from '../../adapters/system/steady-clock.ts';
import { changeUseCasesOf } from '../../application/changes/change-use-cases.ts';
import { DeleteImage } from '../../application/delete-image.ts';
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
import { type UploadPorts, uploadImageOf } from '../../application/upload/upload-image-of.ts';
import type { ImageRecords } from '../../domain/ports/records/image-repository.ts';
import type { StorageConfig } from '../config/config.ts';
import { DAY_MS } from '../config/variable-types.ts';
import { construct } from '../construct.ts';
import { resolveAll } from '../resolve-all.ts';
import { TOKENS } from '../tokens.ts';

/** The use cases of commands and of the start of the service. */
export const commandsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.changeUseCases)
    .toDynamicValue((context) =>
      changeUseCasesOf(
        resolveAll(context, 'identity', 'addressSeal', 'changes', 'images', 'webhookEndpoints', 'timer'),
      ),
    )
    .onDeactivation(({ changeTail }) => changeTail.stop());
  bind(TOKENS.sweepBlobs).toDynamicValue(sweepBlobsOf);
  bind(TOKENS.sweepOrphans).toDynamicValue(sweepOrphansOf);
  bind(TOKENS.claimBlobStore).toDynamicValue(
    (context) => new ClaimBlobStore(resolveAll(context, 'identity', 'images', 'blobs')),
  );
  bind(TOKENS.reindexCatalog).toDynamicValue((context) => {
    const { similarImages: hashes, ...ports } = resolveAll(context, 'images', 'metadata', 'similarImages');
    const { blobs, uploadInspector } = resolveAll(context, 'blobs', 'uploadInspector');
    return new ReindexCatalog({ ...ports, hashes }, blobs, uploadInspector);
  });
  bind(TOKENS.rotateLinkKey).toResolvedValue(
    ...construct(RotateLinkKey, TOKENS.linkKeys, TOKENS.addressSeal, TOKENS.clock),
  );
  bind(TOKENS.removeSpace).toDynamicValue((context) => {
    const ports = resolveAll(context, 'images', 'spaces', 'trash', 'blobs', 'renditions', 'log');
    const deleteImage = new DeleteImage(ports.images, ports);
    return new RemoveSpace(ports, { deleteImage, eraseImage: new EraseImage(ports.trash, ports) }, ports.log);
  });
  bind(TOKENS.verifyCatalog).toDynamicValue((context) => {
    const ports = resolveAll(context, 'images', 'trash', 'spaces', 'names', 'blobs', 'inspector', 'clock');
    return new VerifyCatalog(ports, ports.inspector, new NodeHasher(), ports.clock);
  });
  bind(TOKENS.importTargets).toDynamicValue(importTargetsOf);
});

/** Only a cache that all processes share is swept together with the blobs: one in a folder may be on this machine alone. */
function sharesRenditions({ renditions }: StorageConfig): boolean {
  return !renditions.cache.boundsCache;
}

function sweepBlobsOf(context: ResolutionContext): SweepBlobs {
  const ports = resolveAll(context, 'identity', 'images', 'blobs', 'renditions', 'clock', 'uuids', 'log');
  const { sweepSlices: slices, storageConfig } = resolveAll(context, 'sweepSlices', 'storageConfig');
  const sharedRenditions = sharesRenditions(storageConfig) ? ports.renditions : undefined;
  return new SweepBlobs(
    { ...ports, slices, sharedRenditions },
    ports.clock,
    ports.uuids.next(),
    storageConfig.sweep.graceMs,
    ports.log,
  );
}

function sweepOrphansOf(context: ResolutionContext): SweepOrphans {
  const ports = resolveAll(context, 'images', 'keys', 'changes', 'names', 'staging', 'trash');
  const { blobs, renditions, clock, log } = resolveAll(context, 'blobs', 'renditions', 'clock', 'log');
  const { sweepBlobs, storageConfig } = resolveAll(context, 'sweepBlobs', 'storageConfig');
  const { trashDays, sweep, requestTimeoutMs } = storageConfig;
  const trashMs = trashDays === undefined ? undefined : trashDays * DAY_MS;
  const clocks = { wall: clock, steady: new SteadyClock() };
  return new SweepOrphans(
    { ...ports, ownRenditions: sharesRenditions(storageConfig) ? undefined : renditions },
    { blobs: sweepBlobs, trash: new SweepTrash(ports.trash, { blobs, renditions }, clocks, trashMs, log) },
    clock,
    { ...sweep, maxUploadMs: requestTimeoutMs },
    log,
  );
}

function importTargetsOf(context: ResolutionContext): DirectImportTargets {
  const { images, keys, staging } = resolveAll(context, 'images', 'keys', 'staging');
  const { blobs, inspector, uuids } = resolveAll(context, 'blobs', 'inspector', 'uuids');
  const { maxBytes, acceptedTypes } = context.get(TOKENS.storageConfig).upload;
  const uploadImage = uploadImageOf({ images: unlimited(images), keys, blobs, inspector, uuids });
  return new DirectImportTargets(uploadImage, images, staging, maxBytes, acceptedTypes);
}

/** A command stores what its operator says, whatever the limits of the space. */
function unlimited(images: ImageRecords): UploadPorts['images'] {
  return {
    in: (space) => images.unlimited.in(space),
    mayBeRecorded: (uuid) => images.mayBeRecorded(uuid),
  };
}
