import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { BROTLI, compressor, GZIP } from './compressor.ts';
import { type ContentCoding, preferredCoding } from './content-coding.ts';
import { type EncodedJson, JsonWriter } from './json-writer.ts';

/** Smaller bodies fit a few packets anyway. */
const MIN_BYTES = 2048;

const CODINGS: ReadonlySet<ContentCoding> = new Set(['br', 'gzip', 'identity']);

/** JSON of which the handler has made the text. */
export type JsonText = Readable | Buffer | EncodedJson;

/** @param body a value, or JSON that is a text already */
export async function sendJson(ctx: Context, body: unknown): Promise<void> {
  if (body instanceof Readable) sendStream(ctx, body);
  else if (body instanceof Buffer) await sendBytes(ctx, body);
  else if (isEncoded(body)) sendEncoded(ctx, body);
  else if (Array.isArray(body)) await sendArray(ctx, body);
  else await sendBytes(ctx, Buffer.from(JSON.stringify(body)));
}

function isEncoded(body: unknown): body is EncodedJson {
  return typeof body === 'object' && body !== null && 'chunks' in body;
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
  ctx.body = pipeline(source, compressor(coding, 'each'), () => {});
  // An error of the source may come before the first compressed byte: too late for an error response, because rows were read.
  ctx.flushHeaders();
}

async function sendArray(ctx: Context, items: readonly unknown[]): Promise<void> {
  const json = new JsonWriter(() => codingFor(ctx));
  let before = '[';
  for (const item of items) {
    json.add(`${before}${JSON.stringify(item)}`);
    before = ',';
    if (json.isDue) await json.encode();
  }
  json.add(items.length === 0 ? '[]' : ']');
  await sendJson(ctx, await json.end());
}

function sendEncoded(ctx: Context, { coding, chunks }: EncodedJson): void {
  describeCoding(ctx, coding);
  const length = chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);
  ctx.body = Readable.from(takenFrom(chunks), { highWaterMark: 1 });
  ctx.length = length;
}

/** What is sent is no longer held. */
function* takenFrom(chunks: Buffer[]): Generator<Buffer, void, undefined> {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk;
}

/** Of a body of at least `MIN_BYTES`. */
export function codingFor(ctx: Context): ContentCoding {
  return preferredCoding(ctx.get('Accept-Encoding'), CODINGS);
}

function negotiate(ctx: Context): ContentCoding {
  const coding = codingFor(ctx);
  describeCoding(ctx, coding);
  return coding;
}

function describeCoding(ctx: Context, coding: ContentCoding): void {
  ctx.vary('Accept-Encoding');
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
}
