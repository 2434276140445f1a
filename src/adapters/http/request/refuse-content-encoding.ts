import type { Context } from 'koa';
import { RequestError } from '../request-error.ts';

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
