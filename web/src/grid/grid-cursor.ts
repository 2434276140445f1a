import { Store } from '../base/store.ts';
import type { Selection } from '../selection/selection.ts';
import type { AddressBar } from '../view-state/address-bar.ts';
import type { GridModel } from './grid-model.ts';

export interface GridKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The picture that has the focus, or will have it, and what keys and clicks do with it. */
export class GridCursor {
  /** Rises when the picture must get the focus. */
  readonly focusRequests = new Store(0);
  readonly #grid: GridModel;
  readonly #selection: Selection;
  readonly #addressBar: AddressBar;
  #position = 0;
  #id: number | undefined;
  #hasFocus = false;

  constructor(grid: GridModel, selection: Selection, addressBar: AddressBar) {
    this.#grid = grid;
    this.#selection = selection;
    this.#addressBar = addressBar;
  }

  /**
   * Returns to the picture that was shown last when the viewer closes.
   *
   * @returns a function that ends it
   */
  followViewer(): () => void {
    const { view } = this.#addressBar;
    let shown = view.get().image;
    return view.subscribe(() => {
      const { image } = view.get();
      if (image === undefined && shown !== undefined) this.#returnTo(shown);
      shown = image;
    });
  }

  /** Follows its picture when the list changes. */
  get position(): number {
    const list = this.#grid.list;
    const known = this.#id === undefined ? undefined : list?.positionOf(this.#id);
    return Math.max(0, Math.min(known ?? this.#position, (list?.count ?? 0) - 1));
  }

  /** Whether a picture had the focus last. */
  get hasFocus(): boolean {
    return this.#hasFocus;
  }

  /** The picture has got the focus. */
  moveTo(position: number): void {
    this.#hasFocus = true;
    this.#position = position;
    this.#id = this.#grid.list?.recordAt(position)?.id;
    this.#grid.pin(position);
  }

  /** An arrow was pressed while nothing had the focus. */
  enter(): void {
    const frame = this.#grid.frame.get();
    const isDrawn = frame?.cells.some(({ position }) => position === this.position) ?? false;
    this.moveTo(isDrawn ? this.position : (frame?.firstInView ?? 0));
    this.#focus();
  }

  /** Wherever the focus is on the page. */
  selectAll(): void {
    const { list } = this.#grid;
    if (list !== undefined) void this.#selection.addRange(list, 0, list.count - 1);
  }

  /** Another element has got the focus. */
  leave(): void {
    this.#hasFocus = false;
    this.#grid.pin(undefined);
  }

  /** @returns whether the key means something here */
  press({ key, shiftKey, ctrlKey, metaKey, altKey }: GridKey): boolean {
    if (altKey || this.#grid.list === undefined) return false;
    if ((ctrlKey || metaKey) && key !== 'Home' && key !== 'End') return false;
    const target = this.#targetOf(key);
    if (target !== undefined) return this.#go(target, shiftKey);
    if (key === 'Enter') return this.#open(this.position);
    if (key === ' ') return shiftKey ? this.#extendTo(this.position) : this.#toggle(this.position);
    if (key !== 'Escape' || this.#selection.ids.get().size === 0) return false;
    this.#selection.clear();
    return true;
  }

  click(
    position: number,
    { isChecked, isRange }: { readonly isChecked: boolean; readonly isRange: boolean },
  ): void {
    const from = this.position;
    this.moveTo(position);
    if (isRange) this.#extendTo(position, from);
    else if (isChecked) this.#toggle(position);
    else this.#open(position);
  }

  #targetOf(key: string): number | undefined {
    const { position } = this;
    const last = (this.#grid.list?.count ?? 0) - 1;
    if (key === 'ArrowLeft') return Math.max(0, position - 1);
    if (key === 'ArrowRight') return Math.min(last, position + 1);
    if (key === 'ArrowUp') return this.#grid.verticalNeighbour(position, -1);
    if (key === 'ArrowDown') return this.#grid.verticalNeighbour(position, 1);
    if (key === 'PageUp') return this.#grid.pageNeighbour(position, -1);
    if (key === 'PageDown') return this.#grid.pageNeighbour(position, 1);
    if (key === 'Home') return 0;
    return key === 'End' ? last : undefined;
  }

  #go(position: number, isRange: boolean): boolean {
    const from = this.position;
    this.moveTo(position);
    this.#focus();
    if (isRange) this.#extendTo(position, from);
    return true;
  }

  #focus(): void {
    this.#grid.reveal(this.#position);
    this.focusRequests.update((requests) => requests + 1);
  }

  #open(position: number): boolean {
    const record = this.#grid.list?.recordAt(position);
    if (record !== undefined) this.#addressBar.push({ image: record.id });
    return true;
  }

  #toggle(position: number): boolean {
    const record = this.#grid.list?.recordAt(position);
    if (record !== undefined) this.#selection.toggle(record.id);
    return true;
  }

  #extendTo(position: number, from = position): boolean {
    const { list } = this.#grid;
    if (list !== undefined) void this.#selection.extendTo(list, position, from);
    return true;
  }

  /** The viewer was closed. */
  #returnTo(id: number): void {
    const position = this.#grid.list?.positionOf(id);
    if (position === undefined) return;
    this.moveTo(position);
    this.#focus();
  }
}
