import { foundImage } from '../../src/adapters/http/errors/found-image.ts';
import { AesCursorSeal } from '../../src/adapters/system/aes-cursor-seal.ts';
import { AesTicketCipher } from '../../src/adapters/system/aes-ticket-cipher.ts';
import { NodeHasher } from '../../src/adapters/system/node-hasher.ts';
import { ChangeCursors } from '../../src/application/changes/change-cursors.ts';
import { ReadChanges } from '../../src/application/changes/read-changes.ts';
import { PortionQueue } from '../../src/application/concurrency/portion-queue.ts';
import { subjectSlots } from '../../src/application/concurrency/subject-slots.ts';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { ArchiveImages } from '../../src/application/files/archive-images.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { OpenRendition } from '../../src/application/files/open-rendition.ts';
import { RecentUploads } from '../../src/application/files/recent-uploads.ts';
import { CountPeriods } from '../../src/application/find/count-periods.ts';
import { FindSimilar } from '../../src/application/find/find-similar.ts';
import { ListImages } from '../../src/application/find/list-images.ts';
import type { Searches } from '../../src/application/find/searches.ts';
import { LinkKeyRing } from '../../src/application/links/link-key-ring.ts';
import { MakeLinks } from '../../src/application/links/make-links.ts';
import { OpenLink } from '../../src/application/links/open-link.ts';
import { OpenPage } from '../../src/application/links/open-page.ts';
import { DirectImportTargets } from '../../src/application/maintenance/import/direct-import-targets.ts';
import { ReindexCatalog } from '../../src/application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../../src/application/maintenance/rotate-link-key.ts';
import { SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../../src/application/maintenance/sweep-orphans.ts';
import { SweepTrash } from '../../src/application/maintenance/sweep-trash.ts';
import { VerifyCatalog } from '../../src/application/maintenance/verify-catalog.ts';
import { EditImages } from '../../src/application/metadata/edit-images.ts';
import { EditMetadata } from '../../src/application/metadata/edit-metadata.ts';
import { MakeTickets } from '../../src/application/tickets/make-tickets.ts';
import { OpenTicket } from '../../src/application/tickets/open-ticket.ts';
import { UploadByTicket } from '../../src/application/tickets/upload-by-ticket.ts';
import { EraseImage } from '../../src/application/trash/erase-image.ts';
import { ListTrash } from '../../src/application/trash/list-trash.ts';
import { PrerenderUploads } from '../../src/application/upload/prerender-uploads.ts';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { UploadImageOnce } from '../../src/application/upload/upload-image-once.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { MEDIA_TYPES } from '../../src/domain/image/media-type.ts';
import type { Rendition } from '../../src/domain/image/rendition.ts';
import type { EventLog } from '../../src/domain/ports/process/event-log.ts';
import type { LinkSigner } from '../../src/domain/ports/process/link-signer.ts';
import type { UuidGenerator } from '../../src/domain/ports/process/uuid-generator.ts';
import type { Space } from '../../src/domain/space/space.ts';
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
  readonly signer: LinkSigner;
  /** Wraps the ports of a process. */
  readonly portOf: <Port extends object>(name: string, port: Port) => Port;
  readonly pause: (stopping: AbortSignal) => Promise<void>;
}

/** The ports of a storage as one process has them. */
export type Ports = Pick<
  Storage,
  | 'keys'
  | 'changes'
  | 'webhookEndpoints'
  | 'images'
  | 'names'
  | 'spaces'
  | 'trash'
  | 'metadata'
  | 'search'
  | 'similarImages'
  | 'linkKeys'
  | 'tables'
  | 'identity'
  | 'blobs'
  | 'slices'
  | 'staging'
  | 'renditions'
  | 'folder'
>;

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
  'linkKeys',
  'tables',
  'identity',
  'blobs',
  'slices',
  'staging',
  'renditions',
  'folder',
] as const satisfies ReadonlyArray<keyof Ports>;

export function portsOf(storage: Storage, portOf: Surroundings['portOf'], prefix = ''): Ports {
  const ports = PORT_NAMES.map((name) => [name, portOf(`${prefix}${name}`, storage[name] as object)]);
  return Object.fromEntries(ports) as Ports;
}

/** The use cases of one process, wired as the service wires them, with all that they keep in memory. */
export class CatalogProcess {
  readonly portOf: Surroundings['portOf'];
  readonly ports: Ports;
  readonly recent = new RecentUploads(64);
  readonly uploadImage: UploadImage;
  readonly uploadOnce: UploadImageOnce;
  readonly makeTickets: MakeTickets;
  readonly openTicket: OpenTicket;
  readonly uploadByTicket: UploadByTicket;
  readonly deleteImage: DeleteImage;
  readonly trashImage: DeleteImage;
  readonly eraseImage: EraseImage;
  readonly listTrash: ListTrash;
  readonly readChanges: ReadChanges;
  readonly editMetadata: EditMetadata;
  readonly editImages: EditImages;
  readonly searches: Searches;
  readonly listImages: ListImages;
  readonly countPeriods: CountPeriods;
  readonly findSimilar: FindSimilar;
  readonly openFile: OpenImageFile;
  readonly openRendition: OpenRendition;
  readonly prerender: PrerenderUploads;
  readonly makeLinks: MakeLinks;
  readonly openLink: OpenLink;
  readonly openPage: OpenPage;
  readonly archiveImages: ArchiveImages;
  readonly rotateLinkKey: RotateLinkKey;
  readonly sweepBlobs: SweepBlobs;
  readonly sweep: SweepOrphans;
  readonly verify: VerifyCatalog;
  readonly reindex: ReindexCatalog;
  readonly importTargets: DirectImportTargets;

