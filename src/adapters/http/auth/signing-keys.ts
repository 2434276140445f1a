import type { KeyObject } from 'node:crypto';
import { JwksClient } from 'jwks-rsa';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { fetchJwks } from './fetch-jwks.ts';
import { FETCH_SPACING_MS, FetchRateLimiter } from './fetch-rate-limiter.ts';
import { PublishedKeys, usableJwks } from './published-keys.ts';

interface SigningKeysLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Milliseconds. */
export interface SigningKeysTiming {
  /** From this age on, keys are refreshed in the background. */
  readonly refreshAfterMs: number;
  /** From this age on, requests wait for the refresh, because a withdrawn key must stop working. */
  readonly maxAgeMs: number;
  /** Keys of this age are not used, even if the provider is unavailable. */
  readonly hardMaxAgeMs: number;
  /** After a failed fetch, requests use the present keys without waiting for the next. */
  readonly failureMemoryMs: number;
  /** A `kid` that a fetch did not bring causes no other fetch for this long. */
  readonly unknownKidMs: number;
  /** No request waits longer for the provider, even if it waits for several fetches. */
  readonly waitMs: number;
  readonly fetchDeadlineMs: number;
}

const SIGNING_KEYS_TIMING: SigningKeysTiming = {
  refreshAfterMs: 5 * 60_000,
  maxAgeMs: 10 * 60_000,
  hardMaxAgeMs: 24 * 60 * 60_000,
  failureMemoryMs: 60_000,
  unknownKidMs: FETCH_SPACING_MS,
  waitMs: 2_900, // The contract says 3 s. A later response of the provider serves the next request.
  fetchDeadlineMs: 3_000,
};

interface SigningKeysOptions {
  readonly jwksUri: string;
  readonly clock: Clock;
  readonly log: SigningKeysLog;
  readonly timing?: Partial<SigningKeysTiming>;
  /** Around each fetch. Rejects as the fetch does. */
  readonly watchFetch?: (fetch: () => Promise<void>) => Promise<void>;
}

interface Flight {
  readonly number: number;
  /** In ms of the clock. */
  readonly startedAt: number;
  /** Never rejects. */
  readonly done: Promise<boolean>;
}

const MAX_UNKNOWN_KIDS = 500;

/**
 * The cache and the rate limit of jwks-rsa 4.1 are off: they work per `kid`, so invented `kid`s would lock out all clients.
 *
 * - At most 5 fetches in any 60 s. A known key never causes one; an unknown `kid` does within 20 s.
 * - A set older than 5 minutes is refreshed in the background, one older than 10 minutes before use.
 * - The last good set stays in use for 24 h while the provider fails; an empty set is a failure.
 */
export class SigningKeys {
  private readonly client: JwksClient;
  private readonly timing: SigningKeysTiming;
  private readonly limiter: FetchRateLimiter;
  private readonly watchFetch: NonNullable<SigningKeysOptions['watchFetch']>;
  private readonly unknownKids = new LRUCache<string, number>({ max: MAX_UNKNOWN_KIDS });
  private published = PublishedKeys.none;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  private flight: Flight | undefined;
  private flights = 0;
  private sets = 0;

  constructor(private readonly options: SigningKeysOptions) {
    this.timing = { ...SIGNING_KEYS_TIMING, ...options.timing };
    this.limiter = new FetchRateLimiter(options.clock);
    this.watchFetch = options.watchFetch ?? ((fetch) => fetch());
    this.client = new JwksClient({
      jwksUri: options.jwksUri,
      cache: false,
      rateLimit: false,
      fetcher: async (uri) => ({
        keys: usableJwks(await fetchJwks(uri, this.timing.fetchDeadlineMs)),
      }),
    });
  }

  get hasKeys(): boolean {
    return !this.published.isEmpty && this.ageMs < this.timing.hardMaxAgeMs;
  }

