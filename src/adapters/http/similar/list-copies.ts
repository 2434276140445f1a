import * as z from 'zod';
import { COPIES_LIMITS } from '../../../application/find/copies-limits.ts';
import { callerOf } from '../auth/caller-of.ts';
import { ListCursors } from '../paging/list-cursors.ts';
import { onePage } from '../paging/one-page.ts';
import { nextPageLink } from '../paging/page-schemas.ts';
import { exampleRecord } from '../record/example-image.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import { wholeNumber } from '../request/read-query.ts';
import { route } from '../route/route.ts';

const copiesQuery = z.strictObject({
  limit: wholeNumber(1, COPIES_LIMITS.groups, 'The groups of a page at most.', COPIES_LIMITS.usualGroups),
  after: z.string().optional().describe('The cursor of a `next` link.'),
});

const copyGroup = z
  .object({
    images: z
      .array(imageRecord)
      .min(2)
      .max(COPIES_LIMITS.copies)
      .describe(
        'Oldest first. Each is a copy of the oldest; more copies follow when some of these are gone.',
      ),
  })
  .meta({ id: 'CopyGroup' });

export const listCopies = route(
  ({ renditions: { sizes } }) => ({
    method: 'get',
    path: '/api/images/copies',
    access: 'read',
    tag: 'Images',
    summary: 'List groups of copies',
    description:
      'Images of equal bytes, and the same image in another size, format or quality: what `GET /api/image/{id}/similar` calls a `copy`. Newest group first, by its newest image; an image is in one group at most. Follow the `next` link unchanged until a response has none: a page may be short or empty, because it ends when it has walked 50,000 images or compared very many, and before its JSON passes 4 MiB. In large catalogs, copies whose hashes differ in many bits may be missing. A search that gets no turn within 10 seconds, beside other searches of its subject, is 503 `overloaded`.',
    query: copiesQuery,
    responses: {
      200: {
        description: 'The groups.',
        headers: z.object({
          Link: nextPageLink('<?limit=1&after=NC4wMGM0MzY5MQ>; rel="next"'),
        }),
        json: z.array(copyGroup),
        isEncoded: true,
        example: [{ images: [exampleRecord(sizes), { ...exampleRecord(sizes), id: 5 }] }],
      },
    },
    errors: ['overloaded'],
  }),
  async ({ ctx, space, query: { after, limit = COPIES_LIMITS.usualGroups } }, { findCopies, settings }) => {
    const cursors = new ListCursors([space, 'copies']);
    const from = after === undefined ? undefined : cursors.decode(after, 'created');
    const { body, link } = await onePage(ctx, findCopies.page(space, { after: from, limit }, callerOf(ctx)), {
      view: (group) => ({ images: group.map((image) => imageView(image, settings)) }),
      cursor: (place) => cursors.encode(place),
    });
    return { status: 200, headers: { Link: link }, body };
  },
);
