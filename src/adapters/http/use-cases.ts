import { FollowChanges } from '../../application/changes/follow-changes.ts';
import { ReadChanges } from '../../application/changes/read-changes.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { ArchiveImages } from '../../application/files/archive-images.ts';
import { GetImage, OpenImageFile } from '../../application/files/open-image-file.ts';
import { OpenRendition } from '../../application/files/open-rendition.ts';
import { CountPeriods } from '../../application/find/count-periods.ts';
import { FindSimilar } from '../../application/find/find-similar.ts';
import { ListImages } from '../../application/find/list-images.ts';
import { ListTags } from '../../application/find/list-tags.ts';
import { LookUpImages } from '../../application/find/look-up-images.ts';
import { GetUsage } from '../../application/get-usage.ts';
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
import { PrerenderUploads } from '../../application/upload/prerender-uploads.ts';
import { UploadImage } from '../../application/upload/upload-image.ts';
import { UploadImageOnce } from '../../application/upload/upload-image-once.ts';

/** Every use case that a handler calls, as the container makes it. */
export const USE_CASES = {
  admitUpload: AdmitUpload,
  archiveImages: ArchiveImages,
  countPeriods: CountPeriods,
  deleteImage: DeleteImage,
  editImages: EditImages,
  editMetadata: EditMetadata,
  eraseImage: EraseImage,
  findSimilar: FindSimilar,
  followChanges: FollowChanges,
  getImage: GetImage,
  getMetadata: GetMetadata,
  getName: GetName,
  getUsage: GetUsage,
  listImages: ListImages,
  listNames: ListNames,
  listTags: ListTags,
  listTrash: ListTrash,
  lookUpImages: LookUpImages,
  makeLinks: MakeLinks,
  makeTickets: MakeTickets,
  openImageFile: OpenImageFile,
  openLink: OpenLink,
  openNamedLink: OpenNamedLink,
  openPage: OpenPage,
  openRendition: OpenRendition,
  openTicket: OpenTicket,
  prerenderUploads: PrerenderUploads,
  readChanges: ReadChanges,
  removeName: RemoveName,
  setName: SetName,
  restoreImage: RestoreImage,
  uploadByTicket: UploadByTicket,
  uploadImage: UploadImage,
  uploadImageOnce: UploadImageOnce,
} as const;

type UseCaseClasses = typeof USE_CASES;

export type UseCases = { readonly [Name in keyof UseCaseClasses]: InstanceType<UseCaseClasses[Name]> };
