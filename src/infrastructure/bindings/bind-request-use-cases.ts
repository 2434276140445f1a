import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { FairQueue } from '../../application/concurrency/fair-queue.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { ArchiveImages } from '../../application/files/archive-images.ts';
import { GetImage, OpenImageFile } from '../../application/files/open-image-file.ts';
import { OpenRendition, RecentUploads } from '../../application/files/open-rendition.ts';
import { CountPeriods } from '../../application/find/count-periods.ts';
import { FindSimilar } from '../../application/find/find-similar.ts';
import { ListImages } from '../../application/find/list-images.ts';
import { ListTags } from '../../application/find/list-tags.ts';
import { LookUpImages } from '../../application/find/look-up-images.ts';
import { SEARCH_SHARES } from '../../application/find/search-shares.ts';
import { GetUsage } from '../../application/get-usage.ts';
import { LinkKeyRing } from '../../application/links/link-key-ring.ts';
import { MakeLinks } from '../../application/links/make-links.ts';
import { OpenLink } from '../../application/links/open-link.ts';
import { OpenNamedLink } from '../../application/links/open-named-link.ts';
import { OpenPage } from '../../application/links/open-page.ts';
import { EditImages } from '../../application/metadata/edit-images.ts';
import { EditMetadata } from '../../application/metadata/edit-metadata.ts';
import { GetMetadata } from '../../application/metadata/get-metadata.ts';
import { GetName } from '../../application/names/get-name.ts';
import { ListNames } from '../../application/names/list-names.ts';
import { RemoveName } from '../../application/names/remove-name.ts';
import { SetName } from '../../application/names/set-name.ts';
import { MakeTickets } from '../../application/tickets/make-tickets.ts';
import { OpenTicket } from '../../application/tickets/open-ticket.ts';
import { UploadByTicket } from '../../application/tickets/upload-by-ticket.ts';
import { EraseImage } from '../../application/trash/erase-image.ts';
import { ListTrash } from '../../application/trash/list-trash.ts';
import { RestoreImage } from '../../application/trash/restore-image.ts';
import { AdmitUpload } from '../../application/upload/admit-upload.ts';
import { type PrerenderLimits, PrerenderUploads } from '../../application/upload/prerender-uploads.ts';
import { UploadImage } from '../../application/upload/upload-image.ts';
import { UploadImageOnce } from '../../application/upload/upload-image-once.ts';
import type { StorageConfig } from '../config/config.ts';
import { TOKENS } from '../tokens.ts';

const MAX_RECENT_UPLOADS = 64;
/** They exclude each other anyway. Those that wait hold no connection. */
const ONE_AT_A_TIME = { places: 1, mayBegin: () => true };

/** A core stays free for a rendition that no client has requested. */
function limitsOf({ renditions }: StorageConfig): PrerenderLimits {
  return {
    renditions: renditions.prerendered,
    maxOtherWork: Math.min(availableParallelism(), renditions.concurrency),
  };
}

const PAUSE_MS = 20;

