import { Readable } from 'node:stream';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import type { OpenImageFile } from '../../application/open-image-file.ts';
import { PreconditionFailed } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import type { ByteRange } from '../../domain/ports/blob-store.ts';
import { etagOf, ifMatchAllows } from './etag.ts';
import { RequestError } from './request-error.ts';

/** Sends the original bytes of an image. */
export type ServeFile = (
  ctx: Context,
  image: Image,
  options: { readonly download: boolean },
) => Promise<void>;

/** `cross-origin` where any front end may embed the pictures. */
export type ResourcePolicy = 'cross-origin' | 'same-site';

/**
 * Answers with the bytes of an original, whole or in part, or with the fact that the client has them already. Conditions
 * come in the order of RFC 9110, section 13.2.2, and none of them needs the blob; the blob is opened before anything is
 * promised of it.
 *
 * @throws {PreconditionFailed | RequestError | ImageNotFound | BlobMissing | StorageUnavailable}
 */
export function serveFile(openImageFile: OpenImageFile, resourcePolicy: ResourcePolicy): ServeFile {
  return async (ctx, image, { download }) => {
    ctx.set(validatorsOf(image));
    ctx.set('Cross-Origin-Resource-Policy', resourcePolicy);
    checkPreconditions(ctx, image);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.set(descriptionOf(image));
    ctx.attachment(image.originalName, { type: download ? 'attachment' : 'inline' });
    ctx.type = image.mediaType;
    const range = rangeOf(ctx, image);
    const blob = await openImageFile.execute(image, range);
    if (range !== undefined) {
      ctx.status = 206;
      ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${image.size}`);
    }
    if (ctx.method === 'HEAD') await blob.close();
    else ctx.body = blob.bytes instanceof Readable ? blob.bytes : Readable.from(blob.bytes);
    ctx.length = range === undefined ? image.size : range.end - range.start + 1;
  };
}

/** What a 304 repeats (RFC 9110, section 15.4.5). */
function validatorsOf(image: Image): Record<string, string> {
  return {
    ETag: etagOf(image),
    'Last-Modified': image.createdAt.toUTCString(),
    'Cache-Control': 'private, max-age=300',
  };
}

function descriptionOf(image: Image): Record<string, string> {
  return {
    'Accept-Ranges': 'bytes',
    'Repr-Digest': `sha-256=:${Buffer.from(image.sha256, 'hex').toString('base64')}:`,
    // The bytes are a stranger's. If a browser can be led to take them for a page, it must not run it.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}

/** `If-Match` and, only without it, `If-Unmodified-Since`. */
function checkPreconditions(ctx: Context, image: Image): void {
  const ifMatch = ctx.get('If-Match');
  if (ifMatch !== '') {
    if (!ifMatchAllows(ifMatch, etagOf(image))) throw new PreconditionFailed();
    return;
  }
  const unmodifiedSince = Date.parse(ctx.get('If-Unmodified-Since'));
  if (lastModifiedMs(image) > unmodifiedSince) throw new PreconditionFailed();
}

/** Byte positions as RFC 9110, section 14.1.2, spells them; anything else is ignored, as it says. */
const BYTE_RANGES = /^bytes=[ \t]*(?:\d+-\d*|-\d+)[ \t]*(?:,[ \t]*(?:\d+-\d*|-\d+)[ \t]*)*$/i;

/**
 * The one range to send; `undefined` for the whole file, which is the answer to several ranges, too.
 *
 * @throws {RequestError} `range_not_satisfiable`
 */
function rangeOf(ctx: Context, image: Image): ByteRange | undefined {
  const header = ctx.get('Range');
  if (ctx.method !== 'GET' || !BYTE_RANGES.test(header) || !ifRangeHolds(ctx, image)) return undefined;
  const ranges = parseRange(image.size, header);
  if (ranges === -1) {
    throw new RequestError('range_not_satisfiable', `The file has ${image.size} bytes`, {
      'Content-Range': `bytes */${image.size}`,
    });
  }
  if (ranges === -2 || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** RFC 9110, section 13.1.5: the same strong tag, or exactly the same date. */
function ifRangeHolds(ctx: Context, image: Image): boolean {
  const header = ctx.get('If-Range');
  if (header === '') return true;
  return header === etagOf(image) || Date.parse(header) === lastModifiedMs(image);
}

/** HTTP dates have whole seconds. */
function lastModifiedMs(image: Image): number {
  return Math.floor(image.createdAt.getTime() / 1000) * 1000;
}
