import type {
  Change,
  ChangePage,
  ChangePosition,
  ChangeRecords,
} from '../../../src/domain/ports/records/change-feed.ts';

/** Those of a restored catalog differ. */
let marks = 0;

function newMark(): number {
  marks += 1;
  return marks;
}

export class InMemoryChanges implements ChangeRecords {
  #start: ChangePosition = { number: 0, mark: newMark() };
  #changes: readonly Change[] = [];

  add(change: Omit<Change, 'position'>): void {
    const position = { number: this.#last.number + 1, mark: newMark() };
    this.#changes = [...this.#changes, Object.freeze({ ...change, position })];
  }

  async latest(): Promise<ChangePosition> {
    return this.#last;
  }

  async readPage(after: ChangePosition | undefined, limit: number): Promise<ChangePage | undefined> {
    const positions = [this.#start, ...this.#changes.map(({ position }) => position)];
    const start = positions.find(({ number }) => number === (after ?? this.#start).number);
    if (start === undefined || (after !== undefined && start.mark !== after.mark)) return undefined;
    const behind = this.#changes.filter(({ position }) => position.number > start.number);
    const changes = behind.slice(0, limit);
    return { start, changes, next: changes.at(-1)?.position ?? start, more: behind.length > limit };
  }

  async removeOlder(time: Date): Promise<number> {
    const count = await this.countOlder(time);
    const last = this.#changes[count - 1];
    if (last === undefined) return 0;
    this.#start = { number: last.position.number, mark: newMark() };
    this.#changes = this.#changes.slice(count);
    return count;
  }

  async countOlder(time: Date): Promise<number> {
    const next = this.#changes.slice(1);
    const kept = next.findIndex(({ at }) => at >= time);
    return kept === -1 ? next.length : kept;
  }

  async begin(start: ChangePosition): Promise<void> {
    this.#start = start;
    this.#changes = [];
  }

  async append(changes: readonly Change[]): Promise<void> {
    this.#changes = [...this.#changes, ...changes];
  }

  get #last(): ChangePosition {
    return this.#changes.at(-1)?.position ?? this.#start;
  }
}
