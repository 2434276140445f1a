export const MIN_LINK_SECONDS = 60;
/** A week. */
export const MAX_LINK_SECONDS = 604_800;
export const DEFAULT_LINK_SECONDS = 3600;

/** The longest time from the making of a link to its expiry, which is rounded up by at most a tenth. */
export const LONGEST_LINK_MS = MAX_LINK_SECONDS * 1_100;

/**
 * Unix seconds. Rounded up to a multiple of a tenth of the time to live: callers within that window get the same link, so
 * that caches hold it.
 *
 * @param ttlSeconds whole seconds, at least `MIN_LINK_SECONDS`
 */
export function linkExpiry(now: Date, ttlSeconds: number): number {
  const windowSeconds = Math.floor(ttlSeconds / 10);
  // In milliseconds: both numbers are exact.
  return Math.ceil((now.getTime() + ttlSeconds * 1000) / (windowSeconds * 1000)) * windowSeconds;
}
