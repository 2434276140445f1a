import { setTimeout as delay } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import type { WebhookReply } from '../../domain/ports/process/webhook-receiver.ts';
import { readGauges } from './read-gauge.ts';

/** The database may not respond. */
const LAG_TIMEOUT_MS = 1_000;

export interface WebhookLag {
  /** As operators see it: several endpoints may look the same. */
  readonly url: string;
  readonly lagSeconds: number;
}

export class WebhookMetrics {
  private readonly failures: Counter<'endpoint'>;
  /** Shared by the endpoints of a scrape. */
  private reading: Promise<readonly WebhookLag[]> | undefined;

  constructor(private readonly registry: Registry) {
    this.failures = new Counter({
      name: 'image_catalog_webhook_failures_total',
      help: 'Tries of this process to deliver a message that failed',
      labelNames: ['endpoint'],
      registers: [registry],
    });
  }

  /** @param read of all endpoints, also of those that are not configured */
  observe(endpoints: readonly string[], read: () => Promise<readonly WebhookLag[]>): void {
    for (const endpoint of endpoints) this.failures.inc({ endpoint }, 0);
    readGauges({
      name: 'image_catalog_webhook_lag_seconds',
      help: 'Age of the oldest change that is not delivered; NaN if the database does not respond',
      registry: this.registry,
      label: 'endpoint',
      reads: endpoints.map((endpoint) => [endpoint, () => this.lagOf(endpoint, read)]),
    });
  }

  async count(endpoint: string, post: () => Promise<WebhookReply>): Promise<WebhookReply> {
    const reply = await post();
    if (reply.result === 'failed' || reply.result === 'gone') this.failures.inc({ endpoint });
    return reply;
  }

  private async lagOf(endpoint: string, read: () => Promise<readonly WebhookLag[]>): Promise<number> {
    this.reading ??= read()
      .catch(() => [])
      .finally(() => {
        this.reading = undefined;
      });
    const found = await Promise.race([this.reading, delay(LAG_TIMEOUT_MS, [], { ref: false })]);
    const lags = found.filter(({ url }) => url === endpoint).map(({ lagSeconds }) => lagSeconds);
    return lags.length === 0 ? Number.NaN : Math.max(...lags);
  }
}
