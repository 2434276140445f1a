import { Overloaded, type OverloadReason } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';

export interface WaitBound {
  readonly ms: number;
  /** Ends the wait earlier. */
  readonly ended: Cancellation;
  /** Says why it is refused when the time is over. */
  readonly reason?: OverloadReason;
}

export interface BoundedWait {
  /** Aborted with `Overloaded` when the time is over, or with the reason of `ended`. */
  readonly signal: AbortSignal;
  /** Later events cancel nothing. */
  end(): void;
}

/** `AbortSignal.any` is not used: a garbage collection takes the signal of a timeout that nothing else holds, and it never fires. */
export function boundedWait(timer: Timer, { ms, ended, reason = 'time' }: WaitBound): BoundedWait {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(ended.reason);
  const cancelTimer = timer(ms, () => controller.abort(new Overloaded(reason)));
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
