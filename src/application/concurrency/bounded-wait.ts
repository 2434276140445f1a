import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';

export interface BoundedWait {
  /** Aborted with the reason of the owner, or with `Overloaded` when the time is over. */
  readonly signal: AbortSignal;
  /** Later events cancel nothing. */
  end(): void;
}

/** Not with `AbortSignal.any`: a garbage collection takes the signal of a timeout that nothing else holds, and it never fires. */
export function boundedWait(owner: Cancellation, maxWaitMs: number): BoundedWait {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(owner.reason);
  const timer = setTimeout(() => controller.abort(new Overloaded()), maxWaitMs);
  owner.addEventListener('abort', cancel, { once: true });
  if (owner.aborted) cancel();
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      owner.removeEventListener('abort', cancel);
    },
  };
}
