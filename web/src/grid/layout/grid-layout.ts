import type { ImageRecord } from '@image-catalog/client';
import { lastIndexWhere } from '../../images/binary-search.ts';
import type { ListContents, ListSegment } from '../../images/image-list.ts';
import { type Box, layoutPart, layoutRows, type RowLayout, type RowPart } from './row-layout.ts';
import { type SharedRowShape, sharedRows } from './shared-rows.ts';

export interface GridShape extends SharedRowShape {
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
  readonly left: number;
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
  /** Of the sections that share a row. */
  readonly #parts: ReadonlyMap<number, RowPart>;
  #height = 0;

  constructor(shape: GridShape, contents: ListContents) {
    this.shape = shape;
    this.contents = contents;
    this.#parts = sharedRows(contents.sections, shape);
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
        if (placed.isExact && segment.records === undefined) this.#forget(index, placed);
        continue;
      }
      const { count } = segment;
      const layout = this.#estimate(index, count, isEnd);
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
    for (let index = this.#firstIndexAt(from); index <= last; index += 1) {
      hasMoved = this.#settleSegment(index) || hasMoved;
    }
    if (hasMoved) this.#stack();
    return hasMoved;
  }

  /** Rows that are at least partly between these places. */
  cellsBetween(from: number, to: number): readonly PlacedCell[] {
    const cells: PlacedCell[] = [];
    const last = this.#indexAt(to);
    for (let index = this.#firstIndexAt(from); index <= last; index += 1) {
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
        for (let at = row.first; at < row.first + row.count; at += 1) {
          cells.push(this.#cell(segment, placed, at));
        }
      }
    }
    return cells;
  }

  headingsBetween(from: number, to: number): readonly PlacedHeading[] {
    const headings: PlacedHeading[] = [];
    const { segments } = this.contents;
    for (let index = this.#firstIndexAt(from); index < segments.length; index += 1) {
      const top = (this.#placed[index]?.top ?? 0) - this.shape.headingHeight;
      if (top > to) break;
      const section = segments[index]?.section ?? 0;
      if (this.#beginsSection(index) && top + this.shape.headingHeight >= from) {
        headings.push({ section, top, left: this.#parts.get(section)?.left ?? 0 });
      }
    }
    return headings;
  }

  /** The row at this place, or the next one. */
  rowAt(y: number): PlacedRow | undefined {
    const index = Math.max(0, this.#indexAt(y));
    const placed = this.#placed[index];
    if (placed === undefined) return undefined;
    const { rows } = placed.layout;
    const at = Math.max(
      0,
      lastIndexWhere(rows, ({ top }) => placed.top + top <= y),
    );
    const isAbove = placed.top + (rows[at]?.top ?? 0) + (rows[at]?.height ?? 0) < y;
    return this.#row(index, at + (isAbove && at + 1 < rows.length ? 1 : 0));
  }

  /** The row of a picture, with the sections beside its own. */
  rowOf(position: number): PlacedRow | undefined {
    const index = this.#indexOf(position);
    const [segment, placed] = [this.contents.segments[index], this.#placed[index]];
    if (segment === undefined || placed === undefined) return undefined;
    const at = position - segment.first;
    return this.#row(
      index,
      lastIndexWhere(placed.layout.rows, ({ first }) => first <= at),
    );
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
      placed.layout = this.#layOut(index, ratiosOf(records, count), placed.isEnd);
      placed.revision = revision;
      placed.isExact = true;
    }
    const hasMoved = placed.layout.height !== placed.height;
    placed.height = placed.layout.height;
    return hasMoved;
  }

  /** Its pictures were forgotten. The height stays until it comes into view again, so that nothing moves before. */
  #forget(index: number, placed: PlacedSegment): void {
    placed.layout = this.#estimate(index, placed.count, placed.isEnd);
    placed.revision = -1;
    placed.isExact = false;
  }

  #cell({ first }: ListSegment, { top, layout }: PlacedSegment, at: number): PlacedCell {
    const { x, y, width, height } = layout.boxes[at] as Box;
    return { position: first + at, x, y: top + y, width, height };
  }

  #estimate(index: number, count: number, isEnd: boolean): RowLayout {
    const ratios = (): readonly number[] => Array.from({ length: count }, () => TYPICAL_RATIO);
    if (this.#partOf(index) !== undefined) return this.#layOut(index, ratios(), isEnd);
    const key = `${count} ${isEnd}`;
    const known = this.#estimates.get(key);
    if (known !== undefined) return known;
    const layout = this.#layOut(index, ratios(), isEnd);
    this.#estimates.set(key, layout);
    return layout;
  }

  #layOut(index: number, ratios: readonly number[], isEnd: boolean): RowLayout {
    const part = this.#partOf(index);
    return part === undefined
      ? layoutRows(ratios, this.shape, isEnd)
      : layoutPart(ratios, part, this.shape.gap);
  }

  #row(index: number, at: number): PlacedRow | undefined {
    const [segment, placed] = [this.contents.segments[index], this.#placed[index]];
    if (segment === undefined || placed === undefined) return undefined;
    const part = this.#partOf(index);
    if (part !== undefined) return { ...this.#rangeBeside(index), top: placed.top, height: part.height };
    const row = placed.layout.rows[at];
    return row && { ...row, first: segment.first + row.first, top: placed.top + row.top };
  }

  /** The pictures of all segments in the row of this one. */
  #rangeBeside(index: number): { readonly first: number; readonly count: number } {
    let end = index + 1;
    while (this.#isBeside(end)) end += 1;
    const { segments } = this.contents;
    const first = segments[this.#beginOfRow(index)]?.first ?? 0;
    const last = segments[end - 1];
    return { first, count: (last?.first ?? 0) + (last?.count ?? 0) - first };
  }

  #beginOfRow(index: number): number {
    let begin = index;
    while (this.#isBeside(begin)) begin -= 1;
    return begin;
  }

  /** Whether it is in the row of the segment before. */
  #isBeside(index: number): boolean {
    return (this.#partOf(index)?.left ?? 0) > 0;
  }

  /** Sections that share a row have one segment each. */
  #partOf(index: number): RowPart | undefined {
    return this.#parts.get(this.contents.segments[index]?.section ?? -1);
  }

  #stack(): void {
    const { gap, headingHeight, footHeight } = this.shape;
    const { segments, sections } = this.contents;
    let top = 0;
    for (const [index, placed] of this.#placed.entries()) {
      if (this.#isBeside(index)) {
        placed.top = this.#placed[index - 1]?.top ?? 0;
        continue;
      }
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

  #firstIndexAt(y: number): number {
    return this.#beginOfRow(Math.max(0, this.#indexAt(y)));
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
