import type { ImageRecord } from '@image-catalog/client';
import { lastIndexWhere } from '../images/binary-search.ts';
import type { ListContents, ListSegment } from '../images/image-list.ts';
import { type Box, layoutRows, type RowLayout, type RowShape } from './row-layout.ts';

export interface GridShape extends RowShape {
  /** Of a heading, with the space above it. */
  readonly headingHeight: number;
  /** Below the last row. */
  readonly footHeight: number;
}

/** A picture at its virtual place: as if the whole grid were one tall page. */
export interface PlacedCell extends Box {
  readonly position: number;
}

export interface PlacedRow {
  /** Position of its first picture. */
  readonly first: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
}

export interface PlacedHeading {
  /** Index of the section. */
  readonly section: number;
  readonly top: number;
}

interface PlacedSegment {
  /** Of the segment when it was laid out. */
  revision: number;
  count: number;
  isEnd: boolean;
  top: number;
  height: number;
  layout: RowLayout;
  /** Whether `layout` is that of its pictures, not an estimate. */
  isExact: boolean;
}

/** Until pictures are known: three photos in four are 4:3 or 3:2, the others upright. */
const TYPICAL_RATIO = 1.3;

/** Where everything is. The heights of segments are estimates until they come into view: see `settle`. */
export class GridLayout {
  readonly shape: GridShape;
  readonly contents: ListContents;
  readonly #placed: PlacedSegment[] = [];
  readonly #estimates = new Map<string, RowLayout>();
  #height = 0;

  constructor(shape: GridShape, contents: ListContents) {
    this.shape = shape;
    this.contents = contents;
    this.update();
  }

  get height(): number {
    return this.#height;
  }

  /** After the list has changed. */
  update(): void {
    const { segments } = this.contents;
    for (const [index, segment] of segments.entries()) {
      const placed = this.#placed[index];
      const isEnd = this.#isEnd(index);
      if (placed?.count === segment.count && placed.isEnd === isEnd) {
        if (placed.isExact && segment.records === undefined) this.#forget(placed);
        continue;
      }
      const { count } = segment;
      const layout = this.#estimate(count, isEnd);
      const { height } = layout;
      this.#placed[index] = { revision: -1, count, isEnd, top: 0, height, layout, isExact: false };
    }
    this.#stack();
  }

