import * as z from 'zod';
import { callerOf } from '../auth/caller-of.ts';
import { RequestError } from '../errors/request-error.ts';
import { pageOrStream } from '../paging/page-or-stream.ts';
import { nextPageLink, pageLimit } from '../paging/page-schemas.ts';
import { anySpace } from '../request/any-space.ts';
import { route } from '../route/route.ts';
import { EXAMPLE_SPACE, spaceStatus } from './space-view.ts';

const listQuery = z.strictObject({
  limit: pageLimit('The spaces of a page at most; without it all are listed.'),
  after: anySpace.optional().describe('Lists on after this name, which may be gone by now.'),
  space: anySpace.optional().describe('Lists this space alone. It is the only parameter then.'),
});

export const listSpaces = route(
  {
    method: 'get',
    path: '/api/spaces',
    access: 'read',
    spansSpaces: true,
    tag: 'Service',
    summary: 'What each space holds',
    description:
      'The spaces that have an image, also in the trash, or a limit of their own, by code point. The token needs the scope for all spaces (`SCOPE_ALL_SPACES`), and no space. Without `limit` all of them, streamed.',
    query: listQuery,
    responses: {
      200: {
        description: 'The spaces.',
        headers: z.object({ Link: nextPageLink('<?limit=100&after=acme>; rel="next"') }),
        json: z.array(spaceStatus),
        isEncoded: true,
        example: [EXAMPLE_SPACE],
      },
    },
    errors: ['space_not_found', 'overloaded'],
  },
  async ({ ctx, query: { limit, after, space } }, { listSpaces }) => {
    if (space !== undefined) {
      if (limit !== undefined || after !== undefined) {
        throw new RequestError('invalid_request', 'Query parameter "space" excludes "limit" and "after"');
      }
      return { status: 200, headers: { Link: undefined }, body: [await listSpaces.find(space)] };
    }
    const { body, link } = await pageOrStream(ctx, limit, {
      batches: () => listSpaces.batches(after, callerOf(ctx)),
      parts: (size) => listSpaces.page({ after, limit: size }),
      view: (status) => status,
      cursor: (name) => name,
    });
    return { status: 200, headers: { Link: link }, body };
  },
);
