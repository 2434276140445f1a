import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Claims } from './claims.ts';

export interface TokenCacheOptions {
  readonly clock: Clock;
  readonly max?: number;
  readonly maxAgeMs?: number;
}

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  readonly generation: number;
}

/** The key is the hash of the whole header: with a key from a part, an altered token would be accepted. */
export class TokenCache {
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #entries: LRUCache<string, Entry>;

  constructor({ clock, max = 1_000, maxAgeMs = 60_000 }: TokenCacheOptions) {
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
    this.#entries = new LRUCache({ max });
  }

  /** @param generation tokens that were verified with keys of another generation are removed */
  find(header: string, generation: number): Claims | undefined {
    const id = hashOf(header);
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (this.#isGood(entry, generation)) return entry.claims;
    this.#entries.delete(id);
    return undefined;
  }

  /**
   * Freezes the claims.
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

/** A loop instead of recursion, because claims may be nested deeply. */
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
