import * as z from 'zod';
import { fold } from '../../../domain/image/words/fold.ts';
import { callerOf } from '../auth/caller-of.ts';
import { wholeNumber } from '../request/read-query.ts';
import { route } from '../route/route.ts';

const MAX_TAGS_LISTED = 1000;
const PREFIX = '1 to 64 characters';

const tagQuery = z.strictObject({
  prefix: z
    .string()
    .regex(/^[^]{1,64}$/u, PREFIX)
    .optional()
    .describe('The beginning of the tags, without regard to case and accents.'),
  limit: wholeNumber(1, MAX_TAGS_LISTED, 'The tags of the response at most.', 100),
  order: z.enum(['name', 'count'], 'name or count').optional().meta({
    description: '`count`: those with the most images first.',
    default: 'name',
  }),
});

export const listTags = route(
  {
    method: 'get',
    path: '/api/tags',
    access: 'read',
    tag: 'Metadata',
    summary: 'List tags',
    description:
      'The tags of all images, with the number of their images. Tags without images are not listed.',
    query: tagQuery,
    responses: {
      200: {
        description: 'The tags.',
        json: z
          .array(z.object({ tag: z.string(), count: z.int().min(1).describe('Images.') }))
          .meta({ id: 'TagCounts' }),
        example: [
          { tag: 'sofa', count: 1 },
          { tag: 'tabby', count: 1 },
        ],
      },
    },
    errors: ['overloaded'],
  },
  async ({ ctx, space, query: { prefix = '', limit = 100, order = 'name' } }, { tags, searches }) => {
    const turns = searches.turnsOf(callerOf(ctx), 'page');
    const body = await tags.in(space).list({ prefix: fold(prefix), order, limit }, turns);
    return { status: 200, body };
  },
);
