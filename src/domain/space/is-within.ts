import type { Amount, Limits } from './space.ts';

/** Whether a space may hold as much. */
export function isWithin({ images, bytes }: Amount, limits: Limits): boolean {
  return images <= (limits.images ?? Infinity) && bytes <= (limits.bytes ?? Infinity);
}