  get isFresh(): boolean {
    return this.ageMs < this.timing.refreshAfterMs;
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

  get retryAfterSeconds(): number {
    return FETCH_SPACING_MS / 1_000;
  }

  /**
   * `undefined` if the key is not published or the provider is unavailable. Resolves within `waitMs` and never rejects.
   *
   * @param kid of the token; without one, the only published key
   */
  async get(kid: string | undefined): Promise<KeyObject | undefined> {
    const key = this.isFresh ? this.find(kid) : undefined;
    if (key !== undefined) return key;
    const waitLimit = startWaitLimit(this.timing.waitMs);
    try {
      return await this.findNow(kid, waitLimit);
    } finally {
      waitLimit.clear();
    }
  }

  /** Never rejects. */
  async warmUp(): Promise<void> {
    if (this.hasKeys) return;
    await (this.flight ?? this.begin())?.done;
  }

  private async findNow(kid: string | undefined, waitLimit: WaitLimit): Promise<KeyObject | undefined> {
    const seen = this.flights;
    if (this.hasKeys) await this.revalidate(waitLimit);
    for (;;) {
      const key = this.find(kid);
      if (key !== undefined || this.isKnownToBeAbsent(kid)) return key;
      // A fetch that began before this request may have missed the key. One that began later has not.
      const flight = this.flight ?? (this.flights === seen ? this.begin() : undefined);
      if (flight === undefined) return undefined;
      const fetched = await waitLimit.wait(flight.done);
      if (fetched === undefined) return undefined;
      if (flight.number > seen) return this.findOrRemember(kid, fetched ? flight : undefined);
    }
  }

  /** Past `maxAgeMs` it waits for the newer set, unless the provider has just failed. */
  private async revalidate(waitLimit: WaitLimit): Promise<void> {
    if (this.isFresh) return;
    const flight = this.flight ?? this.begin();
    const hasJustFailed = this.now() - this.failedAt < this.timing.failureMemoryMs;
    if (flight === undefined || hasJustFailed || this.ageMs < this.timing.maxAgeMs) return;
    await waitLimit.wait(flight.done);
  }

  private find(kid: string | undefined): KeyObject | undefined {
    return this.hasKeys ? this.published.find(kid) : undefined;
  }

  /** A token without a `kid` matches none of several keys, and fetching them again changes nothing. */
  private isKnownToBeAbsent(kid: string | undefined): boolean {
    if (kid === undefined) return this.hasKeys;
    const since = this.now() - (this.unknownKids.get(kid) ?? Number.NEGATIVE_INFINITY);
    return since >= 0 && since < this.timing.unknownKidMs;
  }

  /** Counts from the start of the fetch: the key may have been published at any time since then. */
  private findOrRemember(kid: string | undefined, succeeded: Flight | undefined): KeyObject | undefined {
    const key = this.find(kid);
    if (succeeded !== undefined && key === undefined && kid !== undefined) {
      this.unknownKids.set(kid, succeeded.startedAt);
    }
    return key;
  }

  private begin(): Flight | undefined {
    if (!this.limiter.begin()) return undefined;
    const startedAt = this.now();
    this.flights += 1;
    this.flight = { number: this.flights, startedAt, done: this.refresh(startedAt) };
    return this.flight;
  }

  private async refresh(startedAt: number): Promise<boolean> {
    try {
      await this.watchFetch(() => this.fetch(startedAt));
      return true;
    } catch (error) {
      this.failedAt = this.now();
      this.report(error);
      return false;
    } finally {
      this.limiter.end();
      this.flight = undefined;
    }
  }

  private async fetch(startedAt: number): Promise<void> {
    this.accept(PublishedKeys.from(await this.client.getSigningKeys(), this.published), startedAt);
  }

  private accept(published: PublishedKeys, startedAt: number): void {
    if (published.isEmpty) throw new Error('The JWKS endpoint publishes no usable RS256 key');
    if (!published.equals(this.published)) this.sets += 1;
    this.published = published;
    this.fetchedAt = startedAt;
    this.unknownKids.clear();
  }

  private report(err: unknown): void {
    const facts = { err, jwksUri: this.options.jwksUri };
    if (this.hasKeys) this.options.log.warn(facts, 'signing keys not refreshed; the last ones stay in use');
    else this.options.log.error(facts, 'no signing keys: every token is refused');
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}

interface WaitLimit {
  /** `undefined` if the limit is reached first. */
  wait<T>(promise: Promise<T>): Promise<T | undefined>;
  clear(): void;
}

/** For all waits of a request together. The timer does not keep the process alive. */
function startWaitLimit(milliseconds: number): WaitLimit {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds).unref();
  });
  return { wait: (promise) => Promise.race([promise, over]), clear: () => clearTimeout(timer) };
}
