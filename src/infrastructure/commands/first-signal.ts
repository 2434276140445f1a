import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/** Resolves at the first signal. Whoever asks twice does not want to wait: the second one ends the process. */
export async function firstSignal(): Promise<StopSignal> {
  return await new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        resolve(signal);
        for (const second of SIGNALS) process.on(second, () => process.exit(exitCodeOfSignal(second)));
      });
    }
  });
}

/** What shells say of a program that a signal has ended. */
export function exitCodeOfSignal(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
