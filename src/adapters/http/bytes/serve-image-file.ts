import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { RenditionClient } from '../../../application/files/made-files.ts';
import type { CleanOriginal } from '../../../application/files/open-clean-original.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { numberedFileName } from '../../../domain/image/numbered-file-name.ts';
import { originalFileName } from '../../../domain/image/original-file-name.ts';
import { publicFileName } from '../../../domain/image/public-file-name.ts';
import { CLEAN, type Derivative, isCrop, renditionFileName } from '../../../domain/image/rendition.ts';
import type { Name } from '../../../domain/name/name.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';
import { RequestError } from '../errors/request-error.ts';
import { leavingOf } from '../request/leaving-of.ts';
import { checkPreconditions, ifRangeHolds, isNotModified, type Validators } from '../request/validators.ts';
import type { RouteParts, TryOffload } from '../route/route-parts.ts';
import { mediaTypeOf } from './file-query.ts';
import { parseRange } from './parse-range.ts';

declare module 'koa' {
  interface DefaultState {
    /** The image whose bytes the response sends. The log names it if the response is cut off. */
    imageId?: number;
  }
}

interface ServedFile {
  /** `undefined` for the original. */
  readonly rendition: Derivative | undefined;
  readonly disposition: 'inline' | 'attachment';
  /** A rendition is not named after the original. */
  readonly hidesName?: boolean;
  /** The public name under which strangers see it. Its file is named after it, and its tag does not tell the digest of the original. */
  readonly publicName?: Name;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
  /** By default this process sends all bytes. */
  readonly tryOffload?: TryOffload;
  /**
   * The address may point to another image later, also to an older one. Its responses have no time: by the time of an image, a client
   * with the bytes of a younger one would be told that it has the present ones.
   */
  readonly moves?: boolean;
}

/**
 * Evaluates conditions in the order of RFC 9110, section 13.2.2, and opens the bytes before it sets the status. The caller sets
 * headers for caches.
 *
 * @throws {RequestError | ImageChanged} and what opening the bytes throws
 */
export async function serveImageFile(
  ctx: Context,
  image: CatalogImage,
  file: ServedFile,
  files: RouteParts,
): Promise<void> {
  ctx.state.imageId = image.id;
  const clean =
    file.rendition === CLEAN ? await files.openCleanOriginal.execute(image, clientOf(ctx, file)) : undefined;
  // Its parts tell whether it has the bytes of the original, and so the same tag.
  const tag = tagOf(image, file, files, clean);
  const validators = { etag: `"${tag}"`, lastModified: lastModifiedOf(image, file) };
  checkPreconditions(ctx, validators);
  ctx.set('ETag', validators.etag);
  if (validators.lastModified !== undefined) ctx.set('Last-Modified', validators.lastModified.toUTCString());
  if (isNotModified(ctx, validators)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  const bytes = clean ?? (await openBytes(ctx, image, file, files));
  const range = await rangeOf(ctx, validators, bytes);
  describeBytes(ctx, image, file);
  const mayOffload = file.rendition === undefined && ctx.method === 'GET';
  if (mayOffload && (await file.tryOffload?.(ctx, image, range)) === true) return;
  await sendBytes(ctx, bytes, range);
}

function clientOf(ctx: Context, { subject }: ServedFile): RenditionClient {
  return { leaving: () => leavingOf(ctx), subject, log: ctx.state.log };
}

function tagOf(
  image: CatalogImage,
  { rendition, publicName }: ServedFile,
  { openRendition }: RouteParts,
  clean: CleanOriginal | undefined,
): string {
  if (rendition === undefined) return image.sha256;
  if (publicName !== undefined) return openRendition.identify(image, rendition, true);
  return clean?.tag ?? openRendition.identify(image, rendition);
}

function lastModifiedOf(image: CatalogImage, { rendition, moves }: ServedFile): Date | undefined {
  // A crop changes with the focus, at a time that the record does not tell.
  const isUntimed = typeof rendition === 'object' && isCrop(rendition) && image.metadataVersion > 1;
  return moves || isUntimed ? undefined : image.createdAt;
}

/** Of an original, clean or not, or a rendition. */
interface FileBytes {
  /** Of the whole file. */
  readonly size: number;
  /** Called once. When it resolves, the response can promise the bytes. */
  readonly open: (range?: ByteRange) => Promise<OpenedBlob>;
  /** Resolves if the bytes are there, for a response that describes them and sends none. By default one byte is opened. */
  readonly requireOriginal?: () => Promise<void>;
}

async function openBytes(
  ctx: Context,
  image: CatalogImage,
  file: ServedFile,
  { openImageFile, openRendition }: RouteParts,
): Promise<FileBytes> {
  const { rendition } = file;
  if (typeof rendition !== 'object') {
    // The record has the size, so that a store opens only the range that is sent.
    return { size: image.size, open: (range) => openImageFile.execute(image, range) };
  }
  const { bytes } = await openRendition.execute(image, rendition, clientOf(ctx, file));
  return {
    size: bytes.size,
    open: async (range) => (range === undefined ? bytes : sliceBlob(bytes, range)),
  };
}

async function rangeOf(
  ctx: Context,
  validators: Validators,
  bytes: FileBytes,
): Promise<ByteRange | undefined> {
  const header = ctx.get('Range');
  if (header === '' || ctx.method !== 'GET' || !ifRangeHolds(ctx, validators)) return undefined;
  const range = parseRange(header, bytes.size);
  if (range !== 'unsatisfiable') return range;
  await requireBytes(bytes);
  throw new RequestError('range_not_satisfiable', `There are ${bytes.size} bytes`, {
    'Content-Range': `bytes */${bytes.size}`,
  });
}

/** Uploaded bytes are untrusted: a browser that takes them for a page must not run scripts in it. */
const BYTE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Accept-Ranges': 'bytes',
};

