/** Sizes in CSS pixels. */
export interface RowShape {
  readonly width: number;
  /** Rows come near to it. */
  readonly rowHeight: number;
  readonly gap: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Row {
  readonly top: number;
  readonly height: number;
  /** Index of its first box. */
  readonly first: number;
  readonly count: number;
}

export interface RowLayout {
  readonly boxes: readonly Box[];
  readonly rows: readonly Row[];
  readonly height: number;
}

/** The part of a row in which a section is. It does not depend on the pictures: none moves when they are loaded. */
export interface RowPart {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Beyond these a picture is cropped: a panorama would make its row a line. */
const NARROWEST = 0.4;
const WIDEST = 3.2;
/** Of the row height: a picture alone in a row of a phone would be higher. */
const HIGHEST = 1.8;
/** How much wider than in proportion the pictures of such a row may be; they are cropped. */
const MOST_CROPPED = 1.5;
/** A last row that is filled up to this is stretched to the right edge. */
const NEARLY_FULL = 0.85;

/**
 * Justified rows: the pictures of a row have one height, and fill the width.
 *
 * @param ratios width to height of each picture
 * @param isEnd whether the last row may be shorter than the others; otherwise the pictures are spread evenly over full rows
 */
export function layoutRows(ratios: readonly number[], shape: RowShape, isEnd: boolean): RowLayout {
  const cropped = ratios.map(cropRatio);
  const counts = isEnd ? countsByFilling(cropped, shape) : countsBySpreading(cropped, shape);
  const boxes: Box[] = [];
  const rows: Row[] = [];
  let top = 0;
  for (const [index, count] of counts.entries()) {
    const first = boxes.length;
    const isShort = isEnd && index === counts.length - 1;
    const height = placeRow(boxes, cropped.slice(first, first + count), { ...shape, top, isShort });
    rows.push({ top, height, first, count });
    top += height + shape.gap;
  }
  return { boxes, rows, height: Math.max(0, top - shape.gap) };
}

/** A row of the height of this part, in it. Pictures are cropped if they do not fit. */
export function layoutPart(
  ratios: readonly number[],
  { left, width, height }: RowPart,
  gap: number,
): RowLayout {
  const cropped = ratios.map(cropRatio);
  const gaps = gap * (ratios.length - 1);
  const exact = Math.min(height, (width - gaps) / sumOf(cropped));
  const boxes: Box[] = [];
  placeBoxes(boxes, cropped, { left, top: 0, height, exact, gap });
  return { boxes, rows: [{ top: 0, height, first: 0, count: ratios.length }], height };
}

/** As many rows as come nearest to the row height, all about equally full. */
function countsBySpreading(
  ratios: readonly number[],
  { width, rowHeight, gap }: RowShape,
): readonly number[] {
  const units = ratios.map((ratio) => ratio * rowHeight + gap);
  const total = sumOf(units);
  const perRow = total / Math.max(1, Math.round(total / (width + gap)));
  const counts: number[] = [];
  let [before, present] = [0, -1];
  for (const unit of units) {
    const row = Math.floor((before + unit / 2) / perRow);
    if (row !== present) counts.push(0);
    present = row;
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    before += unit;
  }
  return counts;
}

/** A row ends where its height is nearest to the row height. */
function countsByFilling(ratios: readonly number[], { width, rowHeight, gap }: RowShape): readonly number[] {
  const counts: number[] = [];
  let [count, filled] = [0, 0];
  for (const ratio of ratios) {
    const unit = ratio * rowHeight + gap;
    if (count > 0 && filled + unit / 2 > width + gap) {
      counts.push(count);
      [count, filled] = [0, 0];
    }
    count += 1;
    filled += unit;
  }
  if (count > 0) counts.push(count);
  return counts;
}

interface RowPlace extends RowShape {
  readonly top: number;
  readonly isShort: boolean;
}

/** Whole pixels, so that nothing is blurred and right edges are flush. @returns the height of the row */
function placeRow(boxes: Box[], ratios: readonly number[], place: RowPlace): number {
  const { width, rowHeight, gap, top, isShort } = place;
  const sum = sumOf(ratios);
  const gaps = gap * (ratios.length - 1);
  const isFull = !isShort || sum * rowHeight + gaps >= width * NEARLY_FULL;
  const full = (width - gaps) / sum;
  const exactHeight = Math.min(full, isFull ? rowHeight * HIGHEST : rowHeight);
  const height = Math.max(1, Math.round(exactHeight));
  const exact = isFull ? Math.min(full, exactHeight * MOST_CROPPED) : exactHeight;
  placeBoxes(boxes, ratios, { left: 0, top, height, exact, gap });
  return height;
}

interface BoxesPlace {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  /** Width of a square picture. */
  readonly exact: number;
  readonly gap: number;
}

function placeBoxes(boxes: Box[], ratios: readonly number[], place: BoxesPlace): void {
  const { left, top: y, height, exact, gap } = place;
  let before = 0;
  for (const [index, ratio] of ratios.entries()) {
    const x = left + Math.round(before * exact) + index * gap;
    before += ratio;
    const right = left + Math.round(before * exact) + index * gap;
    boxes.push({ x, y, width: Math.max(1, right - x), height });
  }
}

function cropRatio(ratio: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, ratio));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
