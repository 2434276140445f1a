import type { Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import { REQUEST_BUCKETS } from './request-metrics.ts';

const STAGES = ['receive', 'inspect', 'store', 'record'] as const;

export type UploadStage = (typeof STAGES)[number];

/** The parts of an upload. A stage that fails counts as well. */
export class UploadStages {
  private readonly duration: DurationHistogram;

  constructor(registry: Registry) {
    this.duration = new DurationHistogram({
      name: 'image_catalog_upload_stage_duration_seconds',
      help: 'Duration of the stages of uploads, failed ones included; inspect includes the wait for the decode queue',
      labelNames: ['stage'],
      buckets: REQUEST_BUCKETS,
      registry,
    });
    for (const stage of STAGES) this.duration.of(stage);
  }

  async time<T>(stage: UploadStage, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.duration.of(stage).observe((performance.now() - start) / 1000);
    }
  }
}
