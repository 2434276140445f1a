import type { ImageRecord } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import type { GridSources, LinkCache } from '../catalog/link-cache.ts';
import type { ImageList } from '../images/image-list.ts';
import { GridLayout, type GridShape, type PlacedCell, type PlacedRow } from './layout/grid-layout.ts';
import { Placeholders } from './placeholders.ts';
import { ScrollPace } from './scroll-pace.ts';
import { TimeInView } from './time-in-view.ts';
import { VirtualScroll } from './virtual-scroll.ts';

/** What is drawn of a picture. */
export interface GridCell {
  readonly position: number;
  /** In the layer. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** `undefined` while it is loaded. */
  readonly record: ImageRecord | undefined;
  /** A CSS image; `undefined` until it is its turn. */
  readonly placeholder: string | undefined;
  /** `undefined` while it passes, or if its links are not there yet. */
  readonly sources: GridSources | undefined;
}

export interface GridHeading {
  /** As in 2026-11. */
  readonly period: string;
  readonly count: number;
  /** Index. */
  readonly section: number;
  /** In the layer. */
  readonly x: number;
  readonly y: number;
}

/** What is drawn. */
export interface GridFrame {
  readonly count: number;
  /** Height of the page that is scrolled. */
  readonly boxHeight: number;
  /** Of the layer, in the box. */
  readonly layerTop: number;
  readonly cells: readonly GridCell[];
  readonly headings: readonly GridHeading[];
  /** Position of the first picture that is in view. */
  readonly firstInView: number;
  readonly lastInView: number;
  /** Where the scrubber has led, until the page is scrolled: the picture may be further down if the content ends. */
  readonly jumpedTo: number | undefined;
  /** Whether all pictures fit into the view. */
  readonly isOneScreen: boolean;
}

export interface GridSize extends Omit<GridShape, 'footHeight'> {
  readonly viewport: number;
  readonly pixelRatio: number;
}

/** What the model needs of the browser. */
export interface GridTimers extends Clock {
  /** Runs once before the next frame is painted. */
  readonly onFrame: (run: () => void) => void;
}

/** Selection bar and upload tray may cover as much. */
const FOOT_HEIGHT = 96;
/** An option and its picture are two nodes; with the headings fewer than 300. */
const MAX_CELLS = 135;
/** In viewports, above and below. */
const MARGIN = 0.75;
/** While the content moves fast, or jumps more often than this, pictures are requested less often. */
const QUIET_MS = 120;
const REQUEST_INTERVAL_MS = 200;
/** During a fling, a picture is requested that is in view for so long. */
const LEAST_IN_VIEW_MS = 100;
/** After the last movement pictures become sharp, and the page is moved to where it should be for the content. */
const IDLE_MS = 200;
/** The layer begins at most so far from the view: browsers lose precision in large coordinates. */
const MAX_LAYER_DISTANCE = 50_000;
/** After a fling, until pictures around the view are requested. */
const REST_MS = 400;
/** A first picture that has not come by then keeps no others back. */
const FIRST_PICTURES_MS = 3000;
/** Links are requested for so many pictures behind those in view. */
const LINKS_AHEAD = 60;

/** The picture that stays in its place when the layout changes. */
interface Anchor {
  readonly id: number | undefined;
  readonly position: number;
  /** Of the row that is above the upper edge, 0 to 1, or the distance below the edge if it is negative (px). */
  readonly offset: number;
}

/** Decides what is drawn where. Knows no DOM: components tell it sizes and scroll positions, and draw `frame`. */
export class GridModel {
  readonly frame = new Store<GridFrame | undefined>(undefined);
  /** Whether the first pictures in view are there, or have had their time. Until then nothing is drawn around them. */
  readonly isBegun = new Store(false);
  readonly #arrived = new Set<number>();
  #cancelWait: (() => void) | undefined;
  readonly #links: LinkCache;
  readonly #timers: GridTimers;
  readonly #scroll = new VirtualScroll();
  readonly #placeholders = new Placeholders();
  #list: ImageList | undefined;
  #layout: GridLayout | undefined;
  #size: GridSize | undefined;
  #anchor: Anchor = { id: undefined, position: 0, offset: 0 };
  #layerStart = 0;
  #jumpedTo: number | undefined;
  #pinned: number | undefined;
  #pageTarget: number | undefined;
  readonly #pace = new ScrollPace();
  readonly #timeInView = new TimeInView();
  #isFrameAsked = false;
  #lastRequest = 0;
  #cancelQuiet = (): void => undefined;
  #cancelIdle = (): void => undefined;
  #unsubscribe = (): void => undefined;