  constructor(
    readonly owner: Owner,
    readonly storage: Storage,
    { uuids, signer, portOf, pause }: Surroundings,
  ) {
    this.portOf = portOf;
    const { clock } = storage;
    this.ports = portsOf(storage, portOf);
    const {
      images,
      names,
      spaces,
      trash,
      keys,
      blobs,
      renditions,
      metadata,
      search,
      linkKeys,
      similarImages,
    } = this.ports;
    const inspector = portOf('inspector', INSPECTOR);
    this.uploadImage = new UploadImage(images, blobs, inspector, uuids);
    this.uploadOnce = new UploadImageOnce(this.uploadImage, images, keys);
    const bytes = { blobs, renditions };
    this.deleteImage = new DeleteImage(images, bytes);
    this.trashImage = new DeleteImage(images, bytes, 'trash');
    this.eraseImage = new EraseImage(trash, bytes);
    // The steps of the simulation are the only ones that wait.
    const searches = new PortionQueue<'page' | 'count'>(
      subjectSlots('searches', Infinity, Infinity),
      NO_TIMER,
    );
    this.searches = searches;
    this.listTrash = new ListTrash(trash, searches);
    const cursors = new ChangeCursors(this.ports.identity, new AesCursorSeal());
    this.readChanges = new ReadChanges(this.ports.changes, cursors, images);
    this.editMetadata = new EditMetadata(metadata);
    this.editImages = new EditImages(metadata, new PortionQueue(subjectSlots('edits', 1, 1), NO_TIMER));
    this.listImages = new ListImages(search, spaces, searches, NO_TIMER);
    this.countPeriods = new CountPeriods(search, searches, NO_TIMER);
    this.findSimilar = new FindSimilar(images, similarImages, searches);
    this.openFile = new OpenImageFile(images, blobs);
    const stored = { images, cache: renditions, uploads: this.recent };
    this.openRendition = new OpenRendition(stored, this.openFile, portOf('maker', MAKER), SILENT);
    const limits = { renditions: [SMALL], maxOtherWork: 2 };
    this.prerender = new PrerenderUploads(this.openRendition, this.recent, limits, pause);
    const ring = new LinkKeyRing(linkKeys, signer, clock);
    const cipher = new AesTicketCipher();
    this.makeTickets = new MakeTickets(ring, cipher, uuids, clock);
    this.openTicket = new OpenTicket(ring, cipher, clock);
    this.uploadByTicket = new UploadByTicket(this.uploadOnce);
    this.makeLinks = new MakeLinks(images, names, ring, clock);
    this.openLink = new OpenLink(images, ring, clock);
    this.openPage = new OpenPage(images, ring, clock);
    this.archiveImages = new ArchiveImages(images, this.openFile, UTC, clock);
    this.rotateLinkKey = new RotateLinkKey(linkKeys, signer, clock);
    const limitsOfSweep = { graceMs: GRACE_MS, maxUploadMs: MAX_UPLOAD_MS, changesMs: CHANGES_MS };
    const ofBlobs = { ...this.ports, sharedRenditions: renditions };
    this.sweepBlobs = new SweepBlobs(ofBlobs, clock, owner.name, GRACE_MS, SILENT);
    const ofMachine = { ...this.ports, ownRenditions: undefined };
    const clocks = { wall: clock, steady: clock };
    const sweepTrash = new SweepTrash(trash, bytes, clocks, TRASH_MS, SILENT);
    const parts = { blobs: this.sweepBlobs, trash: sweepTrash };
    this.sweep = new SweepOrphans(ofMachine, parts, clock, limitsOfSweep, SILENT);
    this.verify = new VerifyCatalog(
      { images, trash, spaces, names, blobs },
      inspector,
      new NodeHasher(),
      clock,
    );
    const catalog = { images, metadata, hashes: similarImages };
    this.reindex = new ReindexCatalog(catalog, blobs, inspector);
    const { staging } = this.ports;
    this.importTargets = new DirectImportTargets(
      this.uploadOnce,
      images,
      staging,
      MAX_FILE_BYTES,
      MEDIA_TYPES,
    );
  }

  /** As the routes read one. */
  async getImage(space: Space, id: number): Promise<CatalogImage> {
    return foundImage(await this.ports.images.in(space).findById(id));
  }
}
