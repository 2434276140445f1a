import type { KeyObject } from 'node:crypto';
import { JwksClient } from 'jwks-rsa';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { fetchJwks } from './fetch-jwks.ts';
import { FETCH_SPACING_MS, FetchRateLimiter } from './fetch-rate-limiter.ts';
import { PublishedKeys, usableJwks } from './published-keys.ts';

/** Milliseconds. */
export interface SigningKeysTiming {
  /** No request waits longer for the provider, even if it waits for two fetches. */
  readonly waitMs: number;
  readonly fetchDeadlineMs: number;
}

/** The contract says 3 s. A later response of the provider serves the next request. */
const TIMING: SigningKeysTiming = { waitMs: 2_900, fetchDeadlineMs: 3_000 };

interface SigningKeysOptions {
  readonly jwksUri: string;
  readonly clock: Clock;
  readonly log: Readonly<Record<'warn' | 'error', (facts: object, message: string) => void>>;
  readonly timing?: Partial<SigningKeysTiming>;
  /** Around each fetch. Rejects as the fetch does. */
  readonly watchFetch?: (fetch: () => Promise<void>) => Promise<void>;
}

const MINUTE_MS = 60_000;

/** From this age on, keys are refreshed in the background. */
const REFRESH_AFTER_MS = 5 * MINUTE_MS;

/** From this age on, requests wait for the refresh, because a withdrawn key must stop working. */
const MAX_AGE_MS = 10 * MINUTE_MS;

/** Keys of this age are not used, even if the provider is unavailable. */
const HARD_MAX_AGE_MS = 24 * 60 * MINUTE_MS;

/** After a failed fetch, requests use the present keys without waiting for the next. */
const FAILURE_MEMORY_MS = MINUTE_MS;

/** The cache and the rate limit of jwks-rsa 4.1 are off: they work per `kid`, so invented `kid`s would lock out all clients. */
export class SigningKeys {
  private readonly client: JwksClient;
  private readonly limiter: FetchRateLimiter;
  private readonly timing: SigningKeysTiming;
  private published = new PublishedKeys();
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Whether it succeeds. Never rejects. */
  private pending: Promise<boolean> | undefined;
  /** Of tokens whose key the last fetch did not bring. */
  private readonly unknownKids = new Set<string>();
  private sets = 0;

  constructor(private readonly options: SigningKeysOptions) {
    const { jwksUri, clock, timing } = options;
    this.timing = { ...TIMING, ...timing };
    this.limiter = new FetchRateLimiter(clock);
    const { fetchDeadlineMs } = this.timing;
    this.client = new JwksClient({
      jwksUri,
      cache: false,
      rateLimit: false,
      fetcher: async (uri) => ({ keys: usableJwks(await fetchJwks(uri, fetchDeadlineMs)) }),
    });
  }

  get hasKeys(): boolean {
    return this.ageMs < HARD_MAX_AGE_MS;
  }

  get isFresh(): boolean {
    return this.ageMs < REFRESH_AFTER_MS;
  }

  /** Infinite before the first fetch. A clock that is set back does not extend the life of the set. */
  get ageMs(): number {
    const now = this.options.clock.now().getTime();
    this.fetchedAt = Math.min(this.fetchedAt, now);
    return now - this.fetchedAt;
  }

  /** Increases whenever the provider publishes a different set. */
  get generation(): number {
    return this.sets;
  }

  /**
   * `undefined` if the key is not published or the provider is unavailable. Resolves within `waitMs` and never rejects.
   *
   * @param kid of the token; without one, the only published key
   */
  async get(kid: string | undefined): Promise<KeyObject | undefined> {
    if (!this.isFresh || this.find(kid) === undefined) await within(this.timing.waitMs, this.search(kid));
    return this.find(kid);
  }

  /** Never rejects. */
  async warmUp(): Promise<void> {
    if (!this.hasKeys) await this.fetch();
  }

  private find(kid: string | undefined): KeyObject | undefined {
    return this.hasKeys ? this.published.find(kid) : undefined;
  }

  private async search(kid: string | undefined): Promise<void> {
    const earlier = this.pending;
    if (!this.isFresh) void this.fetch();
    if (this.isDecided(kid)) return;
    // A fetch that began before this request may have missed the key.
    await earlier;
    if (this.isDecided(kid)) return;
    const hasSucceeded = await this.fetch();
    if (hasSucceeded && kid !== undefined && this.find(kid) === undefined) this.unknownKids.add(kid);
  }

  /** Whether no fetch is waited for. */
  private isDecided(kid: string | undefined): boolean {
    const hasJustFailed = this.options.clock.now().getTime() - this.failedAt < FAILURE_MEMORY_MS;
    if (!this.hasKeys || (this.ageMs >= MAX_AGE_MS && !hasJustFailed)) return false;
    // A token without a `kid` matches none of several keys, and fetching them again changes nothing.
    if (kid === undefined || this.find(kid) !== undefined) return true;
    // Counts from the start of the fetch: the key may have been published at any time since then.
    return this.unknownKids.has(kid) && this.ageMs < FETCH_SPACING_MS;
  }

  /** The fetch under way or another; `undefined` if the limit refuses it. */
  private fetch(): Promise<boolean> | undefined {
    if (this.pending === undefined && this.limiter.begin()) this.pending = this.refresh();
    return this.pending;
  }

  private async refresh(): Promise<boolean> {
    const startedAt = this.options.clock.now().getTime();
    const { watchFetch = (fetch): Promise<void> => fetch() } = this.options;
    try {
      await watchFetch(async () => this.accept(await PublishedKeys.fetch(this.client), startedAt));
      return true;
    } catch (err) {
      this.failedAt = this.options.clock.now().getTime();
      this.report(err);
      return false;
    } finally {
      this.limiter.end();
      this.pending = undefined;
    }
  }

  private accept(published: PublishedKeys, startedAt: number): void {
    if (!published.equals(this.published)) {
      this.published = published;
      this.sets += 1;
    }
    this.fetchedAt = startedAt;
    this.unknownKids.clear();
  }

  private report(err: unknown): void {
    const facts = { err, jwksUri: this.options.jwksUri };
    if (this.hasKeys) this.options.log.warn(facts, 'signing keys not refreshed; the last ones stay in use');
    else this.options.log.error(facts, 'no signing keys: every token is refused');
  }
}

/** Resolves with the work, or earlier after the time. The timer does not keep the process alive. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
