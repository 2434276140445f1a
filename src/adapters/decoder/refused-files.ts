import { LRUCache } from 'lru-cache';

const MAX_FILES = 10_000;
const REFUSED_MS = 10 * 60 * 1000;

/** Files whose decoder was ended at a bound, by the SHA-256 of their bytes: they are not decoded again for ten minutes. */
export class RefusedFiles {
  private readonly reasons = new LRUCache<string, string>({ max: MAX_FILES, ttl: REFUSED_MS });

  add(sha256: string, reason: string): void {
    this.reasons.set(sha256, reason);
  }

  reasonOf(sha256: string): string | undefined {
    return this.reasons.get(sha256);
  }
}
