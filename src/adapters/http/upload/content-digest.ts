import type { Context } from 'koa';
import { RequestError } from '../request-error.ts';

/**
 * The SHA-256 in `X-Content-SHA256`, lower-case hex; `undefined` without the header.
 *
 * @throws {RequestError} `invalid_request`
 */
export function readContentDigest(ctx: Context): string | undefined {
  if (ctx.req.headers['x-content-sha256'] === undefined) return undefined;
  const header = ctx.get('X-Content-SHA256');
  if (/^[0-9a-f]{64}$/i.test(header)) return header.toLowerCase();
  throw new RequestError('invalid_request', 'X-Content-SHA256 must be 64 hexadecimal digits');
}

/** @throws {RequestError} `digest_mismatch` if a digest was sent and the received bytes have another */
export function checkContentDigest(sent: string | undefined, received: string): void {
  if (sent === undefined || sent === received) return;
  throw new RequestError(
    'digest_mismatch',
    'The SHA-256 of the received bytes differs from X-Content-SHA256',
  );
}
