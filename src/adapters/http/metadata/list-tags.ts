import * as z from 'zod';
import { fold } from '../../../domain/image/words/fold.ts';
import { callerOf } from '../auth/caller-of.ts';
import { route } from '../route/route.ts';
import { tagQuery } from './tag-query.ts';

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
        cache: 'no-store',
        json: z
          .array(z.object({ tag: z.string(), count: z.int().min(1).describe('Images.') }))
          .meta({ id: 'TagCounts' }),
        example: [
          { tag: 'sofa', count: 1 },
          { tag: 'tabby', count: 1 },
        ],
      },
    },
    errors: ['overloaded', 'storage_unavailable'],
  },
  async ({ ctx, space, query: { prefix = '', limit = 100, order = 'name' } }, { tags, searches }) => {
    const turns = searches.turnsOf(callerOf(ctx), 'page');
    const body = await tags.in(space).list({ prefix: fold(prefix), order, limit }, turns);
    return { status: 200, body };
  },
  ['tags', 'searches'],
);
