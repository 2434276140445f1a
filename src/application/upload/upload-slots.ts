import type { Space } from '../../domain/space/space.ts';
import { halfOf } from '../concurrency/half-of.ts';
import { ALL, type QueuedJob, type QueuePolicy } from '../concurrency/queue-policy.ts';

export interface UploadJob extends QueuedJob {
  readonly space: Space;
  readonly byTicket: boolean;
}

/** All tickets together have half of the slots, and those of one space half of these. So has one subject, and one space if it shares. */
export function uploadSlots(slots: number, sharesBySpace: boolean): QueuePolicy<UploadJob> {
  const share = halfOf(slots);
  return {
    reason: 'uploads',
    running: ({ subject, space, byTicket }) => [
      { label: ALL, max: slots },
      ...(byTicket
        ? [
            { label: 'tickets', max: share },
            { label: `tickets of ${space}`, max: halfOf(share) },
          ]
        : [
            { label: `subject ${subject}`, max: share },
            { label: `space ${space}`, max: sharesBySpace ? share : slots },
          ]),
    ],
  };
}
