import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../domain/deep-freeze.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Claims } from './claims.ts';

const MAX_AGE_MS = 60_000;

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  /** Of the signing keys, before the verification began. */
  readonly generation: number;
}

/** Verified tokens. The key is the hash of the whole header: with a key from a part, an altered token would be accepted. */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: 1_000 });

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
    const entry = { claims: deepFreeze(claims), verifiedAt: this.clock.now().getTime(), generation };
    this.entries.set(hash('sha256', header, 'base64'), entry);
  }
}
