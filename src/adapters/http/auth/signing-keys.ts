import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { FETCH_SPACING_MS, FetchRateLimiter } from './fetch-rate-limiter.ts';
import { type KeyTest, PublishedKeys } from './published-keys.ts';

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

const REFRESH_AFTER_MS = 5 * 60_000;
/** From this age on, requests wait for the refresh, because a withdrawn key must stop working. */
const MAX_AGE_MS = 10 * 60_000;
/** Keys of this age are not used, even if the provider is unavailable. */
const HARD_MAX_AGE_MS = 24 * 60 * 60_000;
/** After a failed fetch, requests use the present keys without waiting for the next. */
const FAILURE_MEMORY_MS = 60_000;
/** Further ones may cause fetches, as the limiter allows. */
const MAX_SOUGHT_KIDS = 500;

export class SigningKeys {
  /** Increases whenever the provider publishes a different set. */
  generation = 0;
  private readonly limiter: FetchRateLimiter;
  private published = new PublishedKeys();
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Resolves to whether it succeeds. */
  private pending: Promise<boolean> | undefined;
  /** Requests have waited for the last fetch to bring their keys. */
  private readonly soughtKids = new Set<string>();

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
    const now = this.options.clock.now().getTime();
    this.fetchedAt = Math.min(this.fetchedAt, now);
    return now - this.fetchedAt;
  }

  /**
   * Without a `kid`, the only published key. `undefined` if it is not published or the provider is unavailable.
   *
   * @param fits decides between several keys that are published with this `kid`
   */
  async get(kid: string | undefined, fits: KeyTest = () => true): Promise<KeyObject | undefined> {
    // The contract says 3 s. A later response of the provider serves the next request.
    const { waitMs = 2_900 } = this.options.timing ?? {};
    const done = this.search(kid);
    const waits = this.pending !== undefined && !this.needsNoFetch(kid);
    if (waits) await Promise.race([done, once(AbortSignal.timeout(waitMs), 'abort')]);
    return this.find(kid, fits);
  }

  async warmUp(): Promise<void> {
    if (!this.hasKeys) await this.fetch();
  }

  private find(kid: string | undefined, fits: KeyTest = () => true): KeyObject | undefined {
    return this.hasKeys ? this.published.find(kid, fits) : undefined;
  }

  private async search(kid: string | undefined): Promise<void> {
    const earlier = this.pending;
    if (!this.isFresh) void this.fetch();
    if (this.needsNoFetch(kid)) return;
    // It may miss the key: it began before this request.
    if (earlier !== undefined) await earlier;
    if (this.needsNoFetch(kid)) return;
    const hasSucceeded = await this.fetch();
    if (hasSucceeded && kid !== undefined && this.soughtKids.size < MAX_SOUGHT_KIDS) this.soughtKids.add(kid);
  }

  private needsNoFetch(kid: string | undefined): boolean {
    // Of a failure that seems to lie ahead, because the clock was set back, the age is unknown.
    const hasJustFailed = Math.abs(this.options.clock.now().getTime() - this.failedAt) < FAILURE_MEMORY_MS;
    if (!this.hasKeys || (this.ageMs >= MAX_AGE_MS && !hasJustFailed)) return false;
    // A token without a `kid` matches none of several keys, and fetching them again changes nothing.
    if (kid === undefined || this.find(kid) !== undefined) return true;
    // Counts from the start of the fetch: the key may have been published at any time since then.
    return this.soughtKids.has(kid) && this.ageMs < FETCH_SPACING_MS;
  }

  /** The fetch under way or a new one; `undefined` if the limit refuses it. */
  private fetch(): Promise<boolean> | undefined {
    if (this.pending === undefined && this.limiter.begin()) this.pending = this.refresh();
    return this.pending;
  }

  private async refresh(): Promise<boolean> {
    const { jwksUri, clock, log, timing, watchFetch = (fetch): Promise<void> => fetch() } = this.options;
    const startedAt = clock.now().getTime();
    try {
      await watchFetch(async () => {
        const published = await PublishedKeys.fetch(jwksUri, timing?.fetchDeadlineMs ?? 3_000);
        if (published.spelling !== this.published.spelling) {
          this.published = published;
          this.generation += 1;
        }
      });
      this.fetchedAt = startedAt;
      this.soughtKids.clear();
      return true;
    } catch (err) {
      this.failedAt = clock.now().getTime();
      if (this.hasKeys) log.warn({ err, jwksUri }, 'signing keys not refreshed; the last ones stay in use');
      else log.error({ err, jwksUri }, 'no signing keys: every token is refused');
      return false;
    } finally {
      this.limiter.end();
      this.pending = undefined;
    }
  }
}
