import * as z from 'zod';
import { etagOf, matchesJson } from '../request/validators.ts';
import { ifMatchOfJson } from '../route/headers.ts';
import { route } from '../route/route.ts';

export const deleteImage = route(
  {
    method: 'delete',
    path: '/api/image/:id',
    access: 'delete',
    changesCatalog: true,
    tag: 'Images',
    summary: 'Delete an image',
    description:
      'The record is gone at once for every reader; the bytes and the renditions follow. A second delete is 404. If the service keeps a trash (`TRASH_DAYS`), the image can be restored from there.',
    requestHeaders: z.object({ 'If-Match': ifMatchOfJson }),
    responses: { 204: { description: 'The image is deleted.' } },
    errors: ['precondition_failed'],
  },
  async ({ ctx, space, id }, { deleteImage }) => {
    await deleteImage.execute(space, id, {
      log: ctx.state.log,
      matches: (image) => matchesJson(ctx.get('If-Match'), etagOf(image)),
      by: ctx.state.actor,
    });
    return { status: 204 };
  },
);
