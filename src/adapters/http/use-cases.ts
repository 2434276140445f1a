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
import { OpenPage } from '../../application/links/open-page.ts';
import { EditImages } from '../../application/metadata/edit-images.ts';
import { EditMetadata } from '../../application/metadata/edit-metadata.ts';
import { GetMetadata } from '../../application/metadata/get-metadata.ts';
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
  findSimilar: FindSimilar,
  followChanges: FollowChanges,
  getImage: GetImage,
  getMetadata: GetMetadata,
  getUsage: GetUsage,
  listImages: ListImages,
  listTags: ListTags,
  lookUpImages: LookUpImages,
  makeLinks: MakeLinks,
  openImageFile: OpenImageFile,
  openLink: OpenLink,
  openPage: OpenPage,
  openRendition: OpenRendition,
  prerenderUploads: PrerenderUploads,
  readChanges: ReadChanges,
  uploadImage: UploadImage,
  uploadImageOnce: UploadImageOnce,
} as const;

type UseCaseClasses = typeof USE_CASES;

export type UseCases = { readonly [Name in keyof UseCaseClasses]: InstanceType<UseCaseClasses[Name]> };
