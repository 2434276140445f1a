import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import { pageBehind } from '../../../src/domain/ports/records/page-behind.ts';
import {
  type SlicePage,
  type SweepSlice,
  type SweepSlices,
  TWO_DIGITS,
  type WatchedBlob,
} from '../../../src/domain/ports/records/sweep-slices.ts';

interface Slice {
  readonly page: string;
  readonly sweptAt: number;
  readonly takenAt: number;
  readonly owner?: string | undefined;
  readonly heldUntil: number;
}

const NEVER: Slice = { page: '', sweptAt: 0, takenAt: 0, heldUntil: 0 };
const FREE = { owner: undefined, heldUntil: 0 };

export class InMemorySweepSlices implements SweepSlices {
  readonly #slices: Map<string, Slice>;
  readonly #watched = new Map<BlobKey, Date>();

  /** @param clock that of the database */
  constructor(
    private readonly clock: Clock,
    readonly prefixes = TWO_DIGITS,
  ) {
    this.#slices = new Map(prefixes.map((prefix) => [prefix, NEVER]));
  }

  async takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined> {
    const now = this.#now();
    const [first] = [...this.#slices]
      .filter(([, { sweptAt, heldUntil }]) => sweptAt <= now - afterMs && heldUntil <= now)
      .sort(([a, one], [b, other]) => one.takenAt - other.takenAt || (a < b ? -1 : 1));
    return first && (await this.take(first[0], owner, leaseMs));
  }

  async take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined> {
    const now = this.#now();
    const { page } = this.#change(prefix, { owner, takenAt: now, heldUntil: now + leaseMs });
    const watched = [...this.#watched].filter(([key]) => key.startsWith(prefix + page));
    return { prefix, page, takenAt: new Date(now), watched: watched.map(([key, since]) => ({ key, since })) };
  }

  async renew(prefix: string, owner: string, leaseMs: number): Promise<boolean> {
    const isHeld = this.#isHeldBy(owner, prefix);
    if (isHeld) this.#change(prefix, { heldUntil: this.#now() + leaseMs });
    return isHeld;
  }

  async finish({ prefix, page }: SlicePage, owner: string, watched: readonly WatchedBlob[]): Promise<void> {
    if (!this.#isHeldBy(owner, prefix)) return;
    const [now, next] = [this.#now(), pageBehind(page)];
    this.#change(prefix, { ...FREE, page: next, ...(next === '' && { sweptAt: now }) });
    for (const key of this.#watched.keys()) if (key.startsWith(prefix + page)) this.#watched.delete(key);
    for (const { key, since } of watched) this.#watched.set(key, since ?? new Date(now));
  }

  async divide(prefix: string, owner: string): Promise<void> {
    if (this.#isHeldBy(owner, prefix)) this.#change(prefix, { ...FREE, page: '00' });
  }

  async release(owner: string): Promise<void> {
    for (const prefix of TWO_DIGITS) if (this.#isHeldBy(owner, prefix)) this.#change(prefix, FREE);
  }

  async longestUnsweptMs(): Promise<number | undefined> {
    const first = Math.min(...[...this.#slices.values()].map(({ sweptAt }) => sweptAt));
    return first === 0 ? undefined : this.#now() - first;
  }

  #change(prefix: string, change: Partial<Slice>): Slice {
    const changed = { ...(this.#slices.get(prefix) ?? NEVER), ...change };
    this.#slices.set(prefix, changed);
    return changed;
  }

  #isHeldBy(owner: string, prefix: string): boolean {
    return this.#slices.get(prefix)?.owner === owner;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
