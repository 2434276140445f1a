import { fileQuery } from '../bytes/rendition-query.ts';
import { linksBody } from '../links/links-body.ts';
import { deleteImage, getImage, getImageFile } from './image-operations.ts';
import { makeLinks } from './link-operations.ts';
import { listImages, lookUpImages, timeline } from './listing-operations.ts';
import { getMetadata, listTags, patchMetadata, tagImages } from './metadata-operations.ts';
import type { Handler } from './operation.ts';
import { describeApi, greet } from './service-operations.ts';
import { findSimilar } from './similar-operations.ts';
import { type UploadSettings, uploadImage } from './upload-operation.ts';

export interface OperationSettings {
  readonly upload: UploadSettings;
  readonly renditions: {
    /** In pixels. */
    readonly sizes: readonly number[];
  };
  /** Whether originals are sent by redirects to the store. */
  readonly redirects: boolean;
  /** Whether a listener serves signed links. */
  readonly links: boolean;
}

/** All operations of the API listener by their `operationId`. Of paths that both match, the first one gets the request. */
export function operationsOf({ upload, renditions, redirects, links }: OperationSettings) {
  const { sizes } = renditions;
  const file = { sizes, query: fileQuery(sizes), redirects };
  return {
    greet,
    describeApi,
    uploadImage: uploadImage(upload, sizes),
    listImages: listImages(sizes),
    timeline,
    lookUpImages,
    makeLinks: makeLinks({ sizes, body: linksBody(sizes), areServed: links }),
    getImage: getImage(file),
    getImageFile: getImageFile(file),
    deleteImage,
    getMetadata,
    patchMetadata,
    tagImages,
    listTags,
    findSimilar: findSimilar(sizes),
  };
}

export type Operations = ReturnType<typeof operationsOf>;

export type OperationId = keyof Operations;

/** An operation without a handler does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };
