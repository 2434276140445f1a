import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Claims } from './claims.ts';

const MAX_TOKENS = 1_000;
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  readonly generation: number;
}

/** Verified tokens. The key is the hash of the whole header: with a key from a part, an altered token would be accepted. */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_TOKENS });

  constructor(private readonly clock: Clock) {}

  /** @param generation of the signing keys; tokens that were verified with those of another are removed */
  find(header: string, generation: number): Claims | undefined {
    const id = hash('sha256', header, 'base64');
    const entry = this.entries.get(id);
    if (entry === undefined || this.isGood(entry, generation)) return entry?.claims;
    this.entries.delete(id);
    return undefined;
  }

  /**
   * Freezes the claims.
   *
   * @param generation of the signing keys before the verification began
   */
  add(header: string, claims: Claims, generation: number): void {
    freezeDeeply(claims);
    const verifiedAt = this.clock.now().getTime();
    this.entries.set(hash('sha256', header, 'base64'), { claims, verifiedAt, generation });
  }

  /** A negative age means that the clock was set back, so the real age is unknown. */
  private isGood({ claims, verifiedAt, generation }: Entry, current: number): boolean {
    const now = this.clock.now().getTime();
    const age = now - verifiedAt;
    return generation === current && claims.exp * 1_000 > now && age >= 0 && age <= MAX_AGE_MS;
  }
}

/** A loop instead of recursion, because claims may be nested deeply. */
function freezeDeeply(claims: object): void {
  const pending = [claims];
  for (const object of pending) {
    for (const value of Object.values(Object.freeze(object))) {
      if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
}
