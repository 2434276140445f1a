import * as z from 'zod';
import type { LinksOf } from '../../../application/links/make-links.ts';
import { pagePath } from '../../../domain/link/shared-page.ts';
import { linkPath } from '../../../domain/link/signed-link.ts';
import { namedLinkPath } from '../../../domain/link/signed-named-link.ts';
import { NAME_PATTERN } from '../../../domain/name/name.ts';
import { pathNotFound } from '../errors/request-error.ts';
import { EXAMPLE_IMAGE } from '../record/example-image.ts';
import { route } from '../route/route.ts';
import { linksBody } from './links-body.ts';

const EXAMPLE_WIDTH = 320;

function exampleLinks(width: number): readonly string[] {
  return [
    `http://localhost:3002/d/1/${width}xauto-inside-q75.webp/1769868000/3_a9wWJyJ5uTpxmPMK9UvI6BzqzJ2ZfFq6iDN0xk0a4`,
    'http://localhost:3002/d/1/original/1769868000/nXGkKFBvSkCN0ZzKyUwfOR2P2E2mZ3O9ZyAqkZyC0mY',
  ];
}

const urls = z.array(z.string().meta({ format: 'uri' }));
const name = z.string().meta({ pattern: NAME_PATTERN.source });

const signedLinks = z
  .object({
    expiresAt: z.string().meta({ format: 'date-time', description: 'Of all links, in UTC.' }),
    images: z
      .record(z.string().meta({ pattern: '^[1-9]\\d*$' }), urls)
      .optional()
      .describe('By id: a link to each rendition, in the order of the request.'),
    missing: z
      .array(z.number().meta({ wire: { type: 'integer', minimum: 1 } }))
      .optional()
      .describe('Ids of no image, in the order of the request.'),
    names: z
      .record(name, urls)
      .optional()
      .describe(
        'By name: a link to each rendition of the image that the name points to when the link is fetched.',
      ),
    missingNames: z
      .array(name)
      .optional()
      .describe('Names that point to no image, in the order of the request.'),
    page: z.string().nullable().optional().meta({
      format: 'uri',
      description: 'If it was asked for: the page that shows the images; null if all of them are missing.',
    }),
  })
  .meta({ id: 'SignedLinks' });

export const makeLinks = route(
  ({ renditions: { sizes }, links }) => {
    const width = sizes.includes(EXAMPLE_WIDTH) ? EXAMPLE_WIDTH : Math.min(...sizes);
    return {
      method: 'post',
      path: '/api/images/links',
      access: 'read',
      tag: 'Bytes',
      summary: 'Make signed links to the bytes of images',
      description:
        'A link gives access to one file until it expires, without a token: for `<img>`, mail programs and caches. Callers within a tenth of the time to live get the same links, so that caches can hold the files. `names` gives links that stay while the picture behind a name changes: caches keep their files for a minute at most. A service with neither `WEB_PORT` nor `WEB_URL` serves no links: 404 `not_found`.',
      json: {
        schema: linksBody(sizes),
        example: { ids: [1, 2], renditions: [{ width, format: 'webp' }, {}], ttlSeconds: 3600 },
      },
      responses: {
        200: {
          description: 'The links.',
          json: signedLinks,
          example: {
            expiresAt: '2026-01-31T14:00:00.000Z',
            images: { [EXAMPLE_IMAGE.id]: exampleLinks(width) },
            missing: [2],
          },
        },
      },
      errors: links ? [] : ['not_found'],
    };
  },
  async ({ space, body }, { makeLinks, webUrl }) => {
    if (webUrl === undefined) throw pathNotFound();
    const { renditions, ...request } = body();
    const { expiresAt, images, names, page } = await makeLinks.execute(space, {
      ...request,
      files: renditions,
    });
    const base = webUrl();
    return {
      status: 200,
      body: {
        expiresAt: expiresAt.toISOString(),
        ...(images && { images: urlsOf(images, (link) => base + linkPath(link)), missing: images.missing }),
        ...(names && {
          names: urlsOf(names, (link) => base + namedLinkPath(link)),
          missingNames: names.missing,
        }),
        ...(page !== undefined && { page: page && base + pagePath(page) }),
      },
    };
  },
);

function urlsOf<Link>(
  { links }: LinksOf<number | string, Link>,
  url: (link: Link) => string,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...links].map(([key, made]) => [key, made.map(url)]));
}
