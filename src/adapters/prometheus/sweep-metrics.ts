import { Counter, Gauge, type Registry } from 'prom-client';

const KINDS = ['stagedFiles', 'blobs', 'renditions', 'idempotencyKeys', 'changes'] as const;

const LABEL = {
  stagedFiles: 'staged_file',
  blobs: 'blob',
  renditions: 'rendition',
  idempotencyKeys: 'idempotency_key',
  changes: 'change',
} as const satisfies Record<(typeof KINDS)[number], string>;

/** Numbers of what a sweep has removed. */
export type Swept = Readonly<Record<(typeof KINDS)[number], number>>;

export class SweepMetrics {
  private readonly runs: Counter<'result'>;
  private readonly removed: Counter<'kind'>;
  private readonly lastSuccess: Gauge;
  private readonly interval: Gauge;

  constructor(registry: Registry) {
    this.runs = new Counter({
      name: 'image_catalog_sweeps_total',
      help: 'Sweeps by result',
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
      help: 'End of the last complete sweep of this process; 0 if there was none',
      registers: [registry],
    });
    this.interval = new Gauge({
      name: 'image_catalog_sweep_interval_seconds',
      help: 'SWEEP_INTERVAL_SECONDS; 0 if READ_ONLY turns the sweeper off',
      registers: [registry],
    });
    for (const result of ['ok', 'failed']) this.runs.inc({ result }, 0);
    for (const kind of Object.values(LABEL)) this.removed.inc({ kind }, 0);
  }

  scheduled(intervalSeconds: number): void {
    this.interval.set(intervalSeconds);
  }

  async count<T extends Swept>(sweep: () => Promise<T>): Promise<T> {
    try {
      const swept = await sweep();
      for (const kind of KINDS) this.removed.inc({ kind: LABEL[kind] }, swept[kind]);
      this.runs.inc({ result: 'ok' });
      this.lastSuccess.setToCurrentTime();
      return swept;
    } catch (error) {
      this.runs.inc({ result: 'failed' });
      throw error;
    }
  }
}
