import { expect } from 'chai';
import type { Section } from '../../../web/src/images/list-plan.ts';
import { positionAt, sectionIndexAt, ticksOf } from '../../../web/src/scrubber/timeline-scale.ts';
import { yearFurther } from '../../../web/src/scrubber/year-further.ts';

describe('the scale of the scrubber', () => {
  it('gives months as much room as they have pictures', () => {
    const sections = sectionsOf(['2026-11', 300], ['2026-10', 100], ['2025-12', 600]);

    expect(ticksOf(sections, 1000)).to.deep.equal([
      { y: 0, year: '2026' },
      { y: 400, year: '2025' },
      { y: 300, year: undefined },
    ]);
  });

  it('leaves out marks that would cover another', () => {
    const months = Array.from({ length: 480 }, (_, at) => {
      const month = String(12 - (at % 12)).padStart(2, '0');
      return [`${2026 - Math.floor(at / 12)}-${month}`, 10] as const;
    });

    const ticks = ticksOf(sectionsOf(...months), 600).toSorted((a, b) => a.y - b.y);

    const years = ticks.filter(({ year }) => year !== undefined);
    expect(years.length).to.be.within(10, 25);
    for (const [index, { y }] of years.entries()) expect(y - (years[index - 1]?.y ?? -24)).to.be.at.least(24);
    for (const [index, { y }] of ticks.entries()) expect(y - (ticks[index - 1]?.y ?? -7)).to.be.at.least(7);
  });

  it('marks pictures without a capture time as a month', () => {
    expect(ticksOf(sectionsOf(['2026-11', 300], ['undated', 100]), 400)).to.deep.equal([
      { y: 0, year: '2026' },
      { y: 300, year: undefined },
    ]);
  });

  it('has no marks without pictures or without room', () => {
    expect(ticksOf([], 600)).to.deep.equal([]);
    expect(ticksOf(sectionsOf(['2026-11', 3]), 0)).to.deep.equal([]);
  });

  it('finds positions and months by the place on the rail', () => {
    const sections = sectionsOf(['2026-11', 300], ['2026-10', 100], ['2025-12', 600]);

    expect([-1, 0, 0.5, 1, 2].map((fraction) => positionAt(sections, fraction))).to.deep.equal([
      0, 0, 500, 999, 999,
    ]);
    expect([0, 299, 300, 999].map((position) => sectionIndexAt(sections, position))).to.deep.equal([
      0, 0, 1, 2,
    ]);
  });

  it('steps by years', () => {
    const sections = sectionsOf(
      ['2026-11', 1],
      ['2026-10', 1],
      ['2025-12', 1],
      ['2025-01', 1],
      ['2019-06', 1],
    );

    expect([0, 1, 2, 4].map((index) => yearFurther(sections, index, 1))).to.deep.equal([2, 2, 4, 4]);
    expect([0, 2, 4].map((index) => yearFurther(sections, index, -1))).to.deep.equal([0, 1, 3]);
  });
});

function sectionsOf(...months: readonly (readonly [string, number])[]): readonly Section[] {
  let first = 0;
  return months.map(([period, count]) => {
    first += count;
    return { period, count, first: first - count };
  });
}
