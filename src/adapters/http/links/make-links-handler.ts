import type { MakeLinks } from '../../../application/links/make-links.ts';
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
    const { expiresAt, links, missing, page } = await makeLinks.execute(space, {
      ...request,
      files: renditions,
    });
    const base = webUrl();
    const images = [...links].map(([id, made]) => [id, made.map((link) => base + linkPath(link))] as const);
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: {
        expiresAt: expiresAt.toISOString(),
        images: Object.fromEntries(images),
        missing,
        ...(page !== undefined && { page: page && base + pagePath(page) }),
      },
    };
  };
}
