import type { Section } from '../../images/list-plan.ts';
import type { RowPart, RowShape } from './row-layout.ts';

export interface SharedRowShape extends RowShape {
  /** The longest name of a month with its count. */
  readonly headingWidth: number;
}

/** Of most photos. They fill their slot in a shared row. */
const USUAL_RATIO = 1.5;
/** The least width of a slot, to the row height. */
const NARROWEST_SLOT = 1.25;

/**
 * Consecutive sections share a row if it has a slot for each of their pictures.
 *
 * @returns the parts of those that share a row, by the index of the section
 */
export function sharedRows(
  sections: readonly Section[],
  shape: SharedRowShape,
): ReadonlyMap<number, RowPart> {
  const slots = slotsOf(shape);
  const parts = new Map<number, RowPart>();
  for (const row of rowsOf(sections, slots)) {
    if (row.length === 1) continue;
    let before = 0;
    for (const section of row) {
      const { count } = sections[section] as Section;
      parts.set(section, partOf(before, count, slots, shape));
      before += count;
    }
  }
  return parts;
}

function slotsOf({ width, rowHeight, gap, headingWidth }: SharedRowShape): number {
  const narrowest = Math.max(rowHeight * NARROWEST_SLOT, headingWidth);
  return Math.max(1, Math.floor((width + gap) / (narrowest + gap)));
}

/** Indexes of sections that are beside each other. */
function rowsOf(sections: readonly Section[], slots: number): readonly (readonly number[])[] {
  const rows: number[][] = [];
  let free = 0;
  for (const [index, { period, count }] of sections.entries()) {
    if (period !== undefined && count <= free) rows.at(-1)?.push(index);
    else {
      rows.push([index]);
      free = slots;
    }
    free -= count;
  }
  return rows;
}

function partOf(before: number, count: number, slots: number, shape: SharedRowShape): RowPart {
  const { width, rowHeight, gap } = shape;
  const step = (width + gap) / slots;
  const left = Math.round(before * step);
  return {
    left,
    width: Math.round((before + count) * step) - gap - left,
    height: Math.round(Math.min(rowHeight, (step - gap) / USUAL_RATIO)),
  };
}
