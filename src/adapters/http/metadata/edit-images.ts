import * as z from 'zod';
import { authorOf, callerOf } from '../auth/caller-of.ts';
import { route } from '../route/route.ts';
import { editBody } from './metadata-body.ts';

const ids = z.array(z.int().min(1));

export const editImages = route(
  {
    method: 'post',
    path: '/api/images/metadata',
    access: 'write',
    changesCatalog: true,
    tag: 'Metadata',
    summary: 'Change the metadata of many images',
    description:
      'All of it or nothing: if an image would pass 100 tags, or a time would leave the years 0001 to 9999, none is changed. Tags are removed first. An image that says all of it already keeps its version. The number of images times the number of words of all texts is at most 100,000: with 500 images 200 words.',
    json: {
      schema: editBody,
      example: { ids: [1, 2], addTags: ['tabby'], removeTags: ['unsorted'], shiftTaken: '-PT1H30M' },
    },
    responses: {
      200: {
        description: 'Ids in the order of the request, each once.',
        json: z
          .object({
            updated: ids.describe('Images that say all of it now.'),
            missing: ids.describe('Ids of no image.'),
          })
          .meta({ id: 'EditedImages' }),
        example: { updated: [1], missing: [2] },
      },
    },
    errors: ['too_many_changes', 'overloaded'],
  },
  async ({ ctx, space, body }, { editImages }) => {
    const { ids, ...request } = body();
    return {
      status: 200,
      body: await editImages.execute(space, ids, request, callerOf(ctx), authorOf(ctx)),
    };
  },
);
