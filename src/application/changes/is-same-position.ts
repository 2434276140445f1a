import type { ChangePosition } from '../../domain/ports/records/change-feed.ts';

export function isSamePosition(one: ChangePosition, other: ChangePosition): boolean {
  return one.number === other.number && one.mark === other.mark;
}
