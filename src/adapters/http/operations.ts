import { archiveImagesOperation } from './archive/archive-operation.ts';
import { getImageFileOperation } from './bytes/file-operation.ts';
import { fileQuery } from './bytes/rendition-query.ts';
import { listChangesOperation } from './changes/changes-operation.ts';
import { deleteImageOperation, getImageOperation } from './image/image-operations.ts';
import { makeLinksOperation } from './links/link-operations.ts';
import { linksBody } from './links/links-body.ts';
import {
  listImagesOperation,
  lookUpImagesOperation,
  timelineOperation,
} from './listing/listing-operations.ts';
import {
  editImagesOperation,
  getMetadataOperation,
  listTagsOperation,
  patchMetadataOperation,
} from './metadata/metadata-operations.ts';
import {
  deleteNameOperation,
  getNameFileOperation,
  getNameOperation,
  listNamesOperation,
  setNameOperation,
} from './names/name-operations.ts';
import type { Handler } from './openapi/operation.ts';
import { describeApiOperation } from './service/api-description.ts';
import { greetOperation } from './service/greet.ts';
import { findSimilarOperation } from './similar/similar-operations.ts';
import { makeTicketsOperation } from './tickets/ticket-operations.ts';
import { eraseImageOperation, listTrashOperation, restoreImageOperation } from './trash/trash-operations.ts';
import { type UploadSettings, uploadImageOperation } from './upload/upload-operation.ts';
import { getUsageOperation } from './usage/usage-operation.ts';

export interface OperationSettings {
  readonly upload: UploadSettings;
  readonly renditions: {
    /** In pixels. */
    readonly sizes: readonly number[];
  };
  /** Whether originals are sent by redirects to the store. */
  readonly redirects: boolean;
  /** Whether a listener serves signed links and takes tickets. */
  readonly links: boolean;
}

/** All operations of the API listener by their `operationId`. Of paths that both match, the first one gets the request. */
export function operationsOf({ upload, renditions, redirects, links }: OperationSettings) {
  const { sizes } = renditions;
  const file = { sizes, query: fileQuery(sizes), redirects };
  return {
    greet: greetOperation,
    describeApi: describeApiOperation,
    uploadImage: uploadImageOperation(upload, sizes),
    listImages: listImagesOperation(sizes),
    timeline: timelineOperation,
    lookUpImages: lookUpImagesOperation,
    listChanges: listChangesOperation(sizes),
    archiveImages: archiveImagesOperation,
    makeLinks: makeLinksOperation({ sizes, body: linksBody(sizes), areServed: links }),
    makeTickets: makeTicketsOperation({ maxFileBytes: upload.maxBytes, areTaken: links }),
    getImage: getImageOperation(file),
    getImageFile: getImageFileOperation(file),
    deleteImage: deleteImageOperation,
    listTrash: listTrashOperation(sizes),
    restoreImage: restoreImageOperation(sizes),
    eraseImage: eraseImageOperation,
    getMetadata: getMetadataOperation,
    patchMetadata: patchMetadataOperation,
    editImages: editImagesOperation,
    listTags: listTagsOperation,
    listNames: listNamesOperation,
    getName: getNameOperation,
    setName: setNameOperation,
    deleteName: deleteNameOperation,
    getNameFile: getNameFileOperation(file),
    getUsage: getUsageOperation,
    findSimilar: findSimilarOperation(sizes),
  };
}

export type Operations = ReturnType<typeof operationsOf>;

export type OperationId = keyof Operations;

/** An operation without a handler does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };
