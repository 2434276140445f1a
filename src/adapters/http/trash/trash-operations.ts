import { z } from 'zod';
import { exampleRecord } from '../image/example-image.ts';
import { imageRecord } from '../image/image-view.ts';
import { nextPageLink, pageLimit } from '../listing/page-schemas.ts';
import { cacheControl } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { type TrashedView, trashedImage } from './trash-view.ts';

const listQuery = z.strictObject({
  limit: pageLimit('The images of a page at most; without it all are listed.'),
  after: z.string().optional().meta({ description: 'The cursor of a `next` link.' }),
});

const noStore = z.object({ 'Cache-Control': cacheControl('no-store') });

function exampleOf(sizes: readonly number[]): TrashedView {
  return {
    image: exampleRecord(sizes),
    trashedAt: '2026-01-31T12:00:00.000Z',
    trashedBy: 'demo',
    erasedAt: '2026-03-02T12:00:00.000Z',
  };
}

/** @param sizes of renditions, in pixels, ascending */
export function listTrashOperation(sizes: readonly number[]) {
  return {
    method: 'get',
    path: '/api/trash',
    access: 'read',
    tag: 'Trash',
    summary: 'List the trash',
    description:
      'Newest first. Without `limit` the response is the whole trash, streamed. With `limit` it is one page, which ends earlier when its JSON would pass 4 MiB; follow the `next` link unchanged until a response has none.',
    query: listQuery,
    responses: {
      200: {
        description: 'The images.',
        headers: noStore.extend({
          Link: nextPageLink('</api/trash?limit=1&after=dDE3NjkwMTM1NTAwMDAuNC43NmQ4YjI5MA>; rel="next"'),
        }),
        json: z.array(trashedImage),
        isEncoded: true,
        example: [exampleOf(sizes)],
      },
    },
    errors: ['overloaded', 'storage_unavailable'],
  } as const satisfies Operation;
}

/** @param sizes of renditions, in pixels, ascending */
export function restoreImageOperation(sizes: readonly number[]) {
  return {
    method: 'post',
    path: '/api/trash/:id/restore',
    access: 'delete',
    changesCatalog: true,
    tag: 'Trash',
    summary: 'Restore an image from the trash',
    description:
      'The image has its id, file name, metadata and place in all orders again, and links to it work again as long as they have not expired. Names do not come back. Tags get the spelling that is now in use; if that changes them, the version of the metadata rises. No quota refuses it.',
    responses: {
      200: {
        description: 'The record.',
        headers: noStore,
        json: imageRecord,
        example: exampleRecord(sizes),
      },
    },
    errors: ['image_not_found', 'storage_unavailable'],
  } as const satisfies Operation;
}

export const eraseImageOperation = {
  method: 'delete',
  path: '/api/trash/:id',
  access: 'delete',
  changesCatalog: true,
  tag: 'Trash',
  summary: 'Erase an image of the trash',
  description: 'At once and for good: the bytes and the renditions follow. A second erasure is 404.',
  responses: { 204: { description: 'The image is erased.' } },
  errors: ['image_not_found', 'storage_unavailable'],
} as const satisfies Operation;
