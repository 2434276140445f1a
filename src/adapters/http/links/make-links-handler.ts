import type { LinksOf, MakeLinks } from '../../../application/links/make-links.ts';
import { namedLinkPath } from '../../../domain/link/named-link.ts';
import { pagePath } from '../../../domain/link/shared-page.ts';
import { linkPath } from '../../../domain/link/signed-link.ts';
import { pathNotFound } from '../middleware/refuse-unrouted.ts';
import type { Handler } from '../openapi/operation.ts';
import type { makeLinksOperation } from './link-operations.ts';

/** @param webUrl of the web listener, with a slash at its end; `undefined` if no listener serves links */
export function makeLinksHandler(
  makeLinks: MakeLinks,
  webUrl: (() => string) | undefined,
): Handler<ReturnType<typeof makeLinksOperation>> {
  return async ({ space, body }) => {
    if (webUrl === undefined) throw pathNotFound();
    const { renditions, ...request } = body();
    const { expiresAt, images, names, page } = await makeLinks.execute(space, {
      ...request,
      files: renditions,
    });
    const base = webUrl();
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
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
  };
}

function urlsOf<Link>(
  { links }: LinksOf<number | string, Link>,
  url: (link: Link) => string,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...links].map(([key, made]) => [key, made.map(url)]));
}
