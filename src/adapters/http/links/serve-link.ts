import type { Context, Middleware } from 'koa';
import type { OpenLink } from '../../../application/links/open-link.ts';
import { LinkInvalid } from '../../../domain/errors.ts';
import type { LinkSegments } from '../../../domain/link/signed-link.ts';
import { requireFit } from '../bytes/rendition-query.ts';
import { type ImageFiles, serveImageFile } from '../bytes/serve-image-file.ts';

/** Every response to a link has them, errors too: pages of all origins may show the image. */
export const LINK_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** To the limits of the service, all clients of links are one. */
const SUBJECT = JSON.stringify(['links']);

/**
 * For paths of the form `/d/<id>/<rendition>/<expiry>/<mac>`. The response depends on the path alone, so that one cache serves
 * all clients; the bytes are never offloaded to an address of one client.
 */
export function serveLink(openLink: OpenLink, files: ImageFiles): Middleware {
  return async (ctx) => {
    const { image, rendition, isDownload, secondsLeft } = await openLink.execute(segmentsOf(ctx));
    if (rendition !== undefined) requireFit(image, rendition);
    await serveImageFile(ctx, image, {
      rendition,
      files,
      subject: SUBJECT,
      cacheControl: `public, max-age=${secondsLeft}, immutable`,
      disposition: isDownload ? 'attachment' : 'inline',
    });
  };
}

/** @throws {LinkInvalid} */
function segmentsOf(ctx: Context): LinkSegments {
  // A cache would keep another copy for each query, also for an empty one.
  if (ctx.url.includes('?')) throw new LinkInvalid();
  const [, , id = '', fileName = '', expiry = '', mac = ''] = ctx.path.split('/');
  return { id, fileName, expiry, mac };
}