function describeBytes(ctx: Context, image: CatalogImage, file: ServedFile): void {
  const { rendition, disposition } = file;
  ctx.set(BYTE_HEADERS);
  if (rendition === undefined) {
    ctx.set('Repr-Digest', `sha-256=:${Buffer.from(image.sha256, 'hex').toString('base64')}:`);
  }
  const fileName = fileNameOf(image, file);
  // For clients without `filename*`; they agree on no other characters (RFC 6266, appendix D).
  ctx.attachment(fileName, { type: disposition, fallback: fileName.replace(/[^ -~]/gu, '?') });
  ctx.type = mediaTypeOf(image, rendition);
}

function fileNameOf(image: CatalogImage, { rendition, hidesName, publicName }: ServedFile): string {
  if (rendition === undefined) return originalFileName(image);
  if (publicName !== undefined) return publicFileName(publicName, image, rendition);
  if (rendition === CLEAN || hidesName) return numberedFileName(image, rendition);
  return renditionFileName(image, rendition.format);
}

async function sendBytes(ctx: Context, bytes: FileBytes, range: ByteRange | undefined): Promise<void> {
  const length = range === undefined ? bytes.size : range.end - range.start + 1;
  if (ctx.method === 'HEAD') await requireBytes(bytes);
  else ctx.body = bodyOf(await bytes.open(range), length);
  if (range !== undefined) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes.size}`);
  }
  ctx.length = length;
}

const FIRST_BYTE: ByteRange = { start: 0, end: 0 };

/** A response without a body must not describe bytes that are lost. */
async function requireBytes({ open, requireOriginal }: FileBytes): Promise<void> {
  if (requireOriginal !== undefined) await requireOriginal();
  else await (await open(FIRST_BYTE)).close();
}

function bodyOf(blob: OpenedBlob, length: number): Buffer | Readable {
  const { buffered } = blob;
  if (buffered === undefined) return readableOf(blob, length);
  if (buffered.length !== length) throw new Error(`${buffered.length} of ${length} bytes were read`);
  return Buffer.from(buffered.buffer, buffered.byteOffset, buffered.byteLength);
}

/** @param length that the response has promised, in bytes. The stream fails if the bytes are fewer or more. */
export function readableOf(blob: OpenedBlob, length: number): Readable {
  const bytes = blob.read();
  // The streams of local files check their length themselves.
  if (bytes instanceof Readable) return bytes;
  // Destroying a generator before its first step does not run its `finally`, so the blob is closed here.
  return Readable.from(requireLength(bytes, length)).once('close', () => void blob.close());
}

/** With fewer bytes than promised, the client would take the next response on its connection for the rest of this one. */
async function* requireLength(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.length;
    if (sent > length) throw new Error(`More than ${length} bytes were read`);
    yield chunk;
  }
  if (sent < length) throw new Error(`${sent} of ${length} bytes were read`);
}

function sliceBlob(blob: OpenedBlob, range: ByteRange): OpenedBlob {
  return {
    ...blob,
    buffered: blob.buffered?.subarray(range.start, range.end + 1),
    read: () => sliceStream(blob.read(), range),
  };
}

async function* sliceStream(
  bytes: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = 0;
  for await (const chunk of bytes) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end + 1 - position, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position > end) return;
  }
}
