import type { Calendar } from '../domain/image/time/calendar.ts';
import type { BlobStore } from '../domain/ports/bytes/blob-store.ts';
import type { RecentCleanForms } from '../domain/ports/bytes/recent-clean-forms.ts';
import type { RenditionCache } from '../domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFiles } from '../domain/ports/bytes/temporary-files.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { RenditionMaker } from '../domain/ports/pictures/rendition-maker.ts';
import type { AddressSeal } from '../domain/ports/process/address-seal.ts';
import type { Clock } from '../domain/ports/process/clock.ts';
import type { EventLog } from '../domain/ports/process/event-log.ts';
import type { Timer } from '../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../domain/ports/process/uuid-generator.ts';
import type { CopyCandidates } from '../domain/ports/records/copy-candidates.ts';
import type { KeyRecords } from '../domain/ports/records/idempotency-keys.ts';
import type { MetadataRecords } from '../domain/ports/records/image-metadata-store.ts';
import type { ImageRecords } from '../domain/ports/records/image-repository.ts';
import type { ImageSearch, Timeline } from '../domain/ports/records/image-search.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { LinkKeyRecords } from '../domain/ports/records/link-keys.ts';
import type { NameListQuery, NameRecords } from '../domain/ports/records/names.ts';
import type { SimilarRecords } from '../domain/ports/records/similar-images.ts';
import type { SpaceRecords } from '../domain/ports/records/space-records.ts';
import type { TrashPageQuery, TrashRecords } from '../domain/ports/records/trash.ts';
import type { ChangeUseCases } from './changes/change-use-cases.ts';
import { PortionQueue } from './concurrency/portion-queue.ts';
import { DeleteImage } from './delete-image.ts';
import { EDIT_POLICY } from './edits/edits.ts';
import { ArchiveImages } from './files/archive-images.ts';
import { MadeFiles } from './files/made-files.ts';
import { OpenCleanOriginal } from './files/open-clean-original.ts';
import { OpenImageFile } from './files/open-image-file.ts';
import { OpenRendition } from './files/open-rendition.ts';
import { RecentUploads } from './files/recent-uploads.ts';
import { CountPeriods } from './find/count-periods.ts';
import { FindCopies } from './find/find-copies.ts';
import { FindSimilar } from './find/find-similar.ts';
import { ListImages } from './find/list-images.ts';
import { ListPages } from './find/list-pages.ts';
import { SEARCH_POLICY, type Searches } from './find/searches.ts';
import { LinkKeyRing } from './links/link-key-ring.ts';
import { MakeLinks } from './links/make-links.ts';
import { OpenLink } from './links/open-link.ts';
import { OpenNamedLink } from './links/open-named-link.ts';
import { OpenPage } from './links/open-page.ts';
import { OpenPublicName } from './links/open-public-name.ts';
import { EditImages } from './metadata/edit-images.ts';
import { EditMetadata } from './metadata/edit-metadata.ts';
import { RemoveName } from './names/remove-name.ts';
import { SetName } from './names/set-name.ts';
import { ListSpaces } from './spaces/list-spaces.ts';
import { MakeTickets } from './tickets/make-tickets.ts';
import { OpenTicket } from './tickets/open-ticket.ts';
import { EraseImage } from './trash/erase-image.ts';
import { RestoreImage } from './trash/restore-image.ts';
import { AdmitUpload } from './upload/admit-upload.ts';
import { type Pause, type PrerenderLimits, PrerenderUploads } from './upload/prerender-uploads.ts';
import { TicketSlots } from './upload/ticket-slots.ts';
import { uploadImageOf } from './upload/upload-image-of.ts';
import { UploadSlots, type UploadSlotsOptions } from './upload/upload-slots.ts';

/** What the use cases of requests are made of. */
export interface UseCasePorts {
  readonly images: ImageRecords;
  readonly metadata: MetadataRecords;
  readonly names: NameRecords;
  readonly spaces: SpaceRecords;
  readonly trash: TrashRecords;
  readonly search: InSpaces<ImageSearch>;
  readonly timeline: InSpaces<Timeline>;
  readonly similarImages: SimilarRecords;
  readonly copyCandidates: InSpaces<CopyCandidates>;
  readonly keys: KeyRecords;
  readonly linkKeys: LinkKeyRecords;
  readonly addressSeal: AddressSeal;
  readonly blobs: BlobStore;
  readonly renditions: RenditionCache;
  readonly temporaryFiles: TemporaryFiles;
  readonly recentCleanForms: RecentCleanForms;
  readonly uploadInspector: ImageInspector;
  readonly renditionMaker: RenditionMaker;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly uuids: UuidGenerator;
  readonly log: EventLog;
}