  constructor(links: LinkCache, timers: GridTimers) {
    this.#links = links;
    this.#timers = timers;
    links.version.subscribe(() => this.#ask());
    this.isBegun.subscribe(() => this.#ask());
  }

  get list(): ImageList | undefined {
    return this.#list;
  }

  /** A picture in view is loaded. */
  arrived(id: number): void {
    if (this.isBegun.get()) return;
    this.#arrived.add(id);
    const cells = this.frame.get()?.cells ?? [];
    if (!cells.every(({ record }) => record !== undefined && this.#arrived.has(record.id))) return;
    // In the next frame they have been painted.
    this.#timers.onFrame(() => this.#timers.onFrame(() => this.#begin()));
  }

  #begin(): void {
    this.#cancelWait?.();
    this.#arrived.clear();
    this.isBegun.set(true);
  }

  /** Called when `frame` is drawn. @returns where the page must be scrolled to, if it must */
  takePageTarget(): number | undefined {
    const target = this.#pageTarget;
    this.#pageTarget = undefined;
    return target;
  }

  /** Shows another list from its beginning. */
  show(list: ImageList | undefined): void {
    if (list === this.#list) return;
    this.#unsubscribe();
    this.#list = list;
    this.#jumpedTo = undefined;
    this.#layout = undefined;
    this.#anchor = { id: undefined, position: 0, offset: 0 };
    this.#pinned = undefined;
    this.#scroll.moveTo(0);
    this.#movePage();
    this.#unsubscribe = list?.version.subscribe(() => this.#listChanged()) ?? ((): void => undefined);
    this.#listChanged();
  }

  /** The window or the text size has changed. */
  resize(size: GridSize): void {
    this.#size = size;
    this.#layout = undefined;
    this.#listChanged();
  }

  /** The user has scrolled the page. */
  scrolled(page: number): void {
    // The event of a movement that the grid has asked for.
    if (Math.abs(page - this.#scroll.page) < 1) return;
    this.#jumpedTo = undefined;
    const before = this.#scroll.position;
    if (this.#scroll.scrolled(page)) this.#pace.jumped();
    else this.#pace.moved(this.#scroll.position - before, this.#timers.now());
    this.#slowDown();
    this.#keepAnchor();
    this.#settleWhenIdle();
    this.#draw();
  }

  /** Shows a picture at the upper edge, as with the scrubber. */
  jumpTo(position: number): void {
    const row = this.#layout?.rowOf(position);
    if (row === undefined) return;
    this.#jumpedTo = position;
    const isFirst = this.#list?.contents?.sections.some(({ first }) => first === position) ?? false;
    this.#scroll.moveTo(row.top - (isFirst ? (this.#size?.headingHeight ?? 0) : 0));
    this.#pace.jumped();
    this.#slowDown();
    this.#keepAnchor();
    this.#settleWhenIdle();
    this.#draw();
  }

  /** Scrolls no further than is needed to see the picture as a whole. */
  reveal(position: number): void {
    this.#jumpedTo = undefined;
    const { position: top, viewport } = this.#scroll;
    this.#layout?.settle(top - viewport, top + viewport);
    const row = this.#layout?.rowOf(position);
    if (row === undefined) return;
    const space = Math.min(this.#size?.headingHeight ?? 0, Math.max(0, viewport - row.height) / 2);
    if (row.top - space < top) this.#scroll.moveTo(row.top - space);
    else if (row.top + row.height + space > top + viewport) {
      this.#scroll.moveTo(row.top + row.height + space - viewport);
    }
    this.#anchorAt(row);
    this.#movePage();
    this.#draw();
  }

  /** Draws this picture wherever it is: it has the focus. */
  pin(position: number | undefined): void {
    if (position === this.#pinned) return;
    this.#pinned = position;
    this.#ask();
  }

  /** The picture in the next or the previous row that is nearest to this one. */
  verticalNeighbour(position: number, direction: 1 | -1): number {
    const layout = this.#layout;
    const [row, cell] = [layout?.rowOf(position), layout?.cellOf(position)];
    if (layout === undefined || row === undefined || cell === undefined) return position;
    layout.settle(row.top - this.#scroll.viewport, row.top + this.#scroll.viewport);
    const other = direction === 1 ? row.first + row.count : row.first - 1;
    const target = layout.rowOf(other);
    if (target === undefined || other < 0) return position;
    const middle = cell.x + cell.width / 2;
    let [nearest, least] = [target.first, Infinity];
    for (let at = target.first; at < target.first + target.count; at += 1) {
      const box = layout.cellOf(at);
      const distance = box === undefined ? Infinity : Math.abs(box.x + box.width / 2 - middle);
      if (distance < least) [nearest, least] = [at, distance];
    }
    return nearest;
  }

  /** Nearly a screen further. */
  pageNeighbour(position: number, direction: 1 | -1): number {
    const layout = this.#layout;
    const row = layout?.rowOf(position);
    if (layout === undefined || row === undefined) return position;
    const rows = Math.max(1, Math.floor(this.#scroll.viewport / (row.height + layout.shape.gap)) - 1);
    let at = position;
    for (let step = 0; step < rows; step += 1) at = this.verticalNeighbour(at, direction);
    return at;
  }

  #listChanged(): void {
    const [contents, size] = [this.#list?.contents, this.#size];
    if (contents === undefined || size === undefined) {
      this.#layout = undefined;
      this.frame.set(undefined);
      return;
    }
    if (this.#layout?.contents !== contents || !isSameShape(this.#layout.shape, size)) {
      this.#layout = new GridLayout({ ...size, footHeight: FOOT_HEIGHT }, contents);
    } else this.#layout.update();
    this.#returnToAnchor();
    this.#movePage();
    this.#draw();
  }

  #slowDown(): void {
    this.#cancelQuiet();
    if (this.#pace.present !== 'fast') return;
    this.#cancelQuiet = this.#timers.after(QUIET_MS, () => {
      this.#pace.slowed();
      this.#draw();
    });
  }

  /** Not while the page moves: that would end the movement of a finger. */
  #settleWhenIdle(): void {
    if (this.#scroll.isStuck) this.#movePage();
    this.#cancelIdle();
    this.#cancelIdle = this.#timers.after(IDLE_MS, () => {
      this.#pace.rested();
      this.#movePage();
      this.#draw();
      if (this.#pace.present === 'stopped') this.#restAfterFling();
    });
  }

  #restAfterFling(): void {
    this.#cancelIdle = this.#timers.after(REST_MS, () => {
      this.#pace.rested();
      this.#draw();
    });
  }

  #movePage(): void {
    this.#pageTarget = this.#scroll.settle() ?? this.#pageTarget;
  }

  #keepAnchor(): void {
    const { position: top } = this.#scroll;
    const row = this.#layout?.rowAt(top);
    if (row === undefined) return;
    if (top === 0) this.#anchor = { id: undefined, position: 0, offset: 0 };
    else this.#anchorAt(row);
  }

  #anchorAt({ first, top, height }: PlacedRow): void {
    const distance = this.#scroll.position - top;
    const offset = distance > 0 ? distance / height : distance;
    this.#anchor = { id: this.#list?.recordAt(first)?.id, position: first, offset };
  }

  /** The picture of the anchor may have been loaded since. */
  #nameAnchor(list: ImageList): void {
    const { id, position, offset } = this.#anchor;
    const isTop = position === 0 && offset === 0;
    if (id === undefined && !isTop) this.#anchor = { id: list.recordAt(position)?.id, position, offset };
  }

  /** Puts the picture of the anchor where it was. */
  #returnToAnchor(): void {
    const [layout, size] = [this.#layout, this.#size];
    if (layout === undefined || size === undefined) return;
    this.#scroll.resize({ ...size, height: layout.height });
    const { id, position, offset } = this.#anchor;
    if (position === 0 && offset === 0) {
      this.#scroll.moveTo(0);
      return;
    }
    const present = (id === undefined ? undefined : this.#list?.positionOf(id)) ?? position;
    const row = layout.rowOf(Math.min(present, (this.#list?.count ?? 1) - 1));
    if (row !== undefined) this.#scroll.moveTo(row.top + (offset > 0 ? offset * row.height : offset));
  }

  /** At most once per frame. */
  #ask(): void {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    this.#timers.onFrame(() => {
      this.#isFrameAsked = false;
      this.#draw();
    });
  }

  #draw(): void {
    const [layout, list] = [this.#layout, this.#list];
    if (layout === undefined || list === undefined) return;
    this.#settleLayout(layout);
    this.#nameAnchor(list);
    const top = this.#scroll.position;
    const bottom = top + this.#scroll.viewport;
    if (Math.abs(top - this.#layerStart) > MAX_LAYER_DISTANCE) this.#layerStart = Math.round(top);
    const placed = this.#placedCells(layout, top, bottom);
    this.#request(list, placed);
    const inView = placed.filter(({ y, height }) => y < bottom && y + height > top);
    this.#timeInView.update(
      inView.map(({ position }) => position),
      this.#timers.now(),
    );
    this.#beginPlaceholders(list, inView);
    const cells = placed.map((cell) => this.#cellOf(list, cell));
    if (!this.isBegun.get()) this.#cancelWait ??= this.#timers.after(FIRST_PICTURES_MS, () => this.#begin());
    const isWaiting = cells.some(
      ({ record, placeholder }) => record !== undefined && placeholder === undefined,
    );
    if (isWaiting && this.#pace.present !== 'fast') this.#ask();
    this.frame.set({
      count: list.count,
      boxHeight: this.#scroll.boxHeight,
      layerTop: this.#layerStart - this.#scroll.shift,
      cells,
      headings: this.#headings(layout, top, bottom),
      firstInView: layout.rowAt(top)?.first ?? 0,
      lastInView: lastOf(layout.rowAt(bottom)),
      jumpedTo: this.#jumpedTo,
      isOneScreen: this.#scroll.lastPosition === 0,
    });
  }

  /** Heights become exact as segments come into view, which may bring others into view. */
  #settleLayout(layout: GridLayout): void {
    for (let round = 0; round < 4; round += 1) {
      const { position, viewport } = this.#scroll;
      const hasMoved = layout.settle(position - viewport * MARGIN, position + viewport * (1 + MARGIN));
      if (!hasMoved) return;
      this.#returnToAnchor();
      if (this.#scroll.isStuck) this.#movePage();
      this.#settleWhenIdle();
    }
  }

  /** What is in view, and later as much around it as the limit of nodes allows. */
  #placedCells(layout: GridLayout, top: number, bottom: number): readonly PlacedCell[] {
    let margin = this.isBegun.get() ? this.#scroll.viewport * MARGIN : 0;
    let cells = layout.cellsBetween(top - margin, bottom + margin);
    while (cells.length > MAX_CELLS && margin > 1) {
      margin = margin > 20 ? margin / 2 : 0;
      cells = layout.cellsBetween(top - margin, bottom + margin);
    }
    const pinned = this.#pinned;
    if (pinned === undefined || cells.some(({ position }) => position === pinned)) return cells;
    const cell = layout.cellOf(pinned);
    return cell === undefined ? cells : [...cells, cell].sort((a, b) => a.position - b.position);
  }

  #request(list: ImageList, placed: readonly PlacedCell[]): void {
    const isFast = this.#pace.present === 'fast';
    if (isFast && this.#timers.now() < this.#lastRequest + REQUEST_INTERVAL_MS) return;
    this.#lastRequest = this.#timers.now();
    const inLayer = placed.filter(({ position }) => position !== this.#pinned);
    const [first, last] = [inLayer[0], inLayer.at(-1)];
    if (first === undefined || last === undefined) return;
    list.want(first.position, last.position);
    if (isFast) return;
    const isMissing = ({ position }: PlacedCell): boolean => {
      const record = list.recordAt(position);
      return record !== undefined && this.#links.knownSources(record) === undefined;
    };
    if (!placed.some(isMissing)) return;
    const records: ImageRecord[] = [];
    for (let at = first.position - LINKS_AHEAD; at <= last.position + LINKS_AHEAD; at += 1) {
      const record = list.recordAt(at);
      if (record !== undefined) records.push(record);
    }
    this.#links.prepare(records);
  }

  #cellOf(list: ImageList, { position, x, y, width, height }: PlacedCell): GridCell {
    const record = list.recordAt(position);
    return {
      position,
      x,
      y: y - this.#layerStart,
      width,
      height,
      record,
      placeholder: record && this.#placeholders.of(record),
      sources: record && this.#sourcesOf(record, position),
    };
  }

  #sourcesOf(record: ImageRecord, position: number): GridSources | undefined {
    const pace = this.#pace.present;
    const sources = this.#isPassing(position) ? undefined : this.#links.knownSources(record);
    const isSharp = pace === 'resting' || pace === 'stopped';
    return isSharp || sources === undefined ? sources : { ...sources, sharp: undefined };
  }

  #isPassing(position: number): boolean {
    const pace = this.#pace.present;
    if (pace === 'moving' || pace === 'resting') return false;
    return pace === 'fast' || (this.#timeInView.of(position, this.#timers.now()) ?? 0) < LEAST_IN_VIEW_MS;
  }

  /** Those in view come first. */
  #beginPlaceholders(list: ImageList, inView: readonly PlacedCell[]): void {
    this.#placeholders.beginFrame(this.#pace.present === 'fast');
    for (const { position } of inView) {
      const record = list.recordAt(position);
      if (record !== undefined) this.#placeholders.of(record);
    }
  }

  #headings(layout: GridLayout, top: number, bottom: number): readonly GridHeading[] {
    const { sections } = layout.contents;
    return layout.headingsBetween(top, bottom).flatMap((heading) => {
      const { period, count } = sections[heading.section] ?? {};
      // All of its pictures may be hidden.
      if (period === undefined || !count) return [];
      const y = heading.top - this.#layerStart;
      return [{ period, count, section: heading.section, x: heading.left, y }];
    });
  }
}

function lastOf(row: PlacedRow | undefined): number {
  return row === undefined ? 0 : row.first + row.count - 1;
}

function isSameShape(shape: GridShape, size: GridSize): boolean {
  return (
    shape.width === size.width &&
    shape.rowHeight === size.rowHeight &&
    shape.gap === size.gap &&
    shape.headingHeight === size.headingHeight &&
    shape.headingWidth === size.headingWidth
  );
}
