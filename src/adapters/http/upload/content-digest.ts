import type { Context } from 'koa';
import { RequestError } from '../request-error.ts';

/**
 * Lower-case hex.
 *
 * @throws {RequestError}
 */
export function readContentDigest(ctx: Context): string | undefined {
  if (ctx.req.headers['x-content-sha256'] === undefined) return undefined;
  const header = ctx.get('X-Content-SHA256');
  if (/^[0-9a-f]{64}$/i.test(header)) return header.toLowerCase();
  throw new RequestError('invalid_request', 'X-Content-SHA256 must be 64 hexadecimal digits');
}

/** @throws {RequestError} */
export function checkContentDigest(sent: string | undefined, received: string): void {
  if (sent === undefined || sent === received) return;
  throw new RequestError(
    'digest_mismatch',
    'The SHA-256 of the received bytes differs from X-Content-SHA256',
  );
}