export interface UseCaseOptions {
  readonly changes: ChangeUseCases;
  /** Whether deleted images stay in the trash. */
  readonly keepsTrash: boolean;
  readonly prerender: PrerenderLimits;
  readonly pause: Pause;
  /** Uploads by token and by ticket share them. */
  readonly uploadSlots: Omit<UploadSlotsOptions, 'timer'>;
  /** Put in front of the two, for metrics. */
  readonly watchFiles: (files: OpenImageFile) => OpenImageFile;
  readonly watchRenditions: (renditions: MadeFiles) => MadeFiles;
}

const MAX_RECENT_UPLOADS = 64;

/** All that handlers call. */
export function useCasesOf(ports: UseCasePorts, options: UseCaseOptions) {
  const { images, blobs, renditions, trash, timer } = ports;
  const bytes = { blobs, renditions };
  const openImageFile = options.watchFiles(new OpenImageFile(images, blobs));
  return {
    ...options.changes,
    ...searchesOf(ports, new PortionQueue(SEARCH_POLICY, timer)),
    ...linksOf(ports),
    ...uploadsOf(ports, openImageFile, options),
    openImageFile,
    archiveImages: new ArchiveImages(images, openImageFile, ports.calendar, ports.clock),
    deleteImage: new DeleteImage(images, bytes, options.keepsTrash ? 'trash' : undefined),
    eraseImage: new EraseImage(trash, bytes),
    ...editsOf(ports),
  };
}

export type UseCases = Readonly<ReturnType<typeof useCasesOf>>;

function editsOf({ metadata, names, trash, timer }: UseCasePorts) {
  const edits = new PortionQueue(EDIT_POLICY, timer);
  return {
    editMetadata: new EditMetadata(metadata, edits),
    editImages: new EditImages(metadata, edits),
    setName: new SetName(names, edits),
    removeName: new RemoveName(names, edits),
    restoreImage: new RestoreImage(trash, edits),
  };
}

function searchesOf(ports: UseCasePorts, searches: Searches) {
  const { images, search, spaces, names, trash, timeline, similarImages, copyCandidates, timer } = ports;
  return {
    searches,
    listImages: new ListImages(search, spaces, searches, timer),
    listNames: new ListPages(
      {
        read: (space, query: NameListQuery) => names.in(space).list(query),
        positionOf: ({ name }) => name,
        batchSize: 500,
      },
      searches,
    ),
    listTrash: new ListPages(
      {
        read: (space, query: TrashPageQuery) => trash.in(space).findPage(query),
        positionOf: ({ trashedAt, image: { id } }) => ({ trashedAt, id }),
        // The longest records, with their descriptions, take 64 KiB each.
        batchSize: 16,
      },
      searches,
    ),
    listSpaces: new ListSpaces(spaces, searches),
    countPeriods: new CountPeriods(timeline, searches, timer),
    findSimilar: new FindSimilar(images, similarImages, searches),
    findCopies: new FindCopies(search, copyCandidates, searches),
  };
}

function linksOf(ports: UseCasePorts) {
  const { images, names, linkKeys, addressSeal, uuids, clock } = ports;
  const keys = new LinkKeyRing(linkKeys, addressSeal, clock);
  return {
    makeLinks: new MakeLinks(images, names, keys, clock),
    openLink: new OpenLink(images, keys, clock),
    openNamedLink: new OpenNamedLink(names, images, keys, clock),
    openPublicName: new OpenPublicName(names),
    openPage: new OpenPage(images, keys, clock),
    makeTickets: new MakeTickets(keys, addressSeal, uuids, clock),
    openTicket: new OpenTicket(keys, addressSeal, clock),
  };
}

function uploadsOf(
  ports: UseCasePorts,
  openImageFile: OpenImageFile,
  { watchRenditions, prerender, pause, uploadSlots }: UseCaseOptions,
) {
  const { images, blobs, keys, renditions: cache } = ports;
  const uploads = new RecentUploads(MAX_RECENT_UPLOADS);
  const { renditionMaker, temporaryFiles } = ports;
  const files = watchRenditions(new MadeFiles({ images, cache, temporaryFiles }));
  const openRendition = new OpenRendition(files, uploads, openImageFile, renditionMaker, ports.log);
  const prerenderUploads = new PrerenderUploads(openRendition, uploads, prerender, pause);
  const slots = new UploadSlots({ ...uploadSlots, timer: ports.timer });
  const admit = new AdmitUpload(ports.spaces, keys, slots, new TicketSlots(slots));
  return {
    openRendition,
    openCleanOriginal: new OpenCleanOriginal(
      files,
      ports.recentCleanForms,
      openRendition,
      openImageFile,
      renditionMaker,
    ),
    uploadImage: uploadImageOf(
      { images, keys, blobs, inspector: ports.uploadInspector, uuids: ports.uuids },
      { admit, prerender: prerenderUploads },
    ),
    prerenderUploads,
  };
}
