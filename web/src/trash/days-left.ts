const DAY_MS = 86_400_000;

/**
 * Whole days, the one that has begun included; 0 if it is over.
 *
 * @param erasedAt RFC 3339
 * @param now epoch ms
 */
export function daysLeft(erasedAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(erasedAt) - now) / DAY_MS));
}
