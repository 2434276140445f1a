import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Claims } from './claims.ts';

export interface TokenCacheOptions {
  readonly clock: Clock;
  /** Tokens remembered; the least recently used one goes first. */
  readonly max?: number;
  /** Milliseconds after which a token is verified anew. */
  readonly maxAgeMs?: number;
}

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  readonly generation: number;
}

/**
 * Tokens whose signature and claims were found good a moment ago, for the clients that send the same one again and again.
 * Kept under the hash of the whole header: a part of a token, or the claims, would let an altered one pass.
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
   * The claims of a token that still needs no verifying.
   *
   * @param header the whole `Authorization` value
   * @param generation of the signing keys now: tokens verified with other keys are forgotten
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
   * Remembers a token that was verified, and freezes its claims.
   *
   * @param generation of the signing keys before the verification began
   */
  add(header: string, claims: Claims, generation: number): void {
    const entry = { claims: frozen(claims), verifiedAt: this.#now(), generation };
    this.#entries.set(hashOf(header), entry);
  }

  /** A negative age means that the clock was set back; how old the entry is cannot be told then. */
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

/** All the way down, without recursion: claims may be nested deeply. */
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