  /**
   * Lays out the segments between these places as they are loaded.
   *
   * @returns whether anything has moved
   */
  settle(from: number, to: number): boolean {
    let hasMoved = false;
    const last = this.#indexAt(to);
    for (let index = Math.max(0, this.#indexAt(from)); index <= last; index += 1)
      hasMoved = this.#settleSegment(index) || hasMoved;
    if (hasMoved) this.#stack();
    return hasMoved;
  }

  /** Rows that are at least partly between these places. */
  cellsBetween(from: number, to: number): readonly PlacedCell[] {
    const cells: PlacedCell[] = [];
    const last = this.#indexAt(to);
    for (let index = Math.max(0, this.#indexAt(from)); index <= last; index += 1) {
      const segment = this.contents.segments[index];
      const placed = this.#placed[index];
      if (segment === undefined || placed === undefined) continue;
      const { rows } = placed.layout;
      const firstRow = Math.max(
        0,
        lastIndexWhere(rows, ({ top }) => placed.top + top <= from),
      );
      for (const row of rows.slice(firstRow)) {
        if (placed.top + row.top > to) break;
        if (placed.top + row.top + row.height < from) continue;
        for (let at = row.first; at < row.first + row.count; at += 1)
          cells.push(this.#cell(segment, placed, at));
      }
    }
    return cells;
  }

  headingsBetween(from: number, to: number): readonly PlacedHeading[] {
    const headings: PlacedHeading[] = [];
    const { segments } = this.contents;
    for (let index = Math.max(0, this.#indexAt(from)); index < segments.length; index += 1) {
      const top = (this.#placed[index]?.top ?? 0) - this.shape.headingHeight;
      if (top > to) break;
      const section = segments[index]?.section ?? 0;
      if (this.#beginsSection(index) && top + this.shape.headingHeight >= from)
        headings.push({ section, top });
    }
    return headings;
  }

  /** The row at this place, or the next one. */
  rowAt(y: number): PlacedRow | undefined {
    const index = Math.max(0, this.#indexAt(y));
    const placed = this.#placed[index];
    const segment = this.contents.segments[index];
    if (placed === undefined || segment === undefined) return undefined;
    const { rows } = placed.layout;
    const at = Math.max(
      0,
      lastIndexWhere(rows, ({ top }) => placed.top + top <= y),
    );
    const isAbove = placed.top + (rows[at]?.top ?? 0) + (rows[at]?.height ?? 0) < y;
    const row = rows[at + (isAbove && at + 1 < rows.length ? 1 : 0)];
    return row && { ...row, first: segment.first + row.first, top: placed.top + row.top };
  }

  /** The row of a picture. */
  rowOf(position: number): PlacedRow | undefined {
    const index = this.#indexOf(position);
    const [segment, placed] = [this.contents.segments[index], this.#placed[index]];
    if (segment === undefined || placed === undefined) return undefined;
    const at = position - segment.first;
    const row = placed.layout.rows[lastIndexWhere(placed.layout.rows, ({ first }) => first <= at)];
    return row && { ...row, first: segment.first + row.first, top: placed.top + row.top };
  }

  cellOf(position: number): PlacedCell | undefined {
    const index = this.#indexOf(position);
    const [segment, placed] = [this.contents.segments[index], this.#placed[index]];
    if (segment === undefined || placed === undefined) return undefined;
    const at = position - segment.first;
    return at < placed.layout.boxes.length ? this.#cell(segment, placed, at) : undefined;
  }

  #settleSegment(index: number): boolean {
    const [segment, placed] = [this.contents.segments[index], this.#placed[index]];
    if (segment === undefined || placed === undefined || placed.revision === segment.revision) return false;
    const { records, count, revision } = segment;
    if (records !== undefined) {
      placed.layout = layoutRows(ratiosOf(records, count), this.shape, placed.isEnd);
      placed.revision = revision;
      placed.isExact = true;
    }
    const hasMoved = placed.layout.height !== placed.height;
    placed.height = placed.layout.height;
    return hasMoved;
  }

  /** Its pictures were forgotten. The height stays until it comes into view again, so that nothing moves before. */
  #forget(placed: PlacedSegment): void {
    placed.layout = this.#estimate(placed.count, placed.isEnd);
    placed.revision = -1;
    placed.isExact = false;
  }

  #cell({ first }: ListSegment, { top, layout }: PlacedSegment, at: number): PlacedCell {
    const { x, y, width, height } = layout.boxes[at] as Box;
    return { position: first + at, x, y: top + y, width, height };
  }

  #estimate(count: number, isEnd: boolean): RowLayout {
    const key = `${count} ${isEnd}`;
    const known = this.#estimates.get(key);
    if (known !== undefined) return known;
    const ratios = Array.from({ length: count }, () => TYPICAL_RATIO);
    const layout = layoutRows(ratios, this.shape, isEnd);
    this.#estimates.set(key, layout);
    return layout;
  }

  #stack(): void {
    const { gap, headingHeight, footHeight } = this.shape;
    const { segments, sections } = this.contents;
    let top = 0;
    for (const [index, placed] of this.#placed.entries()) {
      if (this.#beginsSection(index)) {
        const hasHeading = sections[segments[index]?.section ?? 0]?.period !== undefined;
        top += hasHeading ? headingHeight : gap;
      }
      placed.top = top;
      // A segment may be empty while all of its pictures are hidden.
      top += placed.height === 0 ? 0 : placed.height + gap;
    }
    this.#height = top + footHeight;
  }

  #beginsSection(index: number): boolean {
    const { segments } = this.contents;
    return segments[index]?.section !== segments[index - 1]?.section;
  }

  #isEnd(index: number): boolean {
    const { segments } = this.contents;
    return segments[index]?.section !== segments[index + 1]?.section;
  }

  #indexAt(y: number): number {
    return lastIndexWhere(this.#placed, ({ top }) => top <= y);
  }

  #indexOf(position: number): number {
    return lastIndexWhere(this.contents.segments, ({ first }) => first <= position);
  }
}

function ratiosOf(records: readonly ImageRecord[], count: number): readonly number[] {
  const ratios = records.map(({ width, height }) => width / height);
  while (ratios.length < count) ratios.push(TYPICAL_RATIO);
  return ratios;
}
