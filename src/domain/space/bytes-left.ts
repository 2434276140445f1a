import type { Usage } from './space.ts';

/** What is left of the limit; trash counts. 0 if a space has more than its limit. */
export function bytesLeft({ bytes, trashed, limits }: Usage): number {
  return Math.max(0, (limits.bytes ?? Infinity) - bytes - trashed.bytes);
}
