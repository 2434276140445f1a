import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { readGauge } from './read-gauge.ts';

const KINDS = [
  'stagedFiles',
  'blobs',
  'renditions',
  'idempotencyKeys',
  'changes',
  'names',
  'trashed',
] as const;

const LABEL = {
  stagedFiles: 'staged_file',
  blobs: 'blob',
  renditions: 'rendition',
  idempotencyKeys: 'idempotency_key',
  changes: 'change',
  names: 'removed_name',
  trashed: 'trashed_image',
} as const satisfies Record<(typeof KINDS)[number], string>;

/** Numbers of what a sweep has removed. */
export type Swept = Readonly<Partial<Record<(typeof KINDS)[number], number>>>;

/** The database may not respond. */
const SLICES_TIMEOUT_MS = 1_000;

export class SweepMetrics {
  private readonly runs: Counter<'result'>;
  private readonly removed: Counter<'kind'>;
  private readonly lastSuccess: Gauge;
  private readonly interval: Gauge;
  private readonly slices: Counter<'result'>;

  constructor(private readonly registry: Registry) {
    this.runs = new Counter({
      name: 'image_catalog_sweeps_total',
      help: 'Sweeps of this process by result, without blobs',
      labelNames: ['result'],
      registers: [registry],
    });
    this.removed = new Counter({
      name: 'image_catalog_swept_total',
      help: 'What sweeps have removed',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.lastSuccess = new Gauge({
      name: 'image_catalog_sweep_last_success_timestamp_seconds',
      help: 'End of the last complete sweep of this process, without blobs; 0 if there was none',
      registers: [registry],
    });
    this.interval = new Gauge({
      name: 'image_catalog_sweep_interval_seconds',
      help: 'SWEEP_INTERVAL_SECONDS; 0 if READ_ONLY turns the sweeper off',
      registers: [registry],
    });
    this.slices = new Counter({
      name: 'image_catalog_sweep_slices_total',
      help: 'Slices of the blob store that this process has swept, by result',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['ok', 'failed']) {
      this.runs.inc({ result }, 0);
      this.slices.inc({ result }, 0);
    }
    for (const kind of Object.values(LABEL)) this.removed.inc({ kind }, 0);
  }

  scheduled(intervalSeconds: number): void {
    this.interval.set(intervalSeconds);
  }

  /** @param read ms since the slice that was swept longest ago was swept; `undefined` if one never was */
  observeSlices(read: () => Promise<number | undefined>): void {
    readGauge({
      name: 'image_catalog_sweep_slices_age_seconds',
      help: 'Time since the slice that was swept longest ago was swept, by any process; NaN if one never was',
      registry: this.registry,
      read: async () => {
        const ageMs = await Promise.race([
          read().catch(() => undefined),
          delay(SLICES_TIMEOUT_MS, undefined, { ref: false }),
        ]);
        return ageMs === undefined ? Number.NaN : ageMs / 1000;
      },
    });
  }

  async count<T extends Swept>(sweep: () => Promise<T>): Promise<T> {
    const swept = await this.counted(this.runs, sweep);
    this.lastSuccess.setToCurrentTime();
    return swept;
  }

  /** @param sweep resolves to `undefined` if there was nothing to do */
  async countSlice<T extends Swept | undefined>(sweep: () => Promise<T>): Promise<T> {
    return await this.counted(this.slices, sweep);
  }

  private async counted<T extends Swept | undefined>(
    sweeps: Counter<'result'>,
    sweep: () => Promise<T>,
  ): Promise<T> {
    try {
      const swept = await sweep();
      if (swept === undefined) return swept;
      for (const kind of KINDS) this.removed.inc({ kind: LABEL[kind] }, swept[kind] ?? 0);
      sweeps.inc({ result: 'ok' });
      return swept;
    } catch (error) {
      sweeps.inc({ result: 'failed' });
      throw error;
    }
  }
}
