import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { FETCH_SPACING_MS, FetchRateLimiter } from './fetch-rate-limiter.ts';
import { PublishedKeys } from './published-keys.ts';

/** No request waits longer than `waitMs`, even if it waits for two fetches. */
export type SigningKeysTiming = Readonly<Record<'waitMs' | 'fetchDeadlineMs', number>>;

interface SigningKeysOptions {
  readonly jwksUri: string;
  readonly clock: Clock;
  readonly log: Readonly<Record<'warn' | 'error', (facts: object, message: string) => void>>;
  readonly timing?: Partial<SigningKeysTiming>;
  /** Around each fetch. Rejects as the fetch does. */
  readonly watchFetch?: (fetch: () => Promise<void>) => Promise<void>;
}

const MINUTE_MS = 60_000;
const REFRESH_AFTER_MS = 5 * MINUTE_MS;
/** From this age on, requests wait for the refresh, because a withdrawn key must stop working. */
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Keys of this age are not used, even if the provider is unavailable. */
const HARD_MAX_AGE_MS = 24 * 60 * MINUTE_MS;
/** After a failed fetch, requests use the present keys without waiting for the next. */
const FAILURE_MEMORY_MS = MINUTE_MS;

export class SigningKeys {
  private readonly limiter: FetchRateLimiter;
  private published = PublishedKeys.none;
  private sets = 0;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Resolves to whether it succeeds. */
  private pending: Promise<boolean> | undefined;
  /** The last fetch did not bring their keys. */
  private readonly unknownKids = new Set<string>();

  constructor(private readonly options: SigningKeysOptions) {
    this.limiter = new FetchRateLimiter(options.clock);
  }

  get hasKeys(): boolean {
    return this.ageMs < HARD_MAX_AGE_MS;
  }

  get isFresh(): boolean {
    return this.ageMs < REFRESH_AFTER_MS;
  }

  /** Infinite before the first fetch. A clock that is set back does not extend the life of the set. */
  get ageMs(): number {
    const now = this.now();
    this.fetchedAt = Math.min(this.fetchedAt, now);
    return now - this.fetchedAt;
  }

  /** Increases whenever the provider publishes a different set. */
  get generation(): number {
    return this.sets;
  }

  /**
   * `undefined` if the key is not published or the provider is unavailable. Never rejects.
   *
   * @param kid of the token; without one, the only published key
   */
  async get(kid: string | undefined): Promise<KeyObject | undefined> {
    // The contract says 3 s. A later response of the provider serves the next request.
    const { waitMs = 2_900 } = this.options.timing ?? {};
    if (!this.isFresh || this.find(kid) === undefined) {
      await Promise.race([this.search(kid), once(AbortSignal.timeout(waitMs), 'abort')]);
    }
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
    await earlier;
    if (this.isDecided(kid)) return;
    // The earlier fetch may have missed the key: it began before this request.
    const hasSucceeded = await this.fetch();
    if (hasSucceeded && kid !== undefined) this.unknownKids.add(kid);
  }

  /** Whether the request waits for no fetch. */
  private isDecided(kid: string | undefined): boolean {
    const hasJustFailed = this.now() - this.failedAt < FAILURE_MEMORY_MS;
    if (!this.hasKeys || (this.ageMs >= MAX_AGE_MS && !hasJustFailed)) return false;
    // A token without a `kid` matches none of several keys, and fetching them again changes nothing.
    if (kid === undefined || this.find(kid) !== undefined) return true;
    // Counts from the start of the fetch: the key may have been published at any time since then.
    return this.unknownKids.has(kid) && this.ageMs < FETCH_SPACING_MS;
  }

  /** The fetch under way or a new one; `undefined` if the limit refuses it. */
  private fetch(): Promise<boolean> | undefined {
    if (this.pending === undefined && this.limiter.begin()) this.pending = this.refresh();
    return this.pending;
  }

  private async refresh(): Promise<boolean> {
    const { jwksUri, log, watchFetch = (fetch): Promise<void> => fetch() } = this.options;
    try {
      await watchFetch(() => this.load());
      return true;
    } catch (err) {
      this.failedAt = this.now();
      const facts = { err, jwksUri };
      if (this.hasKeys) log.warn(facts, 'signing keys not refreshed; the last ones stay in use');
      else log.error(facts, 'no signing keys: every token is refused');
      return false;
    } finally {
      this.limiter.end();
      this.pending = undefined;
    }
  }

  private async load(): Promise<void> {
    const startedAt = this.now();
    const { jwksUri, timing: { fetchDeadlineMs = 3_000 } = {} } = this.options;
    const published = await PublishedKeys.fetch(jwksUri, fetchDeadlineMs);
    if (published.spelling !== this.published.spelling) {
      this.published = published;
      this.sets += 1;
    }
    this.fetchedAt = startedAt;
    this.unknownKids.clear();
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}
