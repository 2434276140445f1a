import * as z from 'zod';
import { NAME_PREFIX } from '../../../domain/name/name.ts';
import { callerOf } from '../auth/caller-of.ts';
import { pageOrStream } from '../paging/page-or-stream.ts';
import { nextPageLink, pageLimit } from '../paging/page-schemas.ts';
import { partsOf } from '../paging/write-page.ts';
import { anyName } from '../request/any-name.ts';
import { route } from '../route/route.ts';
import { EXAMPLE_NAME, namedImage, nameView } from './name-view.ts';

const PREFIX = '1 to 128 of A-Z a-z 0-9 . _ -';

const listQuery = z.strictObject({
  prefix: z.string().regex(NAME_PREFIX, PREFIX).optional().describe('The beginning of the names, exactly.'),
  limit: pageLimit('The names of a page at most; without it all are listed.'),
  public: z
    .enum(['true', 'false'], 'true or false')
    .optional()
    .meta({ description: 'Only names that are public, or only others.', wire: { type: 'boolean' } }),
  after: anyName.optional().describe('Lists on behind this name, which may be gone by now.'),
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
        headers: z.object({ Link: nextPageLink('<?limit=100&after=front-page>; rel="next"') }),
        json: z.array(namedImage),
        isEncoded: true,
        example: [EXAMPLE_NAME],
      },
    },
    errors: ['overloaded'],
  },
  async ({ ctx, space, query }, parts) => {
    const { prefix = '', after, limit } = query;
    const isPublic = query.public === undefined ? undefined : query.public === 'true';
    const { listNames } = parts;
    const { body, link } = await pageOrStream(ctx, limit, {
      batches: () => listNames.batches(space, { prefix, after, isPublic }, callerOf(ctx)),
      parts: (size) =>
        partsOf((from, most) => listNames.page(space, { prefix, isPublic, after: from, limit: most }), {
          after,
          limit: size,
          size,
        }),
      view: (named) => nameView(named, parts),
      cursor: (name) => name,
    });
    return { status: 200, headers: { Link: link }, body };
  },
);
