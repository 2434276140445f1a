import type { Middleware } from 'koa';
import { RequestError } from '../request-error.ts';

/** Maintenance takes minutes. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Checked after the scope, so that callers without it do not see the read-only state.
 *
 * The middleware throws {RequestError}.
 */
export function requireWritable(readOnly: boolean): Middleware {
  return async (_ctx, next) => {
    if (!readOnly) return next();
    throw new RequestError('read_only', 'The catalog is read-only at the moment', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  };
}
