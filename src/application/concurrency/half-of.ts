/** The share of one subject. */
export function halfOf(slots: number): number {
  return Math.max(1, Math.floor(slots / 2));
}