async function pause(stopped: AbortSignal): Promise<void> {
  await delay(PAUSE_MS, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

export function bindRequestUseCases(container: Container): void {
  bindUploads(container);
  bindRecords(container);
  bindTrash(container);
  bindSearch(container);
  bindBytes(container);
  bindLinks(container);
  bindNames(container);
  bindTickets(container);
}

function bindUploads(container: Container): void {
  const { storageConfig, images, spaces, keys, blobs, uploadInspector, uuids } = TOKENS;
  container.bind(AdmitUpload).toResolvedValue((...ports) => new AdmitUpload(...ports), [spaces, keys]);
  container
    .bind(UploadImage)
    .toResolvedValue((...ports) => new UploadImage(...ports), [images, blobs, uploadInspector, uuids]);
  container
    .bind(UploadImageOnce)
    .toResolvedValue((...ports) => new UploadImageOnce(...ports), [UploadImage, images, keys]);
  container.bind(RecentUploads).toResolvedValue(() => new RecentUploads(MAX_RECENT_UPLOADS));
  container
    .bind(PrerenderUploads)
    .toResolvedValue(
      (openRendition, recent, config) => new PrerenderUploads(openRendition, recent, limitsOf(config), pause),
      [OpenRendition, RecentUploads, storageConfig],
    )
    .onDeactivation((prerenderUploads) => prerenderUploads.stop());
}

function bindRecords(container: Container): void {
  const { images, blobs, renditions, metadata } = TOKENS;
  container.bind(GetImage).toResolvedValue((repository) => new GetImage(repository), [images]);
  container
    .bind(DeleteImage)
    .toResolvedValue(
      (repository, store, cache, { trashDays = 0 }) =>
        new DeleteImage(repository, { blobs: store, renditions: cache }, trashDays > 0 ? 'trash' : undefined),
      [images, blobs, renditions, TOKENS.storageConfig],
    );
  container.bind(GetMetadata).toResolvedValue((store) => new GetMetadata(store), [metadata]);
  container.bind(EditMetadata).toResolvedValue((store) => new EditMetadata(store), [metadata]);
  container
    .bind(EditImages)
    .toResolvedValue(
      (store, timer) => new EditImages(store, new FairQueue(ONE_AT_A_TIME, timer)),
      [metadata, TOKENS.timer],
    );
}

function bindNames(container: Container): void {
  const { names } = TOKENS;
  container.bind(GetName).toResolvedValue((records) => new GetName(records), [names]);
  container.bind(SetName).toResolvedValue((records) => new SetName(records), [names]);
  container.bind(RemoveName).toResolvedValue((records) => new RemoveName(records), [names]);
  container.bind(ListNames).toResolvedValue((...ports) => new ListNames(...ports), [names, TOKENS.searches]);
}

function bindTrash(container: Container): void {
  const { trash, blobs, renditions } = TOKENS;
  container.bind(ListTrash).toResolvedValue((...ports) => new ListTrash(...ports), [trash, TOKENS.searches]);
  container.bind(RestoreImage).toResolvedValue((records) => new RestoreImage(records), [trash]);
  container
    .bind(EraseImage)
    .toResolvedValue(
      (records, store, cache) => new EraseImage(records, { blobs: store, renditions: cache }),
      [trash, blobs, renditions],
    );
}

function bindSearch(container: Container): void {
  const { images, spaces, search, tags, timeline, similarImages, searches, timer } = TOKENS;
  container.bind(searches).toResolvedValue((after) => new FairQueue(SEARCH_SHARES, after), [timer]);
  container
    .bind(ListImages)
    .toResolvedValue((...ports) => new ListImages(...ports), [search, spaces, searches, timer]);
  container.bind(LookUpImages).toResolvedValue((repository) => new LookUpImages(repository), [images]);
  container.bind(GetUsage).toResolvedValue((usage) => new GetUsage(usage), [spaces]);
  container.bind(ListTags).toResolvedValue((...ports) => new ListTags(...ports), [tags, searches]);
  container
    .bind(CountPeriods)
    .toResolvedValue((...ports) => new CountPeriods(...ports), [timeline, searches, timer]);
  container
    .bind(FindSimilar)
    .toResolvedValue((...ports) => new FindSimilar(...ports), [images, similarImages, searches]);
}

function bindBytes(container: Container): void {
  const { images, blobs, renditions, renditionMaker, calendar, clock, log } = TOKENS;
  container.bind(OpenImageFile).toResolvedValue((...ports) => new OpenImageFile(...ports), [images, blobs]);
  container
    .bind(ArchiveImages)
    .toResolvedValue((...ports) => new ArchiveImages(...ports), [images, OpenImageFile, calendar, clock]);
  container
    .bind(OpenRendition)
    .toResolvedValue(
      (repository, cache, uploads, ...rest) =>
        new OpenRendition({ images: repository, cache, uploads }, ...rest),
      [images, renditions, RecentUploads, OpenImageFile, renditionMaker, log],
    );
}

function bindLinks(container: Container): void {
  const { images, names, linkKeys, linkSigner, clock } = TOKENS;
  container
    .bind(LinkKeyRing)
    .toResolvedValue((...ports) => new LinkKeyRing(...ports), [linkKeys, linkSigner, clock]);
  container
    .bind(MakeLinks)
    .toResolvedValue((...ports) => new MakeLinks(...ports), [images, names, LinkKeyRing, clock]);
  container
    .bind(OpenLink)
    .toResolvedValue((...ports) => new OpenLink(...ports), [images, LinkKeyRing, clock]);
  container
    .bind(OpenNamedLink)
    .toResolvedValue((...ports) => new OpenNamedLink(...ports), [names, images, LinkKeyRing, clock]);
  container
    .bind(OpenPage)
    .toResolvedValue((...ports) => new OpenPage(...ports), [images, LinkKeyRing, clock]);
}

function bindTickets(container: Container): void {
  const { ticketCipher, uuids, clock } = TOKENS;
  container
    .bind(MakeTickets)
    .toResolvedValue((...ports) => new MakeTickets(...ports), [LinkKeyRing, ticketCipher, uuids, clock]);
  container
    .bind(OpenTicket)
    .toResolvedValue((...ports) => new OpenTicket(...ports), [LinkKeyRing, ticketCipher, clock]);
  container.bind(UploadByTicket).toResolvedValue((once) => new UploadByTicket(once), [UploadImageOnce]);
}
