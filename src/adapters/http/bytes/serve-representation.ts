import { Readable } from 'node:stream';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import { PreconditionFailed } from '../../../domain/errors.ts';
import type { ByteRange, OpenedBlob } from '../../../domain/ports/blob-store.ts';
import { RequestError } from '../request-error.ts';
import { ifMatchAllows } from './etag.ts';

/** One sequence of bytes that a URL can answer with. */
export interface Representation {
  /** Strong: the same tag, the same bytes. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly mediaType: string;
  readonly fileName: string;
  /** Headers that go with the bytes, and not with a 304. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of the whole. */
  size(): Promise<number>;
  /** Once it resolves, the bytes can be promised. */
  open(range?: ByteRange): Promise<OpenedBlob>;
  /** Has somebody else send the bytes, if they can be; see `Offload`. */
  tryOffload?(ctx: Context, range: ByteRange | undefined): Promise<boolean>;
}

/**
 * Answers with a representation, whole or in part, or with the fact that the client has it already. Conditions come in the
 * order of RFC 9110, section 13.2.2, and none of them needs the bytes; those are opened before anything is promised of them.
 *
 * @throws {PreconditionFailed}, {RequestError} `range_not_satisfiable`, and what opening throws
 */
export async function serveRepresentation(
  ctx: Context,
  representation: Representation,
  disposition: 'inline' | 'attachment',
): Promise<void> {
  const { etag, lastModified, mediaType, fileName, headers = {} } = representation;
  checkPreconditions(ctx, representation);
  ctx.set({
    ETag: etag,
    'Last-Modified': lastModified.toUTCString(),
    'Cache-Control': 'private, max-age=300',
  });
  ctx.status = 200;
  if (clientHas(ctx, representation)) {
    ctx.status = 304;
    return;
  }
  const size = await representation.size();
  const range = await rangeOf(ctx, representation, size);
  ctx.set({ ...headers, ...SAFE_TO_SHOW, 'Accept-Ranges': 'bytes' });
  ctx.attachment(fileName, { type: disposition, fallback: asciiOf(fileName) });
  ctx.type = mediaType;
  if (ctx.method === 'GET' && (await representation.tryOffload?.(ctx, range)) === true) return;
  if (ctx.method === 'HEAD') await requireBytes(representation);
  else ctx.body = bodyOf(await representation.open(range));
  if (range !== undefined) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  }
  ctx.length = range === undefined ? size : range.end - range.start + 1;
}

/** The bytes are a stranger's. If a browser can be led to take them for a page, it must not run it. */
const SAFE_TO_SHOW = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

const FIRST_BYTE: ByteRange = { start: 0, end: 0 };

/** Nothing may be said of bytes that are not there. To know it takes one of them: the rest would be fetched for nobody. */
async function requireBytes(representation: Representation): Promise<void> {
  await (await representation.open(FIRST_BYTE)).close();
}

function bodyOf(blob: OpenedBlob): Buffer | Readable {
  const { bytes } = blob;
  if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof Readable) return bytes;
  // Leaving a generator that has not begun does not run its clean-up.
  return Readable.from(bytes).once('close', () => void blob.close());
}

/** `If-Match` and, only without it, `If-Unmodified-Since`. */
function checkPreconditions(ctx: Context, { etag, lastModified }: Representation): void {
  const ifMatch = ctx.get('If-Match');
  const holds =
    ifMatch === ''
      ? !(wholeSeconds(lastModified) > Date.parse(ctx.get('If-Unmodified-Since')))
      : ifMatchAllows(ifMatch, etag);
  if (!holds) throw new PreconditionFailed();
}

/** `If-None-Match` and, only without it, `If-Modified-Since`; `ctx.fresh` asks for both where both are given. */
function clientHas(ctx: Context, { etag, lastModified }: Representation): boolean {
  const ifNoneMatch = ctx.get('If-None-Match').trim();
  if (ifNoneMatch === '') return wholeSeconds(lastModified) <= Date.parse(ctx.get('If-Modified-Since'));
  // Weak comparison, which is what this header is for.
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Byte positions as RFC 9110, section 14.1.2, spells them; anything else is ignored, as it says. */
const BYTE_RANGES = /^bytes=[ \t]*(?:\d+-\d*|-\d+)[ \t]*(?:,[ \t]*(?:\d+-\d*|-\d+)[ \t]*)*$/i;

/** The one range to send; `undefined` for the whole, which is the answer to several ranges, too. */
async function rangeOf(
  ctx: Context,
  representation: Representation,
  size: number,
): Promise<ByteRange | undefined> {
  const header = ctx.get('Range');
  if (ctx.method !== 'GET' || !BYTE_RANGES.test(header) || !ifRangeHolds(ctx, representation))
    return undefined;
  const ranges = parseRange(size, withSuffixesWithin(size, header));
  if (ranges === -2) return undefined;
  if (ranges !== -1) return ranges.length === 1 ? ranges[0] : undefined;
  await requireBytes(representation);
  throw new RequestError('range_not_satisfiable', `There are ${size} bytes`, {
    'Content-Range': `bytes */${size}`,
  });
}

/** A suffix longer than the whole is the whole (RFC 9110, section 14.1.2); the parser takes it for unsatisfiable. */
function withSuffixesWithin(size: number, header: string): string {
  return header.replace(/(?<=[=,\s])-(\d+)/g, (_, length: string) => `-${Math.min(Number(length), size)}`);
}

/** For clients that do not know `filename*`; in `filename` they agree on no other characters (RFC 6266, appendix D). */
function asciiOf(fileName: string): string {
  return fileName.replace(/[^ -~]/gu, '?');
}

/** RFC 9110, section 13.1.5: the same strong tag, or exactly the same date. */
function ifRangeHolds(ctx: Context, { etag, lastModified }: Representation): boolean {
  const header = ctx.get('If-Range');
  return header === '' || header === etag || Date.parse(header) === wholeSeconds(lastModified);
}

/** HTTP dates have whole seconds. */
function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
