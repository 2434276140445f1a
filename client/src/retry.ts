import { CatalogError } from './catalog-error.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** The service has done nothing, or a repeated request has the same effect as one. */
export function isRetryable(error: unknown): error is CatalogError {
  if (!(error instanceof CatalogError)) return false;
  const { code, status, retryAfterMs } = error;
  // An operator decides when it ends: to wait for it is up to the caller.
  if (code === 'read_only') return false;
  if (code === 'network_error' || status === 408 || status === 429 || status === 503) return true;
  // A service that has not got any signing key yet cannot accept a token.
  if (status === 401) return retryAfterMs !== undefined;
  return code === 'idempotency_key_in_use';
}

/**
 * What the service says, else twice as long each time, less a random part so that many clients do not return together.
 *
 * @param attempt 0 for the first retry
 */
export function retryDelayMs({ retryAfterMs }: CatalogError, attempt: number, random = Math.random): number {
  return retryAfterMs ?? Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (1 - random() / 2);
}
