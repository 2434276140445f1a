import { z } from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { EXAMPLE_IMAGE, exampleRecord } from '../image/example-image.ts';
import { imageRecord } from '../image/image-view.ts';
import { cacheControl } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { listQuery } from './list-query.ts';
import { lookUpBody, MAX_LOOK_UP_BYTES } from './look-up-body.ts';
import { nextPageLink } from './page-schemas.ts';
import { timelineQuery } from './timeline-query.ts';

const listingHeaders = z.object({
  'Cache-Control': cacheControl('no-store'),
  'Changes-Cursor': z.string().meta({
    description: 'The end of the feed of changes before the first row was read: see `GET /api/changes`.',
    pattern: CHANGE_CURSOR.source,
    examples: ['pEYuQUHnO6N4UTLlFoXdiQ'],
  }),
  Link: nextPageLink('</api/images?limit=1&order=desc&after=NC5kYzI4ZTQ5MQ>; rel="next"'),
  'X-Total-Count': z
    .string()
    .optional()
    .meta({
      description:
        'With `count=true`: the number of images that match the filters, over all pages. Left out if counting would take longer than 2 seconds.',
      pattern: '^\\d+$',
      examples: ['4'],
    }),
});

/** @param sizes of renditions, in pixels, ascending */
export function listImagesOperation(sizes: readonly number[]) {
  return {
    method: 'get',
    path: '/api/images',
    access: 'read',
    tag: 'Images',
    summary: 'List images',
    description:
      'Without `limit` the response is the whole catalog, streamed: process it as it arrives. With `limit` it is one page; follow the `next` link unchanged until a response has none. A page may be short or empty although it has a `next` link: it ends when it has looked at 50,000 images or entries of an index, and before its JSON passes 4 MiB. Concurrent uploads and deletes neither repeat nor skip other images, and every page costs the same. A search that gets no turn within 10 seconds, beside other searches of its subject, is 503 `overloaded`.',
    query: listQuery,
    responses: {
      200: {
        description: 'The records.',
        headers: listingHeaders,
        json: z.array(imageRecord),
        isEncoded: true,
        example: [exampleRecord(sizes)],
      },
    },
    errors: ['not_acceptable', 'overloaded', 'storage_unavailable'],
  } as const satisfies Operation;
}

export const timelineOperation = {
  method: 'get',
  path: '/api/images/timeline',
  access: 'read',
  tag: 'Images',
  summary: 'Count images by day, month or year',
  description:
    'Newest first, in the time zone of the catalog (`x-time-zone` of this document); images without a capture time count by `createdAt`. Follow a cursor with `GET /api/images?sort=taken&order=desc&after=…` and the same filters to begin at its period. A timeline that takes longer than 10 seconds, the wait for other searches of its subject included, is 503 `overloaded`.',
  query: timelineQuery,
  responses: {
    200: {
      description: 'The periods that have images.',
      headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
      json: z
        .array(
          z.object({
            period: z.string().meta({
              pattern: '^\\d{4}(-\\d\\d(-\\d\\d)?)?$',
              description: 'As in 2026-11-22, 2026-11 or 2026.',
            }),
            count: z.int().min(1).meta({ description: 'Images.' }),
            after: z.string().meta({ description: 'The cursor with which a listing begins at this period.' }),
          }),
        )
        .meta({ id: 'Timeline' }),
      example: [{ period: '2026-01', count: 1, after: 'dDE3Njk5MDQwMDAwMDAuMC41ZmQ5MjVhZQ' }],
    },
  },
  errors: ['overloaded', 'storage_unavailable'],
} as const satisfies Operation;

export const lookUpImagesOperation = {
  method: 'post',
  path: '/api/images/lookup',
  access: 'read',
  tag: 'Images',
  summary: 'Find images by the digest of their bytes',
  description: 'Says before an upload which of these files the catalog has already.',
  json: {
    mediaType: 'application/json',
    schema: lookUpBody,
    maxBytes: MAX_LOOK_UP_BYTES,
    example: { sha256: [EXAMPLE_IMAGE.sha256, 'f'.repeat(64)] },
  },
  responses: {
    200: {
      description: 'The ids of the images by digest. Digests without an image are left out.',
      headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
      json: z
        .record(
          z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
          z.array(z.int().min(1)).min(1).meta({ description: 'Ascending.' }),
        )
        .meta({ id: 'ImageIdsByDigest' }),
      example: { [EXAMPLE_IMAGE.sha256]: [EXAMPLE_IMAGE.id] },
    },
  },
  errors: ['storage_unavailable'],
} as const satisfies Operation;
