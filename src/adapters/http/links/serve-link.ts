import type { Context, Middleware } from 'koa';
import { LinkInvalid } from '../../../domain/errors.ts';
import type { LinkSegments } from '../../../domain/link/signed-link.ts';
import { requireFit } from '../bytes/file-query.ts';
import { serveImageFile } from '../bytes/serve-image-file.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { cacheTags, imageTag } from './cache-tags.ts';

/** Every response to a link has them, errors too: pages of all origins may show the image. */
export const LINK_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** To the limits of the service, all clients of links are one. */
export const LINK_SUBJECT = JSON.stringify(['links']);

/**
 * For paths of the form `/d/<id>/<rendition>/<expiry>/<mac>`. The response depends on the path alone, so that one cache serves
 * all clients; the bytes are never offloaded to an address of one client.
 */
export function serveLink(parts: RouteParts): Middleware {
  const tags = cacheTags(parts.settings.cacheTagHeader);
  return async (ctx) => {
    const { image, rendition, isDownload, secondsLeft } = await parts.openLink.execute(segmentsOf(ctx));
    requireFit(image, rendition);
    const disposition = isDownload ? 'attachment' : 'inline';
    const file = { rendition, disposition, hidesName: true, subject: LINK_SUBJECT } as const;
    await serveImageFile(ctx, image, file, parts);
    // Afterwards: a rendition may take many seconds, and no cache may keep it beyond the end of the link.
    ctx.set({
      'Cache-Control': `public, max-age=${secondsLeft()}, immutable`,
      ...tags([imageTag(image.id)]),
    });
  };
}

/** @throws {LinkInvalid} */
function segmentsOf(ctx: Context): LinkSegments {
  const [id = '', fileName = '', expiry = '', mac = ''] = linkSegments(ctx);
  return { id, fileName, expiry, mac };
}

/**
 * Those behind the kind of the link.
 *
 * @throws {LinkInvalid}
 */
export function linkSegments(ctx: Context): readonly string[] {
  // A cache would keep another copy for each query, also for an empty one.
  if (ctx.url.includes('?')) throw new LinkInvalid();
  return ctx.path.split('/').slice(2);
}
