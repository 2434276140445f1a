import type { Clock } from '../../../src/domain/ports/process/clock.ts';

/** A file system writes a removal to its disk some seconds later. */
const SYNCED_AFTER_MS = 30_000;

/** What was removed a moment ago, and comes back if the power is cut. */
export class RecentRemovals<Key, Value> {
  #removed: ReadonlyArray<{ readonly key: Key; readonly value: Value; readonly at: number }> = [];

  constructor(private readonly clock: Clock) {}

  add(key: Key, value: Value): void {
    this.#removed = [...this.#removed, { key, value, at: this.clock.now().getTime() }];
  }

  /** Forgets them: what does not come back now never does. */
  recent(): ReadonlyArray<readonly [Key, Value]> {
    const since = this.clock.now().getTime() - SYNCED_AFTER_MS;
    const recent = this.#removed.filter(({ at }) => at >= since);
    this.#removed = [];
    return recent.map(({ key, value }) => [key, value]);
  }
}
