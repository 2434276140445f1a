import { ArchiveImages } from '../../application/archive-images.ts';
import { CountPeriods } from '../../application/count-periods.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { EditImages } from '../../application/edit-images.ts';
import { EditMetadata } from '../../application/edit-metadata.ts';
import { FindSimilar } from '../../application/find-similar.ts';
import { GetMetadata } from '../../application/get-metadata.ts';
import { ListImages } from '../../application/list-images.ts';
import { ListTags } from '../../application/list-tags.ts';
import { LookUpImages } from '../../application/look-up-images.ts';
import { MakeLinks } from '../../application/make-links.ts';
import { GetImage, OpenImageFile } from '../../application/open-image-file.ts';
import { OpenLink } from '../../application/open-link.ts';
import { OpenPage } from '../../application/open-page.ts';
import { OpenRendition } from '../../application/open-rendition.ts';
import { PrerenderUploads } from '../../application/prerender-uploads.ts';
import { UploadImage } from '../../application/upload-image.ts';
import { UploadImageOnce } from '../../application/upload-image-once.ts';

/** Every use case that a handler calls, as the container makes it. */
export const USE_CASES = {
  archiveImages: ArchiveImages,
  countPeriods: CountPeriods,
  deleteImage: DeleteImage,
  editImages: EditImages,
  editMetadata: EditMetadata,
  findSimilar: FindSimilar,
  getImage: GetImage,
  getMetadata: GetMetadata,
  listImages: ListImages,
  listTags: ListTags,
  lookUpImages: LookUpImages,
  makeLinks: MakeLinks,
  openImageFile: OpenImageFile,
  openLink: OpenLink,
  openPage: OpenPage,
  openRendition: OpenRendition,
  prerenderUploads: PrerenderUploads,
  uploadImage: UploadImage,
  uploadImageOnce: UploadImageOnce,
} as const;

type UseCaseClasses = typeof USE_CASES;

export type UseCases = { readonly [Name in keyof UseCaseClasses]: InstanceType<UseCaseClasses[Name]> };
