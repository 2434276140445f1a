import { LruCleanForms } from '../../src/adapters/memory/lru-clean-forms.ts';
import { NodeHasher } from '../../src/adapters/system/node-hasher.ts';
import { changeUseCasesOf } from '../../src/application/changes/change-use-cases.ts';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { DirectImportTargets } from '../../src/application/maintenance/import/direct-import-targets.ts';
import { ReindexCatalog } from '../../src/application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../../src/application/maintenance/rotate-link-key.ts';
import { SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../../src/application/maintenance/sweep-orphans.ts';
import { SweepTrash } from '../../src/application/maintenance/sweep-trash.ts';
import { VerifyCatalog } from '../../src/application/maintenance/verify-catalog.ts';
import { uploadImageOf } from '../../src/application/upload/upload-image-of.ts';
import { useCasesOf } from '../../src/application/use-cases.ts';
import { foundImage } from '../../src/domain/image/found-image.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { MEDIA_TYPES } from '../../src/domain/image/media-type.ts';
import type { Rendition } from '../../src/domain/image/rendition.ts';
import type { AddressSeal } from '../../src/domain/ports/process/address-seal.ts';
import type { EventLog } from '../../src/domain/ports/process/event-log.ts';
import type { UuidGenerator } from '../../src/domain/ports/process/uuid-generator.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { InMemoryTemporaryFiles } from '../support/doubles/in-memory-temporary-files.ts';
import { NO_TIMER } from '../support/doubles/staying.ts';
import type { Owner } from './scheduler.ts';
import { INSPECTOR, MAKER, type Storage, UTC } from './storage.ts';

export const GRACE_MS = 60 * 60_000;
export const MAX_UPLOAD_MS = 120_000;
const TRASH_MS = 30 * 24 * 60 * 60_000;
const CHANGES_MS = 30 * 24 * 60 * 60_000;
export const MAX_FILE_BYTES = 1000;

export const SMALL: Rendition = { width: 320, fit: 'inside', format: 'webp', quality: 75 };

export const SILENT: EventLog = { warn: () => {} };

/** What processes get from outside of them. */
export interface Surroundings {
  readonly uuids: UuidGenerator;
  readonly addressSeal: AddressSeal;
  /** Wraps the ports of a process. */
  readonly portOf: <Port extends object>(name: string, port: Port) => Port;
  readonly pause: (stopping: AbortSignal) => Promise<void>;
}

const PORT_NAMES = [
  'keys',
  'changes',
  'webhookEndpoints',
  'images',
  'names',
  'spaces',
  'trash',
  'metadata',
  'search',
  'similarImages',
  'copyCandidates',
  'linkKeys',
  'tables',
  'identity',
  'blobs',
  'slices',
  'staging',
  'renditions',
  'folder',
] as const satisfies ReadonlyArray<keyof Storage>;

/** The ports of a storage as one process has them. */
export type Ports = Pick<Storage, (typeof PORT_NAMES)[number]>;

export function portsOf(storage: Storage, portOf: Surroundings['portOf'], prefix = ''): Ports {
  const ports = PORT_NAMES.map((name) => [name, portOf(`${prefix}${name}`, storage[name] as object)]);
  return Object.fromEntries(ports) as Ports;
}

/** The use cases of one process, wired as the service wires them, with all that they keep in memory. */
export function catalogProcess(
  owner: Owner,
  storage: Storage,
  { uuids, addressSeal, portOf, pause }: Surroundings,
) {
  const { clock } = storage;
  const ports = portsOf(storage, portOf);
  const { images, names, spaces, trash, blobs, renditions, metadata, similarImages, staging } = ports;
  const inspector = portOf('inspector', INSPECTOR);
  const parts = {
    ...ports,
    timeline: ports.search,
    addressSeal,
    uploadInspector: inspector,
    renditionMaker: portOf('maker', MAKER),
    calendar: UTC,
    clock,
    timer: NO_TIMER,
    uuids,
    log: SILENT,
    temporaryFiles: new InMemoryTemporaryFiles(),
    recentCleanForms: new LruCleanForms(),
  };
  const useCases = useCasesOf(parts, {
    changes: changeUseCasesOf(parts),
    keepsTrash: false,
    prerender: { renditions: [SMALL], maxOtherWork: 2 },
    pause,
    uploadSlots: { slots: 1_000, sharesBySpace: false },
    watchFiles: (files) => files,
    watchRenditions: (made) => made,
  });
  const bytes = { blobs, renditions };
  const sweepBlobs = new SweepBlobs(
    { ...ports, sharedRenditions: renditions },
    clock,
    owner.name,
    GRACE_MS,
    SILENT,
  );
  const sweepTrash = new SweepTrash(trash, bytes, { wall: clock, steady: clock }, TRASH_MS, SILENT);
  const limits = { graceMs: GRACE_MS, maxUploadMs: MAX_UPLOAD_MS, changesMs: CHANGES_MS };
  return {
    ...useCases,
    owner,
    storage,
    portOf,
    ports,
    /** `deleteImage` of a catalog with a trash. */
    trashImage: new DeleteImage(images, bytes, 'trash'),
    rotateLinkKey: new RotateLinkKey(ports.linkKeys, addressSeal, clock),
    sweepBlobs,
    sweep: new SweepOrphans(
      { ...ports, ownRenditions: undefined },
      { blobs: sweepBlobs, trash: sweepTrash },
      clock,
      limits,
      SILENT,
    ),
    verify: new VerifyCatalog({ images, trash, spaces, names, blobs }, inspector, new NodeHasher(), clock),
    reindex: new ReindexCatalog({ images, metadata, hashes: similarImages }, blobs, inspector),
    importTargets: new DirectImportTargets(
      uploadImageOf({ images, keys: ports.keys, blobs, inspector, uuids }),
      images,
      staging,
      MAX_FILE_BYTES,
      MEDIA_TYPES,
    ),
    /** As the routes read one. */
    getImage: async (space: Space, id: number): Promise<CatalogImage> =>
      foundImage(await images.in(space).findById(id)),
  };
}

export type CatalogProcess = ReturnType<typeof catalogProcess>;
