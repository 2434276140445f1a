import { z } from 'zod';
import { NAME_PREFIX } from '../../../domain/name/name.ts';
import {
  FILE_ERRORS,
  type FileSettings,
  fileConditions,
  fileResponses,
  redirect,
} from '../bytes/file-operation.ts';
import { nextPageLink, pageLimit } from '../listing/page-schemas.ts';
import { cacheControl, ifMatch, ifNoneMatch } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { anyImageId } from '../request/image-ids.ts';
import { anyName, EXAMPLE_NAME, namedImage } from './name-view.ts';

const MAX_NAME_BYTES = 1024;
const PREFIX = '1 to 128 of A-Z a-z 0-9 . _ -';

const listQuery = z.strictObject({
  prefix: z.string().regex(NAME_PREFIX, PREFIX).optional().meta({
    description: 'The beginning of the names, exactly.',
  }),
  limit: pageLimit('The names of a page at most; without it all are listed.'),
  after: anyName.optional().meta({
    description: 'Lists on behind this name, which may be gone by now.',
  }),
});

const validators = z.object({
  ETag: z.string().meta({
    description:
      'The version: it rises with every change, also over a removal, and no version of a name comes twice.',
    pattern: '^"n[1-9]\\d*"$',
    examples: ['"n2"'],
  }),
  'Cache-Control': cacheControl('private, no-cache'),
});

const nameResponse = {
  description: 'The name and the image that it points to.',
  headers: validators,
  json: namedImage,
  example: EXAMPLE_NAME,
} as const;

export const getNameOperation = {
  method: 'get',
  path: '/api/names/:name',
  access: 'read',
  tag: 'Names',
  summary: 'Where a name points to',
  description: 'Read from the database at every request.',
  requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
  responses: {
    200: nameResponse,
    304: { description: 'The client has this version already.', headers: validators },
  },
  errors: ['name_not_found', 'storage_unavailable'],
} as const satisfies Operation;

export const setNameOperation = {
  method: 'put',
  path: '/api/names/:name',
  access: 'write',
  changesCatalog: true,
  tag: 'Names',
  summary: 'Point a name to an image',
  description:
    'Gives a new name, or moves one: from then on every address of the name serves this image. With `If-None-Match: *` only if the name is free, with `If-Match` only at that version: of two who move one name at once, one gets 412. Where the name points to the image already, nothing changes. An image has at most 100 names: one more is 403 `quota_exceeded`.',
  requestHeaders: z.object({ 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch }),
  json: {
    mediaType: 'application/json',
    schema: z.strictObject({ id: anyImageId() }),
    maxBytes: MAX_NAME_BYTES,
    example: { id: 1 },
  },
  responses: {
    200: { ...nameResponse, description: 'The name was there.' },
    201: { ...nameResponse, description: 'The name is new.' },
  },
  errors: ['image_not_found', 'precondition_failed', 'quota_exceeded', 'storage_unavailable'],
} as const satisfies Operation;

export const deleteNameOperation = {
  method: 'delete',
  path: '/api/names/:name',
  access: 'write',
  changesCatalog: true,
  tag: 'Names',
  summary: 'Remove a name',
  description:
    'The image stays. A name that is set again keeps its number, and its version continues to rise. A name that was removed longer ago than the feed of changes reaches back, and than 8 days, is forgotten: set again it is a new name with another number, and its versions begin above those that it had.',
  requestHeaders: z.object({ 'If-Match': ifMatch }),
  responses: { 204: { description: 'The name is gone.' } },
  errors: ['name_not_found', 'precondition_failed', 'storage_unavailable'],
} as const satisfies Operation;

export const listNamesOperation = {
  method: 'get',
  path: '/api/names',
  access: 'read',
  tag: 'Names',
  summary: 'List the names',
  description: 'Sorted by code point. Without `limit` all of them, streamed.',
  query: listQuery,
  responses: {
    200: {
      description: 'The names.',
      headers: z.object({
        'Cache-Control': cacheControl('no-store'),
        Link: nextPageLink('</api/names?limit=100&after=front-page>; rel="next"'),
      }),
      json: z.array(namedImage),
      isEncoded: true,
      example: [EXAMPLE_NAME],
    },
  },
  errors: ['overloaded', 'storage_unavailable'],
} as const satisfies Operation;

const contentLocation = z.string().meta({
  description: 'The address of these bytes by the id of the image, where they never change.',
  pattern: '^/api/image/[1-9]\\d*/file',
  examples: ['/api/image/1/file'],
});

const ofName = {
  'Cache-Control': cacheControl('private, no-cache'),
  'Content-Location': contentLocation,
};

const moving = {
  200: {
    ...fileResponses[200],
    headers: fileResponses[200].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
  206: {
    ...fileResponses[206],
    headers: fileResponses[206].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
  304: {
    ...fileResponses[304],
    headers: fileResponses[304].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
} as const;

export function getNameFileOperation({ query, redirects }: FileSettings) {
  return {
    method: 'get',
    path: '/api/names/:name/file',
    access: 'read',
    tag: 'Names',
    summary: 'The bytes of the image that a name points to',
    description:
      'As `GET /api/image/{id}/file` of that image. The name is read at every request, and again just before the headers are sent. There is no `Last-Modified`: a name may move to an older image.',
    query,
    requestHeaders: fileConditions.omit({ 'If-Modified-Since': true, 'If-Unmodified-Since': true }),
    responses: { ...moving, ...(redirects ? redirect : {}) },
    errors: [...FILE_ERRORS.filter((code) => code !== 'image_not_found'), 'name_not_found'],
  } as const satisfies Operation;
}
