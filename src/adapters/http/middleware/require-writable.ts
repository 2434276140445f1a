import type { Middleware } from 'koa';
import { RequestError } from '../request-error.ts';

/** When a client may ask again: a window of maintenance is minutes long, and the first to come back need not be exact. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Lets a request pass that changes the catalog, where the catalog may be changed. It stands behind authentication and
 * scopes: who may not write learns nothing of when others may.
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
