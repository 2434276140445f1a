import { CatalogError } from './catalog-error.ts';
import type { Platform } from './platform/platform.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Without `read_only`: to wait for an operator is up to the caller. */
const RETRYABLE: ReadonlySet<string> = new Set(['unreachable', 'busy', 'key_in_use']);

const RETRIES = 5;
const MAX_WAIT_MS = 60_000;

export interface RepeatOptions {
  /** 5 unless given. Infinite: until the request is successful, or fails with an error after which it may not be repeated. */
  readonly retries?: number | undefined;
  /** 60,000 unless given. If the service wants a longer wait, the request fails; with infinite retries it is repeated after this time. */
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly platform: Pick<Platform<never>, 'wait'>;
  readonly onRetry?: (error: CatalogError, delayMs: number) => void;
}

/** Sends a request until it is successful, or its error is not one of those for which it may be repeated. */
export async function repeat<T>(
  send: () => Promise<T>,
  { retries = RETRIES, maxWaitMs = MAX_WAIT_MS, signal, platform, onRetry }: RepeatOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= retries || !isRetryable(error)) throw error;
      const wantedMs = retryDelayMs(error, attempt, Number.POSITIVE_INFINITY);
      if (wantedMs > maxWaitMs && retries < Number.POSITIVE_INFINITY) throw error;
      const delayMs = Math.min(wantedMs, maxWaitMs);
      onRetry?.(error, delayMs);
      await platform.wait(delayMs, signal);
    }
  }
}

/** The service has done nothing, or a repeated request has the same effect as one. */
export function isRetryable(error: unknown): error is CatalogError {
  return error instanceof CatalogError && RETRYABLE.has(error.kind);
}

/**
 * What the service says, else twice as long each time, less a random part so that many clients do not return together.
 *
 * @param attempt 0 for the first retry
 * @param maxWaitMs the longest wait, whatever the service says
 */
export function retryDelayMs(
  { retryAfterMs }: { readonly retryAfterMs?: number | undefined },
  attempt: number,
  maxWaitMs = MAX_WAIT_MS,
): number {
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return Math.min(maxWaitMs, retryAfterMs ?? Math.round(longestMs * (1 - Math.random() / 2)));
}
