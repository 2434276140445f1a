import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { GetImage, OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { OpenRendition } from '../../../application/files/open-rendition.ts';
import { originalFileName } from '../../../domain/image/file-name.ts';
import type { Image } from '../../../domain/image/image.ts';
import { type Rendition, renditionFileName, renditionMediaType } from '../../../domain/image/rendition.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';
import { subjectOf } from '../auth/authenticate.ts';
import type { Handler } from '../openapi/operation.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { RequestError } from '../request-error.ts';
import { parseRange, sliceBlob } from './byte-range.ts';
import { checkPreconditions, etagOf, ifRangeHolds, isNotModified, type Validators } from './conditions.ts';
import type { getImageFileOperation } from './file-operation.ts';
import type { Offload } from './offload.ts';
import { type FileQuery, renditionOf } from './rendition-query.ts';

export interface ImageFiles {
  readonly openImageFile: OpenImageFile;
  readonly openRendition: OpenRendition;
}

interface ServedFile extends Presentation {
  /** `undefined` for the original. */
  readonly rendition: Rendition | undefined;
  readonly files: ImageFiles;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
  /** Sends originals by another server. */
  readonly offload?: Offload | undefined;
}

/** Throws what `serveRepresentation` throws. */
export async function serveImageFile(ctx: Context, image: Image, file: ServedFile): Promise<void> {
  const { rendition } = file;
  const representation =
    rendition === undefined
      ? originalRepresentation(image, file)
      : renditionRepresentation(ctx, image, rendition, file);
  await serveRepresentation(ctx, representation, file);
}

function originalRepresentation(image: Image, { files, offload }: ServedFile): Representation {
  return {
    etag: etagOf(image),
    lastModified: image.createdAt,
    mediaType: image.mediaType,
    fileName: originalFileName(image),
    headers: { 'Repr-Digest': `sha-256=:${Buffer.from(image.sha256, 'hex').toString('base64')}:` },
    // The record has the size, so that a store opens only the range that is sent.
    open: async () => ({
      size: image.size,
      read: (range) => files.openImageFile.execute(image, range),
      tryOffload: async (ctx, range) => (await offload?.tryOffload(ctx, image, range)) ?? false,
    }),
  };
}

function renditionRepresentation(
  ctx: Context,
  image: Image,
  rendition: Rendition,
  { files: { openRendition }, subject }: ServedFile,
): Representation {
  return {
    etag: `"${openRendition.identify(image, rendition)}"`,
    lastModified: image.createdAt,
    mediaType: renditionMediaType(rendition.format),
    fileName: renditionFileName(image, rendition.format),
    open: async (): Promise<OpenedRepresentation> => {
      const { bytes: blob } = await whileClientStays(ctx, (leaving) =>
        openRendition.execute(image, rendition, { leaving, subject, log: ctx.state.log }),
      );
      return {
        size: blob.size,
        read: async (range) => (range === undefined ? blob : sliceBlob(blob, range)),
      };
    },
  };
}

export type ServeFile = (ctx: Context, image: Image, query: FileQuery) => Promise<undefined>;

interface ServeFileOptions {
  readonly files: ImageFiles;
  readonly resourcePolicy: 'cross-origin' | 'same-site';
  readonly offload: Offload | undefined;
}

export function serveFile({ files, resourcePolicy, offload }: ServeFileOptions): ServeFile {
  return async (ctx, image, query) => {
    ctx.set('Cross-Origin-Resource-Policy', resourcePolicy);
    await serveImageFile(ctx, image, {
      rendition: renditionOf(ctx, image, query),
      files,
      offload,
      subject: subjectOf(ctx),
      cacheControl: 'private, max-age=300',
      disposition: query.download === 'true' ? 'attachment' : 'inline',
    });
    return undefined;
  };
}

export function imageFileHandler(
  getImage: GetImage,
  serveFile: ServeFile,
): Handler<ReturnType<typeof getImageFileOperation>> {
  return async ({ ctx, space, id, query }) => await serveFile(ctx, await getImage.execute(space, id), query);
}

interface Representation extends Validators {
  readonly mediaType: string;
  readonly fileName: string;
  /** A 304 has none of them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Not called if the conditions decide the response. */
  open(): Promise<OpenedRepresentation>;
}

interface OpenedRepresentation {
  /** Bytes of the whole representation. */
  readonly size: number;
  /** Called once. When it resolves, the response can promise the bytes. */
  read(range?: ByteRange): Promise<OpenedBlob>;
  tryOffload?(ctx: Context, range: ByteRange | undefined): Promise<boolean>;
}

interface Presentation {
  readonly disposition: 'inline' | 'attachment';
  readonly cacheControl: string;
}

/**
 * Evaluates conditions in the order of RFC 9110, section 13.2.2, and opens the bytes before it sets the status.
 *
 * @throws {RequestError | ImageChanged} and what `open` and `read` throw
 */
async function serveRepresentation(
  ctx: Context,
  representation: Representation,
  { disposition, cacheControl }: Presentation,
): Promise<void> {
  checkPreconditions(ctx, representation);
  setValidators(ctx, representation, cacheControl);
  if (isNotModified(ctx, representation)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  const opened = await representation.open();
  const range = await readRange(ctx, representation, opened);
  describeBytes(ctx, representation, disposition);
  if (ctx.method === 'GET' && (await opened.tryOffload?.(ctx, range)) === true) return;
  await sendBytes(ctx, opened, range);
}

function setValidators(ctx: Context, { etag, lastModified }: Validators, cacheControl: string): void {
  ctx.set({ ETag: etag, 'Last-Modified': lastModified.toUTCString(), 'Cache-Control': cacheControl });
}

async function readRange(
  ctx: Context,
  validators: Validators,
  opened: OpenedRepresentation,
): Promise<ByteRange | undefined> {
  const header = ctx.get('Range');
  if (header === '' || ctx.method !== 'GET' || !ifRangeHolds(ctx, validators)) return undefined;
  const range = parseRange(header, opened.size);
  if (range !== 'unsatisfiable') return range;
  await requireBytes(opened);
  throw new RequestError('range_not_satisfiable', `There are ${opened.size} bytes`, {
    'Content-Range': `bytes */${opened.size}`,
  });
}

/** Uploaded bytes are untrusted: a browser that takes them for a page must not run scripts in it. */
const SAFE_TO_SHOW = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

function describeBytes(
  ctx: Context,
  { mediaType, fileName, headers = {} }: Representation,
  disposition: Presentation['disposition'],
): void {
  ctx.set({ ...headers, ...SAFE_TO_SHOW, 'Accept-Ranges': 'bytes' });
  ctx.attachment(fileName, { type: disposition, fallback: asciiOf(fileName) });
  ctx.type = mediaType;
}

/** For clients without `filename*`; they agree on no other characters (RFC 6266, appendix D). */
function asciiOf(fileName: string): string {
  return fileName.replace(/[^ -~]/gu, '?');
}

async function sendBytes(
  ctx: Context,
  opened: OpenedRepresentation,
  range: ByteRange | undefined,
): Promise<void> {
  if (ctx.method === 'HEAD') await requireBytes(opened);
  else ctx.body = bodyOf(await opened.read(range));
  if (range !== undefined) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${opened.size}`);
  }
  ctx.length = range === undefined ? opened.size : range.end - range.start + 1;
}

const FIRST_BYTE: ByteRange = { start: 0, end: 0 };

/** A response without a body must not describe bytes that are lost. */
async function requireBytes(opened: OpenedRepresentation): Promise<void> {
  await (await opened.read(FIRST_BYTE)).close();
}

function bodyOf(blob: OpenedBlob): Buffer | Readable {
  const { buffered } = blob;
  if (buffered !== undefined) return Buffer.from(buffered.buffer, buffered.byteOffset, buffered.byteLength);
  return readableOf(blob);
}

export function readableOf(blob: OpenedBlob): Readable {
  const bytes = blob.read();
  if (bytes instanceof Readable) return bytes;
  // Destroying a generator before its first step does not run its `finally`, so the blob is closed here.
  return Readable.from(bytes).once('close', () => void blob.close());
}
