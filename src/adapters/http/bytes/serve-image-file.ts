import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { OpenRendition } from '../../../application/files/open-rendition.ts';
import { originalFileName } from '../../../domain/image/file-name.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import {
  isCrop,
  type Rendition,
  renditionFileName,
  renditionMediaType,
} from '../../../domain/image/rendition.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { RequestError } from '../errors/request-error.ts';
import {
  checkPreconditions,
  etagOf,
  ifRangeHolds,
  isNotModified,
  type Validators,
} from '../request/conditions.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { parseRange, sliceBlob } from './byte-range.ts';
import type { Offload } from './offload.ts';
import { type FileQuery, renditionOf } from './rendition-query.ts';

export interface ImageFiles {
  readonly openImageFile: OpenImageFile;
  readonly openRendition: OpenRendition;
}

interface ServedFile {
  /** `undefined` for the original. */
  readonly rendition: Rendition | undefined;
  readonly files: ImageFiles;
  readonly disposition: Disposition;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
  /** Sends originals by another server. */
  readonly offload?: Offload | undefined;
  /**
   * The address may point to another image later, also to an older one. Its responses have no time: by the time of an image, a client
   * with the bytes of a younger one would be told that it has the present ones.
   */
  readonly moves?: boolean;
}

type Disposition = 'inline' | 'attachment';

/** Throws what `serveRepresentation` throws. The caller sets headers for caches. */
export async function serveImageFile(ctx: Context, image: CatalogImage, file: ServedFile): Promise<void> {
  const { rendition } = file;
  const representation =
    rendition === undefined
      ? originalRepresentation(image, file)
      : renditionRepresentation(ctx, image, rendition, file);
  await serveRepresentation(ctx, representation, file.disposition);
}

function originalRepresentation(image: CatalogImage, { files, offload, moves }: ServedFile): Representation {
  return {
    etag: etagOf(image),
    lastModified: moves ? undefined : image.createdAt,
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
  image: CatalogImage,
  rendition: Rendition,
  { files: { openRendition }, subject, moves }: ServedFile,
): Representation {
  return {
    etag: `"${openRendition.identify(image, rendition)}"`,
    // A crop changes with the focus, at a time that the record does not tell.
    lastModified: moves || (isCrop(rendition) && image.metadataVersion > 1) ? undefined : image.createdAt,
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

/** @param address whether another request may get another image; by default it may not */
export type ServeFile = (
  ctx: Context,
  image: CatalogImage,
  query: FileQuery,
  address?: 'moving',
) => Promise<undefined>;

interface ServeFileOptions {
  readonly files: ImageFiles;
  readonly resourcePolicy: 'cross-origin' | 'same-site';
  readonly offload: Offload | undefined;
}

export function serveFile({ files, resourcePolicy, offload }: ServeFileOptions): ServeFile {
  return async (ctx, image, query, address) => {
    ctx.set({
      'Cross-Origin-Resource-Policy': resourcePolicy,
      'Cache-Control': address === 'moving' ? 'private, no-cache' : 'private, max-age=300',
    });
    await serveImageFile(ctx, image, {
      rendition: renditionOf(ctx, image, query),
      files,
      offload,
      subject: subjectOf(ctx),
      moves: address === 'moving',
      disposition: query.download === 'true' ? 'attachment' : 'inline',
    });
    return undefined;
  };
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

/**
 * Evaluates conditions in the order of RFC 9110, section 13.2.2, and opens the bytes before it sets the status.
 *
 * @throws {RequestError | ImageChanged} and what `open` and `read` throw
 */
async function serveRepresentation(
  ctx: Context,
  representation: Representation,
  disposition: Disposition,
): Promise<void> {
  checkPreconditions(ctx, representation);
  setValidators(ctx, representation);
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

function setValidators(ctx: Context, { etag, lastModified }: Validators): void {
  ctx.set('ETag', etag);
  if (lastModified !== undefined) ctx.set('Last-Modified', lastModified.toUTCString());
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
  disposition: Disposition,
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
