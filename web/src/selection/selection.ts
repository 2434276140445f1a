import { Store } from '../store.ts';

/** The ids that are selected. */
export class Selection {
  readonly ids = new Store<ReadonlySet<number>>(new Set());

  toggle(id: number): void {
    this.ids.update((ids) => {
      const changed = new Set(ids);
      if (!changed.delete(id)) changed.add(id);
      return changed;
    });
  }

  add(added: Iterable<number>): void {
    this.ids.update((ids) => new Set([...ids, ...added]));
  }

  clear(): void {
    if (this.ids.get().size > 0) this.ids.set(new Set());
  }
}
