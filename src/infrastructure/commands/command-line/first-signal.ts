import { endBySignal } from './end-by-signal.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** A second signal ends the process at once. */
export async function firstSignal(): Promise<(typeof SIGNALS)[number]> {
  return await new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        resolve(signal);
        for (const second of SIGNALS) process.on(second, () => endBySignal(second));
      });
    }
  });
}
