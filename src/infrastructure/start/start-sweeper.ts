import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SweepOrphans } from '../../application/maintenance/sweep-orphans.ts';

export interface Sweeper {
  /** Resolves when the current sweep has ended. */
  stop(): Promise<void>;
}

/** A failed sweep is logged; the next one retries. */
export function startSweeper(sweepOrphans: SweepOrphans, intervalMs: number, log: Logger): Sweeper {
  const stopping = new AbortController();
  const ended = sweepUntil(stopping.signal, sweepOrphans, intervalMs, log);
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await ended;
    },
  };
}

async function sweepUntil(
  stopped: AbortSignal,
  sweepOrphans: SweepOrphans,
  intervalMs: number,
  log: Logger,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      const report = await sweepOrphans.execute({ dryRun: false, stopped });
      log.info({ ...report, foreign: report.foreign.length }, 'swept');
    } catch (error) {
      if (!stopped.aborted) log.warn({ err: error }, 'sweep failed');
    }
    await delay(intervalMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}
