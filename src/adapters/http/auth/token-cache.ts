import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Claims } from './claims.ts';

export interface TokenCacheOptions {
  readonly clock: Clock;
  /** Cached tokens; the least recently used one is removed first. */
  readonly max?: number;
  /** Milliseconds after which a token is verified again. */
  readonly maxAgeMs?: number;
}

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  readonly generation: number;
}

/**
 * Recently verified tokens, for clients that send the same token repeatedly. The key is the hash of the whole header: a key
 * from a part of the token, or from its claims, would accept an altered token.
 */
export class TokenCache {
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #entries: LRUCache<string, Entry>;

  constructor({ clock, max = 1_000, maxAgeMs = 60_000 }: TokenCacheOptions) {
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
    this.#entries = new LRUCache({ max });
  }

  /**
   * The claims of a token that need not be verified again.
   *
   * @param header the whole `Authorization` value
   * @param generation of the current signing keys; tokens that were verified with other keys are removed
   */
  find(header: string, generation: number): Claims | undefined {
    const id = hashOf(header);
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (this.#isGood(entry, generation)) return entry.claims;
    this.#entries.delete(id);
    return undefined;
  }

  /**
   * Adds a verified token, and freezes its claims.
   *
   * @param generation of the signing keys before the verification began
   */
  add(header: string, claims: Claims, generation: number): void {
    const entry = { claims: frozen(claims), verifiedAt: this.#now(), generation };
    this.#entries.set(hashOf(header), entry);
  }

  /** A negative age means that the clock was set back, so the real age is unknown. */
  #isGood({ claims, verifiedAt, generation }: Entry, current: number): boolean {
    const now = this.#now();
    const age = now - verifiedAt;
    return generation === current && claims.exp * 1_000 > now && age >= 0 && age <= this.#maxAgeMs;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

function hashOf(header: string): string {
  return hash('sha256', header, 'base64');
}

/** Freezes nested values as well. A loop instead of recursion, because claims may be nested deeply. */
function frozen(claims: Claims): Claims {
  const pending: object[] = [claims];
  for (const object of pending) {
    Object.freeze(object);
    for (const value of Object.values(object)) {
      if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
  return claims;
}
