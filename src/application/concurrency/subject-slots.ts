import type { OverloadReason } from '../../domain/errors.ts';
import { ALL, type QueuedJob, type QueuePolicy } from './queue-policy.ts';

/** Slots, of which one subject has at most a share. */
export function subjectSlots(reason: OverloadReason, slots: number, share: number): QueuePolicy<QueuedJob> {
  return {
    reason,
    running: ({ subject }) => [
      { label: ALL, max: slots },
      { label: `subject ${subject}`, max: share },
    ],
  };
}
