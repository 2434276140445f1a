import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { addCounts } from '../../application/maintenance/add-counts.ts';
import type { Resolved } from '../resolve-all.ts';

/** The slice of a killed process is taken over within this time and its lease. */
const MAX_PAUSE_MS = 60_000;

/** A failed sweep is logged; the next one retries. Returns what stops it, and resolves when the current sweep has ended. */
export function startSweeper(
  { sweepOrphans, sweepBlobs }: Resolved<'sweepOrphans' | 'sweepBlobs'>,
  intervalMs: number,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const sweepOwn = async (): Promise<boolean> => {
    const report = await sweepOrphans.sweepOwn({ dryRun: false, stopped });
    log.info({ ...report, foreign: report.foreign.length }, 'swept');
    return false;
  };
  // Most rounds have 256 slices: they share one line.
  let round: Readonly<Record<string, number>> | undefined;
  const sweepSlice = async (): Promise<boolean> => {
    const report = await sweepBlobs.sweepDue(intervalMs, stopped);
    const counts = report && { turns: 1, ...report, foreign: report.foreign.length };
    if (counts === undefined && round !== undefined) log.info(round, 'swept blobs');
    round = round && counts ? addCounts(round, counts) : counts;
    return report !== undefined;
  };
  const ended = Promise.all([
    repeat(sweepOwn, intervalMs, stopped, log),
    repeat(sweepSlice, Math.min(intervalMs, MAX_PAUSE_MS), stopped, log),
  ]);
  return async () => {
    stopping.abort();
    await ended;
  };
}

/** @param sweep resolves to whether there is more to do at once */
async function repeat(
  sweep: () => Promise<boolean>,
  pauseMs: number,
  stopped: AbortSignal,
  log: Logger,
): Promise<void> {
  while (!stopped.aborted) {
    const hasMore = await sweep().catch((error: unknown) => {
      if (!stopped.aborted) log.warn({ err: error }, 'sweep failed');
      return false;
    });
    if (!hasMore) await delay(pauseMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}
