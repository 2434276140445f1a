import { Counter, type Registry } from 'prom-client';
import { readGauge } from './read-gauge.ts';

export class SigningKeyMetrics {
  private readonly fetches: Counter<'result'>;

  constructor(private readonly registry: Registry) {
    this.fetches = new Counter({
      name: 'image_catalog_jwks_fetches_total',
      help: 'Fetches of the signing keys by result',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['ok', 'failed']) this.fetches.inc({ result }, 0);
  }

  /** @param ageSeconds infinite before the first fetch */
  observe(ageSeconds: () => number): void {
    readGauge({
      name: 'image_catalog_jwks_age_seconds',
      help: 'Age of the signing keys in use; infinite if there are none',
      registry: this.registry,
      read: ageSeconds,
    });
  }

  async count<T>(fetch: () => Promise<T>): Promise<T> {
    try {
      const fetched = await fetch();
      this.fetches.inc({ result: 'ok' });
      return fetched;
    } catch (error) {
      this.fetches.inc({ result: 'failed' });
      throw error;
    }
  }
}
