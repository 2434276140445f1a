import type { Name } from '../../../src/domain/name/name.ts';
import type {
  Change,
  ChangePage,
  ChangePosition,
  ChangeRecords,
} from '../../../src/domain/ports/records/change-feed.ts';
import { COMMON_SPACE, type Space } from '../../../src/domain/space/space.ts';

/** Those of a restored catalog differ. */
let marks = 0;

function newMark(): number {
  marks += 1;
  return marks;
}

export class InMemoryChanges implements ChangeRecords {
  /** Rows that only a database needs: the changes here have their actors. */
  actors: readonly unknown[] = [];
  #start: ChangePosition = { number: 0, mark: newMark() };
  #changes: readonly Change[] = [];

  add({ space = COMMON_SPACE, ...change }: Omit<Change, 'position' | 'space'> & { space?: Space }): void {
    const position = { number: this.#last.number + 1, mark: newMark() };
    this.#changes = [...this.#changes, Object.freeze({ space, ...change, position })];
  }

  /** A space that is renamed keeps its changes. */
  move(from: Space, to: Space): void {
    this.#changes = this.#changes.map((change) =>
      change.space === from ? { ...change, space: to } : change,
    );
  }

  tellsOf(space: Space, name: Name): boolean {
    return this.#changes.some((change) => change.space === space && change.name === name);
  }

  in(space: Space): Pick<ChangeRecords, 'readPage'> {
    return { readPage: async (after, limit) => this.#read(after, limit, (change) => change.space === space) };
  }

  async latest(): Promise<ChangePosition> {
    return this.#last;
  }

  async readPage(after: ChangePosition | undefined, limit: number): Promise<ChangePage | undefined> {
    return this.#read(after, limit, () => true);
  }

  async removeOlder(time: Date): Promise<number> {
    const count = this.#outdated(time);
    const last = this.#changes[count - 1];
    if (last === undefined) return 0;
    this.#start = { number: last.position.number, mark: newMark() };
    this.#changes = this.#changes.slice(count);
    return count;
  }

  /** It counts nothing. */
  async removeOldCounts(): Promise<number> {
    return 0;
  }

  #outdated(time: Date): number {
    const next = this.#changes.slice(1);
    const kept = next.findIndex(({ at }) => at >= time);
    return kept === -1 ? next.length : kept;
  }

  /** Another catalog is restored, whose feed has this start alone. */
  begin(start: ChangePosition): void {
    this.#start = start;
    this.#changes = [];
  }

  /** The first is the start of the feed. */
  rows(): ReadonlyArray<ChangePosition | Change> {
    return [this.#start, ...this.#changes];
  }

  replaceRows(rows: ReadonlyArray<ChangePosition | Change>): void {
    const start = rows.flatMap((row) => ('position' in row ? [] : [row])).at(-1);
    if (start === undefined) throw new TypeError('The feed of changes has no start');
    this.begin(start);
    const changes = rows.flatMap((row) => ('position' in row ? [row] : []));
    this.#changes = changes.filter(({ position }) => position.number > start.number);
  }

  #read(
    after: ChangePosition | undefined,
    limit: number,
    isShown: (change: Change) => boolean,
  ): ChangePage | undefined {
    const positions = [this.#start, ...this.#changes.map(({ position }) => position)];
    const start = positions.find(({ number }) => number === (after ?? this.#start).number);
    if (start === undefined || (after !== undefined && start.mark !== after.mark)) return undefined;
    const behind = this.#changes.filter((change) => change.position.number > start.number && isShown(change));
    const changes = behind.slice(0, limit);
    const more = behind.length > limit;
    return { start, changes, next: (more && changes.at(-1)?.position) || this.#last, more };
  }

  get #last(): ChangePosition {
    return this.#changes.at(-1)?.position ?? this.#start;
  }
}
