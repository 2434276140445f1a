import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import {
  HEX_DIGITS,
  type SweepSlice,
  type SweepSlices,
  type WatchedBlob,
} from '../../../src/domain/ports/records/sweep-slices.ts';

interface Slice {
  readonly sweptAt: number;
  readonly takenAt: number;
  readonly owner?: string | undefined;
  readonly heldUntil: number;
}

const NEVER: Slice = { sweptAt: 0, takenAt: 0, heldUntil: 0 };

export class InMemorySweepSlices implements SweepSlices {
  readonly #slices = new Map<string, Slice>([['', NEVER]]);
  readonly #watched = new Map<BlobKey, Date>();

  /** @param clock that of the database */
  constructor(private readonly clock: Clock) {}

  async takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined> {
    const now = this.#now();
    const [first] = [...this.#slices]
      .filter(([, { sweptAt, heldUntil }]) => sweptAt <= now - afterMs && heldUntil <= now)
      .sort(([a, one], [b, other]) => one.takenAt - other.takenAt || (a < b ? -1 : 1));
    return first && (await this.take(first[0], owner, leaseMs));
  }

  async take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined> {
    const slice = this.#slices.get(prefix);
    if (slice === undefined) return undefined;
    const now = this.#now();
    this.#slices.set(prefix, { ...slice, owner, takenAt: now, heldUntil: now + leaseMs });
    const watched = [...this.#watched].filter(([key]) => key.startsWith(prefix));
    return { prefix, takenAt: new Date(now), watched: watched.map(([key, since]) => ({ key, since })) };
  }

  async renew(prefix: string, owner: string, leaseMs: number): Promise<boolean> {
    const slice = this.#heldBy(owner, prefix);
    if (slice !== undefined) this.#slices.set(prefix, { ...slice, heldUntil: this.#now() + leaseMs });
    return slice !== undefined;
  }

  async finish(prefix: string, owner: string, watched: readonly WatchedBlob[]): Promise<void> {
    const slice = this.#heldBy(owner, prefix);
    if (slice === undefined) return;
    const sweptAt = this.#now();
    this.#slices.set(prefix, { ...slice, sweptAt, owner: undefined, heldUntil: 0 });
    for (const key of this.#watched.keys()) if (key.startsWith(prefix)) this.#watched.delete(key);
    for (const { key, since } of watched) this.#watched.set(key, since ?? new Date(sweptAt));
  }

  async split(prefix: string, owner: string): Promise<void> {
    const slice = this.#heldBy(owner, prefix);
    if (slice === undefined) return;
    this.#slices.delete(prefix);
    for (const digit of HEX_DIGITS) this.#slices.set(prefix + digit, { ...NEVER, sweptAt: slice.sweptAt });
  }

  async release(owner: string): Promise<void> {
    for (const [prefix, slice] of this.#slices) {
      if (slice.owner === owner) this.#slices.set(prefix, { ...slice, owner: undefined, heldUntil: 0 });
    }
  }

  async prefixes(): Promise<readonly string[]> {
    return [...this.#slices.keys()].sort();
  }

  async longestUnsweptMs(): Promise<number | undefined> {
    const first = Math.min(...[...this.#slices.values()].map(({ sweptAt }) => sweptAt));
    return first === 0 ? undefined : this.#now() - first;
  }

  #heldBy(owner: string, prefix: string): Slice | undefined {
    const slice = this.#slices.get(prefix);
    return slice?.owner === owner ? slice : undefined;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
