import type { Context } from 'koa';
import { RequestError } from './request-error.ts';

/**
 * The SHA-256 that the client says its file has, lower-case hex.
 *
 * @throws {RequestError} `invalid_request` where the header is there and ill-formed
 */
export function readContentSha256(ctx: Context): string | undefined {
  const header = ctx.get('X-Content-SHA256');
  if (ctx.req.headers['x-content-sha256'] === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(header)) return header.toLowerCase();
  throw new RequestError('invalid_request', 'X-Content-SHA256 must be 64 hexadecimal digits');
}
