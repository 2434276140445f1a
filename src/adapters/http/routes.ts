import { archiveImages } from './archive/archive-images.ts';
import { getImageFile } from './bytes/get-image-file.ts';
import { listChanges } from './changes/list-changes.ts';
import { deleteImage } from './image/delete-image.ts';
import { getImage } from './image/get-image.ts';
import { makeLinks } from './links/make-links.ts';
import { listImages } from './listing/list-images.ts';
import { lookUpImages } from './listing/look-up-images.ts';
import { timeline } from './listing/timeline.ts';
import { editImages } from './metadata/edit-images.ts';
import { getMetadata } from './metadata/get-metadata.ts';
import { listTags } from './metadata/list-tags.ts';
import { patchMetadata } from './metadata/patch-metadata.ts';
import { deleteName } from './names/delete-name.ts';
import { getName } from './names/get-name.ts';
import { getNameFile } from './names/get-name-file.ts';
import { listNames } from './names/list-names.ts';
import { setName } from './names/set-name.ts';
import type { Operation, OperationSettings } from './route/operation.ts';
import { describeApi } from './service/describe-api.ts';
import { greet } from './service/greet.ts';
import { findSimilar } from './similar/find-similar.ts';
import { listCopies } from './similar/list-copies.ts';
import { listSpaces } from './spaces/list-spaces.ts';
import { setSpaceLimits } from './spaces/set-space-limits.ts';
import { makeTickets } from './tickets/make-tickets.ts';
import { eraseImage } from './trash/erase-image.ts';
import { listTrash } from './trash/list-trash.ts';
import { restoreImage } from './trash/restore-image.ts';
import { uploadImage } from './upload/upload-image.ts';
import { getUsage } from './usage/get-usage.ts';

/** All routes of the API listener by their `operationId`. Of paths that both match, the first one gets the request. */
export const ROUTES = {
  greet,
  describeApi,
  uploadImage,
  listImages,
  timeline,
  listCopies,
  lookUpImages,
  listChanges,
  archiveImages,
  makeLinks,
  makeTickets,
  getImage,
  getImageFile,
  deleteImage,
  listTrash,
  restoreImage,
  eraseImage,
  getMetadata,
  patchMetadata,
  editImages,
  listTags,
  listNames,
  getName,
  setName,
  deleteName,
  getNameFile,
  getUsage,
  listSpaces,
  setSpaceLimits,
  findSimilar,
} as const;

export type OperationId = keyof typeof ROUTES;

export type Operations = Readonly<Record<OperationId, Operation>>;

/** Their description, with the settings of this process. */
export function operationsOf(settings: OperationSettings): Operations {
  const operations = Object.entries(ROUTES).map(([id, { operation }]) => [id, operation(settings)]);
  return Object.fromEntries(operations) as Operations;
}
