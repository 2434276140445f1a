import * as z from 'zod';
import { ImageNotFound } from '../../../domain/errors.ts';
import { authorOf, callerOf } from '../auth/caller-of.ts';
import { anyImageId } from '../request/image-ids.ts';
import { ifMatchOfJson, ifNoneMatch } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { nameCondition } from './name-condition.ts';
import { nameResponse, validatorsOf } from './name-response.ts';
import { nameView } from './name-view.ts';
import { explainPublishing, publishingOf } from './publishing.ts';

const MAX_NAME_BYTES = 1024;

export const setName = route(
  {
    method: 'put',
    path: '/api/names/:name',
    access: 'write',
    changesCatalog: true,
    tag: 'Names',
    summary: 'Point a name to an image',
    description:
      'Gives a new name, or moves one: from then on every address of the name serves this image. With `If-None-Match: *` only if the name is free, with `If-Match` only at that version: of two who move one name at once, one gets 412. Where the name points to the image already, nothing changes. An image has at most 100 names: one more is 403 `quota_exceeded`. `public` gives the name a permanent address that everyone may open, or ends it; a request after which the name is public needs the scope for publishing.',
    requestHeaders: z.object({ 'If-Match': ifMatchOfJson, 'If-None-Match': ifNoneMatch }),
    json: {
      schema: z.strictObject({
        id: anyImageId(),
        public: z
          .boolean('true or false')
          .optional()
          .describe('By default the name stays as it is, and a new one is not public.'),
      }),
      maxBytes: MAX_NAME_BYTES,
      example: { id: 1, public: true },
    },
    responses: {
      200: { ...nameResponse, description: 'The name was there.' },
      201: { ...nameResponse, description: 'The name is new.' },
    },
    errors: ['image_not_found', 'precondition_failed', 'quota_exceeded', 'too_many_changes', 'overloaded'],
  },
  async ({ ctx, space, name, body }, parts) => {
    const { id, public: isPublic } = body();
    const publishing = publishingOf(ctx, isPublic, parts.settings);
    if (!Number.isSafeInteger(id)) throw new ImageNotFound();
    const change = { matches: nameCondition(ctx), ...publishing, ...authorOf(ctx) };
    const { named, isNew } = await parts.setName
      .execute(space, name, id, change, callerOf(ctx))
      .catch(explainPublishing(parts.settings));
    return { status: isNew ? 201 : 200, headers: validatorsOf(named), body: nameView(named, parts) };
  },
);
