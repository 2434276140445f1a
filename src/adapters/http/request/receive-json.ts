import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { RequestError } from '../errors/request-error.ts';
import { BodyTimeout, type BodyTimeoutOptions } from './body-timeout.ts';

interface JsonBodyRules extends BodyTimeoutOptions {
  /** A body of exactly this many bytes passes. */
  readonly maxBytes: number;
  /** Lower case. */
  readonly mediaType: string;
}

/** Not parsed yet: the contract refuses by id and `If-Match` before it refuses by the content of the body. */
type ReceiveJson = (ctx: Context) => Promise<Buffer>;

/** The function throws {RequestError}: first by the headers, then by the length of the body. */
export function receiveJson(rules: JsonBodyRules): ReceiveJson {
  return async (ctx) => {
    // RFC 5789, section 3.1.
    const headers = ctx.method === 'PATCH' ? { 'Accept-Patch': rules.mediaType } : {};
    refuseContentEncoding(ctx, headers);
    refuseOtherTypes(ctx, rules.mediaType, headers);
    if (Number(ctx.get('Content-Length')) > rules.maxBytes) throw bodyTooLarge(rules.maxBytes);
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
    return await receiveBytes(ctx.req, rules);
  };
}

/** Parameters other than `charset` are ignored, also ill-formed ones. */
function refuseOtherTypes(ctx: Context, mediaType: string, headers: Record<string, string>): void {
  const { type, charset } = ctx.request;
  const isUtf8 = charset === '' || charset.toLowerCase() === 'utf-8';
  if (isUtf8 && type.trim().toLowerCase() === mediaType) return;
  throw new RequestError('unsupported_media_type', `The request must be ${mediaType} in UTF-8`, headers);
}

/** A client may send each byte as a chunk, of which 256 KiB would take 30 MB. */
const MAX_CHUNKS = 1024;

/**
 * Stops reading at the limit and leaves the request open for the response.
 *
 * @throws {RequestError}
 */
async function receiveBytes(request: IncomingMessage, limits: JsonBodyRules): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (error?: Error): void => {
      timeout.stop();
      request.off('data', onData).off('end', settle).off('close', onClose).pause();
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    };
    const timeout = new BodyTimeout(limits, { isReady: () => true, end: settle });
    const onData = (chunk: Buffer): void => {
      timeout.add(chunk.length);
      length += chunk.length;
      chunks.push(chunk);
      if (chunks.length > MAX_CHUNKS) chunks.splice(0, chunks.length, Buffer.concat(chunks));
      if (length > limits.maxBytes) settle(bodyTooLarge(limits.maxBytes));
    };
    const onClose = (): void => settle(new Error('The client left'));
    request.on('data', onData).once('end', settle).once('close', onClose);
    // The events have fired already if the client left during authentication.
    if (request.destroyed) onClose();
  });
}

function bodyTooLarge(maxBytes: number): RequestError {
  return new RequestError('request_too_large', `The request body is larger than ${maxBytes} bytes`);
}

/** @throws {RequestError} */
export function refuseContentEncoding(ctx: Context, headers: Record<string, string> = {}): void {
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return;
  throw new RequestError(
    'unsupported_media_type',
    'A request with a Content-Encoding is not supported',
    headers,
  );
}
