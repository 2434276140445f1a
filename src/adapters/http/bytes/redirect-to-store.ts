import type { Context } from 'koa';
import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { StoreLinks } from '../../../domain/ports/bytes/store-links.ts';
import { hasSpaceHeader } from '../request/space-header.ts';
import type { TryOffload } from '../route/route-parts.ts';

/** The client repeats these to the store, whose ETags and times differ. */
const REPEATED_CONDITIONS = ['If-Match', 'If-Unmodified-Since', 'If-Modified-Since', 'If-Range'];

/** They describe bytes that the redirect does not have (`Content-Location`: RFC 9110, section 8.7). */
const BYTE_HEADERS = [
  'ETag',
  'Last-Modified',
  'Repr-Digest',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Location',
];

/** The link is for one client and a short time, so the redirect is never cached. */
export function redirectToStore(openImageFile: OpenImageFile, links: StoreLinks): TryOffload {
  return async (ctx, image, range) => {
    if (mustNotRedirect(ctx, range)) return false;
    await openImageFile.locate(image);
    const url = await links.linkTo(image.uuid, {
      contentType: image.mediaType,
      contentDisposition: ctx.response.get('Content-Disposition'),
      cacheControl: ctx.response.get('Cache-Control'),
    });
    redirect(ctx, url);
    return true;
  };
}

function redirect(ctx: Context, url: string): void {
  for (const name of BYTE_HEADERS) ctx.remove(name);
  // 307, unlike 302, keeps the request's method (RFC 9110, section 15.4.8).
  ctx.status = 307;
  ctx.set({ Location: url, 'Cache-Control': 'no-store' });
  ctx.body = '';
  ctx.remove('Content-Type');
}

/**
 * The store may refuse a range that this service ignores. It may also log the header `Space`, which clients repeat to it, and browsers
 * would have to ask it for permission to send that header.
 */
function mustNotRedirect(ctx: Context, range: ByteRange | undefined): boolean {
  const isIgnored = ctx.get('Range') !== '' && range === undefined;
  return isIgnored || hasSpaceHeader(ctx) || REPEATED_CONDITIONS.some((name) => ctx.get(name) !== '');
}
