import type { Middleware } from 'koa';
import { RequestError } from '../request-error.ts';

/** For `Retry-After`: maintenance takes minutes. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Refuses requests that change a read-only catalog. Checked after the scope, so that callers without it do not see the
 * read-only state.
 * The middleware throws {RequestError} `read_only`.
 */
export function requireWritable(readOnly: boolean): Middleware {
  return async (_ctx, next) => {
    if (!readOnly) return next();
    throw new RequestError('read_only', 'The catalog is read-only at the moment', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  };
}
