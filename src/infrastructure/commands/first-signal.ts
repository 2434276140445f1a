import { constants } from 'node:os';
import { endBySignal } from './end-by-signal.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/** A second signal ends the process at once. */
export async function firstSignal(): Promise<StopSignal> {
  return await new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        resolve(signal);
        for (const second of SIGNALS) process.on(second, () => endBySignal(second));
      });
    }
  });
}

/** As shells report it. */
export function exitCodeOfSignal(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
