import { Overloaded, type OverloadReason } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';

export interface WaitBound {
  readonly ms: number;
  /** Ends the wait earlier. */
  readonly ended: Cancellation;
  /** Why a request is refused when the time is over. Absent: the wait only ends. */
  readonly reason?: OverloadReason;
}

export interface BoundedWait {
  /** Aborted when the time is over, with `Overloaded` if the bound has a reason; earlier with the reason of `ended`. */
  readonly signal: AbortSignal;
  /** Later events cancel nothing. */
  end(): void;
}

/** `AbortSignal.any` is not used: a garbage collection takes the signal of a timeout that nothing else holds, and it never fires. */
export function boundedWait(timer: Timer, { ms, ended, reason }: WaitBound): BoundedWait {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(ended.reason);
  const cancelTimer = timer(ms, () => controller.abort(reason && new Overloaded(reason)));
  ended.addEventListener('abort', cancel, { once: true });
  if (ended.aborted) cancel();
  return {
    signal: controller.signal,
    end: () => {
      cancelTimer();
      ended.removeEventListener('abort', cancel);
    },
  };
}
