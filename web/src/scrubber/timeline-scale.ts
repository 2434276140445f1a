import { lastIndexWhere } from '../images/binary-search.ts';
import { type Section, UNDATED } from '../images/list-plan.ts';

/** A mark on the rail, in pixels from its upper end. */
export interface Tick {
  readonly y: number;
  /** As in 2026; `undefined` for a month. */
  readonly year: string | undefined;
}

/** Pixels between marks at the usual size of text, so that none covers another. */
const YEAR_DISTANCE = 24;

const MONTH_DISTANCE = 7;

/** Months have as much of the rail as they have pictures. Years come first where there is no room for all. */
export function ticksOf(sections: readonly Section[], height: number, textScale = 1): readonly Tick[] {
  const yearDistance = YEAR_DISTANCE * textScale;
  const total = countOf(sections);
  if (total === 0 || height === 0) return [];
  const years: Tick[] = [];
  const months: Tick[] = [];
  let present: string | undefined;
  for (const { period, first } of sections) {
    const y = (first / total) * height;
    const year = period === UNDATED ? present : period?.slice(0, 4);
    const isYear = year !== present;
    present = year;
    if (isYear && y - (years.at(-1)?.y ?? -yearDistance) >= yearDistance && y <= height - yearDistance) {
      years.push({ y, year });
    } else if (y - (months.at(-1)?.y ?? -MONTH_DISTANCE) >= MONTH_DISTANCE) {
      months.push({ y, year: undefined });
    }
  }
  const isFree = ({ y }: Tick): boolean =>
    years.every((year) => y < year.y - MONTH_DISTANCE || y > year.y + yearDistance - MONTH_DISTANCE);
  return [...years, ...months.filter(isFree)];
}

/** @param fraction of the rail, 0 to 1 */
export function positionAt(sections: readonly Section[], fraction: number): number {
  const total = countOf(sections);
  return Math.min(total - 1, Math.max(0, Math.floor(fraction * total)));
}

export function sectionIndexAt(sections: readonly Section[], position: number): number {
  return Math.max(
    0,
    lastIndexWhere(sections, ({ first }) => first <= position),
  );
}

function countOf(sections: readonly Section[]): number {
  const last = sections.at(-1);
  return last === undefined ? 0 : last.first + last.count;
}
