import { z } from 'zod';
import { NAME_PREFIX } from '../../../domain/name/name.ts';
import { callerOf } from '../auth/caller-of.ts';
import { jsonStream } from '../paging/json-stream.ts';
import { nextLink } from '../paging/next-link.ts';
import { nextPageLink, pageLimit } from '../paging/page-schemas.ts';
import { anyName } from '../request/any-name.ts';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { EXAMPLE_NAME, namedImage, nameView } from './name-view.ts';

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

export const listNames = route(
  {
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
  },
  async ({ ctx, space, query: { prefix = '', after, limit } }, { listNames }) => {
    const headers = { 'Cache-Control': 'no-store' } as const;
    if (limit === undefined) {
      const body = await jsonStream(
        ctx,
        listNames.batches(space, { prefix, after }, callerOf(ctx)),
        nameView,
      );
      return { status: 200, headers, body };
    }
    const { items, next } = await listNames.page(space, { prefix, after, limit });
    const Link = next === undefined ? undefined : nextLink(ctx, next);
    return { status: 200, headers: { ...headers, Link }, body: items.map(({ item }) => nameView(item)) };
  },
  ['listNames'],
);
