import { z } from 'zod';
import { NO_CAPTURE } from '../../../domain/image/metadata.ts';
import { cacheControl, ifMatch, ifNoneMatch } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { editBody, MAX_EDIT_BYTES, MAX_PATCH_BYTES, metadataPatch } from './metadata-body.ts';
import { imageMetadata, type MetadataView } from './metadata-view.ts';
import { tagQuery } from './tag-query.ts';

/** The cat of the demo, after the change that the document shows. */
const EXAMPLE_METADATA: MetadataView = {
  title: 'Chelsea',
  description: null,
  tags: ['sofa', 'tabby'],
  takenAt: null,
  focus: { x: 0.5, y: 0.25 },
  capture: NO_CAPTURE,
  updatedAt: '2026-01-31T12:30:00.000Z',
};

const validators = z.object({
  ETag: z.string().meta({
    description: 'The version: it rises by 1 with every change.',
    pattern: '^"m[1-9]\\d*"$',
    examples: ['"m2"'],
  }),
  'Cache-Control': cacheControl('private, no-cache'),
});

const metadataResponse = {
  description: 'The metadata.',
  headers: validators,
  json: imageMetadata,
  example: EXAMPLE_METADATA,
} as const;

export const getMetadataOperation = {
  method: 'get',
  path: '/api/image/:id/metadata',
  access: 'read',
  tag: 'Metadata',
  summary: 'What people and the camera say about an image',
  description:
    'Title, description, tags, the time at which the image was taken, the point that crops keep, and what the camera wrote into the file. What a person sets for `takenAt` wins over the camera.',
  requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
  responses: {
    200: metadataResponse,
    304: { description: 'The client has this version already.', headers: validators },
  },
  errors: ['storage_unavailable'],
} as const satisfies Operation;

export const patchMetadataOperation = {
  method: 'patch',
  path: '/api/image/:id/metadata',
  access: 'write',
  changesCatalog: true,
  tag: 'Metadata',
  summary: 'Change the metadata of an image',
  description:
    'A merge patch (RFC 7396): what is missing stays, and null clears. The change survives a power cut before the response is sent. With `If-Match` it applies to that version alone. A patch that changes nothing keeps the version. Without the scope for reading the response is 204 with the `ETag` alone.',
  requestHeaders: z.object({ 'If-Match': ifMatch }),
  json: {
    mediaType: 'application/merge-patch+json',
    schema: metadataPatch,
    maxBytes: MAX_PATCH_BYTES,
    example: { title: 'Chelsea', tags: ['tabby', 'sofa'], description: null, focus: { x: 0.5, y: 0.25 } },
  },
  responses: {
    200: metadataResponse,
    204: {
      description: 'The metadata are changed, and the token lacks the scope for reading them.',
      headers: validators.pick({ ETag: true }),
    },
  },
  errors: ['precondition_failed', 'storage_unavailable'],
} as const satisfies Operation;

const ids = z.array(z.int().min(1));

export const editImagesOperation = {
  method: 'post',
  path: '/api/images/metadata',
  access: 'write',
  changesCatalog: true,
  tag: 'Metadata',
  summary: 'Change the metadata of many images',
  description:
    'All of it or nothing: if an image would pass 100 tags, or a time would leave the years 0001 to 9999, none is changed. Tags are removed first. An image that says all of it already keeps its version. The number of images times the number of words of all texts is at most 100,000: with 500 images 200 words.',
  json: {
    mediaType: 'application/json',
    schema: editBody,
    maxBytes: MAX_EDIT_BYTES,
    example: { ids: [1, 2], addTags: ['tabby'], removeTags: ['unsorted'], shiftTaken: '-PT1H30M' },
  },
  responses: {
    200: {
      description: 'Ids in the order of the request, each once.',
      headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
      json: z
        .object({
          updated: ids.meta({ description: 'Images that say all of it now.' }),
          missing: ids.meta({ description: 'Ids of no image.' }),
        })
        .meta({ id: 'EditedImages' }),
      example: { updated: [1], missing: [2] },
    },
  },
  errors: ['overloaded', 'storage_unavailable'],
} as const satisfies Operation;

export const listTagsOperation = {
  method: 'get',
  path: '/api/tags',
  access: 'read',
  tag: 'Metadata',
  summary: 'List tags',
  description: 'The tags of all images, with the number of their images. Tags without images are not listed.',
  query: tagQuery,
  responses: {
    200: {
      description: 'The tags.',
      headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
      json: z
        .array(z.object({ tag: z.string(), count: z.int().min(1).meta({ description: 'Images.' }) }))
        .meta({ id: 'TagCounts' }),
      example: [
        { tag: 'sofa', count: 1 },
        { tag: 'tabby', count: 1 },
      ],
    },
  },
  errors: ['overloaded', 'storage_unavailable'],
} as const satisfies Operation;
