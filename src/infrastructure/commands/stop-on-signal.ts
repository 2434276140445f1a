import { exitCodeOfSignal, firstSignal } from './first-signal.ts';

export interface Stop {
  readonly signal: AbortSignal;
  /** As shells report the signal that was received; `undefined` if there was none. */
  exitCode(): number | undefined;
}

/** A second signal ends the process at once. */
export function stopOnSignal(): Stop {
  const controller = new AbortController();
  let exitCode: number | undefined;
  void firstSignal().then((signal) => {
    exitCode = exitCodeOfSignal(signal);
    controller.abort();
  });
  return { signal: controller.signal, exitCode: () => exitCode };
}
