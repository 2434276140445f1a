import { Store } from '../base/store.ts';
import type { ImageList } from '../images/image-list.ts';
import type { Notices } from '../notices/notices.ts';
import { selectionTexts } from './selection-texts.ts';

/** Each of these is an id in memory, and a part of a request when something is done with them. */
const MAX_SELECTED = 5000;

/** The ids that are selected. */
export class Selection {
  readonly ids = new Store<ReadonlySet<number>>(new Set());
  /** The picture that was selected or deselected last: a range begins there. */
  #anchor: number | undefined;
  /** What was selected without the present range. */
  #base: ReadonlySet<number> = new Set();
  #ranges = 0;
  readonly #notices: Pick<Notices, 'show'>;

  constructor(notices: Pick<Notices, 'show'>) {
    this.#notices = notices;
  }

  toggle(id: number): void {
    this.ids.update((ids) => {
      const changed = new Set(ids);
      if (!changed.delete(id)) changed.add(id);
      return changed;
    });
    this.#beginAt(id);
  }

  add(added: Iterable<number>): void {
    this.ids.update((ids) => new Set([...ids, ...added]));
    this.#base = this.ids.get();
  }

  remove(removed: Iterable<number>): void {
    const gone = new Set(removed);
    this.ids.update((ids) => new Set([...ids].filter((id) => !gone.has(id))));
    this.#base = this.ids.get();
  }

  /** Selects what is between these positions, both inclusive, beside what is selected. */
  async addRange(list: ImageList, first: number, last: number): Promise<void> {
    const ids = await this.#idsBetween(list, first, last);
    if (ids === undefined) return;
    if (new Set([...this.ids.get(), ...ids]).size > MAX_SELECTED) this.#refuse();
    else this.add(ids);
  }

  clear(): void {
    this.#anchor = undefined;
    this.#base = new Set();
    this.#ranges += 1;
    if (this.ids.get().size > 0) this.ids.set(new Set());
  }

  /**
   * Selects what is between the picture that was selected last and this position, in place of the range before.
   *
   * @param from where the range begins if nothing was selected before
   */
  async extendTo(list: ImageList, position: number, from = position): Promise<void> {
    const anchor = this.#anchor === undefined ? undefined : list.positionOf(this.#anchor);
    const start = anchor ?? from;
    const ids = await this.#idsBetween(list, Math.min(start, position), Math.max(start, position));
    if (ids === undefined) return;
    this.#anchor ??= list.recordAt(start)?.id;
    this.ids.set(new Set([...this.#base, ...ids]));
  }

  /**
   * Loads what is not loaded.
   *
   * @returns `undefined` if they are not selected: the person is told why, or has begun another range meanwhile
   */
  async #idsBetween(list: ImageList, first: number, last: number): Promise<readonly number[] | undefined> {
    this.#ranges += 1;
    const range = this.#ranges;
    if (last - first >= MAX_SELECTED) {
      this.#refuse();
      return undefined;
    }
    const ids = await idsBetween(list, first, last).catch(() => undefined);
    if (ids === undefined) this.#notices.show(selectionTexts().failed, { tone: 'error' });
    return range === this.#ranges ? ids : undefined;
  }

  #refuse(): void {
    this.#notices.show(selectionTexts().tooMany(MAX_SELECTED));
  }

  #beginAt(id: number): void {
    this.#anchor = id;
    this.#base = this.ids.get();
    this.#ranges += 1;
  }
}

async function idsBetween(list: ImageList, first: number, last: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let position = first; position <= last; position += 1) {
    const record = list.recordAt(position) ?? (await list.load(position));
    if (record !== undefined) ids.push(record.id);
  }
  return ids;
}
