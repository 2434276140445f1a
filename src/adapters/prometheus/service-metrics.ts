import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ImageMetrics } from './image-metrics.ts';
import { readGauge } from './read-gauge.ts';
import { CallMetrics, RequestMetrics, UploadStages } from './request-metrics.ts';
import { SigningKeyMetrics } from './signing-key-metrics.ts';
import { SweepMetrics } from './sweep-metrics.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

export interface BuildFacts {
  readonly version: string;
  readonly node: string;
}

/** All metrics of a process. Their series are there from the start, so that rules can rely on them. */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly uploadStages = new UploadStages(this.registry);
  readonly images = new ImageMetrics(this.registry);
  readonly signingKeys = new SigningKeyMetrics(this.registry);
  readonly databaseCalls = new CallMetrics('database', this.registry);
  readonly blobCalls = new CallMetrics('blob', this.registry);
  readonly sweeps = new SweepMetrics(this.registry);
  readonly webhooks = new WebhookMetrics(this.registry);

  constructor({ version, node }: BuildFacts) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'image_catalog_build_info',
      help: 'Always 1; the labels tell the version',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version, node }, 1);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    return await this.registry.metrics();
  }

  /** @param readers open streams of changes, and requests that wait for one */
  observeChanges(readers: () => number): void {
    readGauge({
      name: 'image_catalog_change_readers',
      help: 'Open streams of changes, and requests that wait for a change',
      registry: this.registry,
      read: readers,
    });
  }

  /** @param bounded searches for similar images that ended at their bound */
  observeSimilar(bounded: () => number): void {
    const counter = new Counter({
      name: 'image_catalog_similar_searches_bounded_total',
      help: 'Searches for similar images that ended at their bound: some that differ may not have been found',
      registers: [],
      collect(): void {
        this.reset();
        this.inc(bounded());
      },
    });
    this.registry.registerMetric(counter);
  }
}
