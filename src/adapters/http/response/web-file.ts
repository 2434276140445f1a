import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { hasTag } from '../request/validators.ts';
import { type ContentCoding, preferredCoding } from './content-coding.ts';

/** The same content in one or more codings; `identity` is always one of them. */
export interface WebFile {
  readonly mediaType: string;
  readonly variants: ReadonlyMap<ContentCoding, Variant>;
}

interface Variant {
  readonly bytes: Buffer;
  /** Lower-case hex, of these bytes. */
  readonly sha256: string;
}

export function webFile(
  mediaType: string,
  bytes: Buffer,
  compressed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>> = {},
): WebFile {
  const variants = new Map<ContentCoding, Variant>([['identity', variant(bytes)]]);
  for (const coding of ['br', 'gzip'] as const) {
    const shorter = compressed[coding];
    if (shorter !== undefined && shorter.length < bytes.length) variants.set(coding, variant(shorter));
  }
  return { mediaType, variants };
}

/** Compresses outside of the event loop. The highest quality of Brotli would take ten times as long. */
export async function compressedWebFile(mediaType: string, bytes: Buffer): Promise<WebFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes),
  ]);
  return webFile(mediaType, bytes, { br, gzip: zipped });
}

function variant(bytes: Buffer): Variant {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export interface Caching {
  readonly cacheControl: string;
  /** Stands for headers of the response that a cache must renew together with the bytes. */
  readonly tagSuffix?: string;
}

/** Each variant has a strong ETag of its own. */
export function serveWebFile(ctx: Context, file: WebFile, { cacheControl, tagSuffix = '' }: Caching): void {
  const { etag, bytes } = negotiateVariant(ctx, file, tagSuffix);
  ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
  if (bytes === undefined) {
    ctx.status = 304;
    return;
  }
  ctx.type = file.mediaType;
  ctx.body = bytes;
}

export interface NegotiatedVariant {
  readonly etag: string;
  /** `undefined` if the client has them. */
  readonly bytes: Buffer | undefined;
}

/** Sets the headers that say which variant it is. */
export function negotiateVariant(ctx: Context, { variants }: WebFile, tagSuffix = ''): NegotiatedVariant {
  if (variants.size > 1) ctx.vary('Accept-Encoding');
  const coding = preferredCoding(ctx.get('Accept-Encoding'), new Set(variants.keys()));
  const chosen = requireVariant(variants, coding);
  const etag = `"${chosen.sha256}${tagSuffix}"`;
  if (hasTag(ctx.get('If-None-Match'), etag)) return { etag, bytes: undefined };
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  return { etag, bytes: chosen.bytes };
}

/** Without a coding. */
export function identityBytes({ variants }: WebFile): Buffer {
  return requireVariant(variants, 'identity').bytes;
}

function requireVariant(variants: WebFile['variants'], coding: ContentCoding): Variant {
  const variant = variants.get(coding);
  if (variant === undefined) throw new TypeError('A file without its own bytes');
  return variant;
}
