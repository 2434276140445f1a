import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { type ContentCoding, preferredCoding } from './content-coding.ts';

/** Smaller bodies fit a few packets anyway. */
const MIN_BYTES = 2048;

const CODINGS: ReadonlySet<ContentCoding> = new Set(['br', 'gzip', 'identity']);

/** Digests do not compress, so higher qualities take 4 to 12 times as long and make pages of records 5 % smaller. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

const GZIP = { level: 1 };

/** Bounds the memory of an encoder, in powers of two. */
const STREAM_WINDOW = 18;

/** @param body a value, or JSON as a stream of text or as bytes */
export async function sendJson(ctx: Context, body: unknown): Promise<void> {
  if (body instanceof Readable) sendStream(ctx, body);
  else await sendBytes(ctx, body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)));
}

/** Text, compressed if the client prefers it. */
export async function sendBytes(ctx: Context, bytes: Buffer): Promise<void> {
  const coding = bytes.length < MIN_BYTES ? 'identity' : negotiate(ctx);
  ctx.body = coding === 'identity' ? bytes : await compress(bytes, coding);
}

/** Outside of the event loop. */
async function compress(bytes: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  if (coding === 'gzip') return await promisify(gzip)(bytes, GZIP);
  const params = { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return await promisify(brotliCompress)(bytes, { params });
}

function sendStream(ctx: Context, source: Readable): void {
  const coding = negotiate(ctx);
  if (coding === 'identity' || ctx.method === 'HEAD') {
    ctx.body = source;
    return;
  }
  // Koa reports an error of the last stream.
  ctx.body = pipeline(source, compressor(coding), () => {});
  // An error of the source may come before the first compressed byte: too late for an error response, because rows were read.
  ctx.flushHeaders();
}

/** Each chunk of the source is sent at once: clients process the listing as it arrives. */
function compressor(coding: 'br' | 'gzip'): Transform {
  if (coding === 'gzip') return createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH });
  const params = { ...BROTLI, [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW };
  return createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params });
}

function negotiate(ctx: Context): ContentCoding {
  ctx.vary('Accept-Encoding');
  const coding = preferredCoding(ctx.get('Accept-Encoding'), CODINGS);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  return coding;
}
