import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Claims } from './claims.ts';

const MAX_TOKENS = 1_000;
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  /** Of the signing keys, before the verification began. */
  readonly generation: number;
}

/** Verified tokens. The key is the hash of the whole header: with a key from a part, an altered token would be accepted. */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_TOKENS });

  constructor(private readonly clock: Clock) {}

  find(header: string, generation: number): Claims | undefined {
    const id = hash('sha256', header, 'base64');
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    const now = this.clock.now().getTime();
    const age = now - entry.verifiedAt;
    // A negative age means that the clock was set back, so the real age is unknown.
    const isRecent = age >= 0 && age <= MAX_AGE_MS && entry.claims.exp * 1_000 > now;
    if (isRecent && entry.generation === generation) return entry.claims;
    this.entries.delete(id);
    return undefined;
  }

  /** Freezes the claims. */
  add(header: string, claims: Claims, generation: number): void {
    // A loop instead of recursion, because claims may be nested deeply.
    const pending: object[] = [claims];
    for (const object of pending) {
      for (const value of Object.values(Object.freeze(object))) {
        if (typeof value === 'object' && value !== null) pending.push(value);
      }
    }
    const verifiedAt = this.clock.now().getTime();
    this.entries.set(hash('sha256', header, 'base64'), { claims, verifiedAt, generation });
  }
}
