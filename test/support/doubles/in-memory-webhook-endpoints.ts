import { StorageUnavailable } from '../../../src/domain/errors.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type { ChangePosition } from '../../../src/domain/ports/records/change-feed.ts';
import type {
  WebhookEndpoint,
  WebhookProgress,
  WebhookRecords,
  WebhookStatus,
} from '../../../src/domain/ports/records/webhook-endpoints.ts';
import type { InMemoryChanges } from './in-memory-changes.ts';

interface Held {
  readonly endpoint: WebhookEndpoint;
  readonly owner?: string | undefined;
  readonly until: number;
}

export class InMemoryWebhookEndpoints implements WebhookRecords {
  isUnavailable = false;
  #held: readonly Held[] = [];

  /** @param clock that of the database */
  constructor(
    private readonly changes: InMemoryChanges,
    private readonly clock: Clock,
  ) {}

  async register(urls: readonly string[]): Promise<void> {
    const after = await this.changes.latest();
    for (const url of urls) {
      if (this.#held.some(({ endpoint }) => endpoint.url === url)) continue;
      const endpoint: WebhookEndpoint = {
        number: this.#held.length + 1,
        url,
        after,
        state: 'ok',
        lastError: undefined,
      };
      this.#held = [...this.#held, { endpoint, until: 0 }];
    }
  }

  async hold(url: string, owner: string, ms: number): Promise<WebhookEndpoint | undefined> {
    if (this.isUnavailable) throw new StorageUnavailable();
    const now = this.clock.now().getTime();
    const held = this.#held.find(({ endpoint }) => endpoint.url === url);
    if (held === undefined || (held.owner !== owner && held.until > now)) return undefined;
    this.#put({ ...held, owner, until: now + ms });
    return held.endpoint;
  }

  async save({ number, after }: WebhookEndpoint, owner: string, progress: WebhookProgress): Promise<boolean> {
    const held = this.#find(number);
    const { after: now } = held?.endpoint ?? {};
    if (held?.owner !== owner || now?.number !== after.number || now.mark !== after.mark) return false;
    this.#put({ ...held, endpoint: { ...held.endpoint, lastError: undefined, ...progress } });
    return true;
  }

  async release(url: string, owner: string): Promise<void> {
    if (this.isUnavailable) throw new StorageUnavailable();
    const held = this.#held.find(({ endpoint }) => endpoint.url === url);
    if (held?.owner === owner) this.#put({ endpoint: held.endpoint, until: 0 });
  }

  async findAll(): Promise<readonly WebhookStatus[]> {
    const changes = (await this.changes.readPage(undefined, Number.POSITIVE_INFINITY))?.changes ?? [];
    return this.#held.map(({ endpoint }) => {
      const next = changes.find(({ position }) => position.number > endpoint.after.number);
      const lag = next === undefined ? 0 : this.clock.now().getTime() - next.at.getTime();
      return { ...endpoint, lagSeconds: Math.max(0, lag / 1000) };
    });
  }

  async resume(number: number): Promise<void> {
    this.#update(number, { state: 'ok', lastError: undefined });
  }

  async move(number: number, after: ChangePosition): Promise<void> {
    this.#update(number, { after });
  }

  all(): readonly WebhookEndpoint[] {
    return this.#held.map(({ endpoint }) => endpoint);
  }

  replaceAll(endpoints: readonly WebhookEndpoint[]): void {
    this.#held = endpoints.map((endpoint) => ({ endpoint, until: 0 }));
  }

  #find(number: number): Held | undefined {
    return this.#held.find(({ endpoint }) => endpoint.number === number);
  }

  #update(number: number, columns: Partial<WebhookEndpoint>): void {
    const held = this.#find(number);
    if (held !== undefined) this.#put({ ...held, endpoint: { ...held.endpoint, ...columns } });
  }

  #put(held: Held): void {
    this.#held = this.#held.map((other) => (other.endpoint.number === held.endpoint.number ? held : other));
  }
}
