import { expect } from 'chai';
import { GridLayout, type GridShape, type PlacedCell } from '../../../web/src/grid/layout/grid-layout.ts';
import type { ListContents } from '../../../web/src/images/image-list.ts';
import { planTimeline } from '../../../web/src/images/list-plan.ts';
import { type FakeDay, FakeImagePages } from '../doubles/fake-image-pages.ts';

const DESKTOP: GridShape = {
  width: 1180,
  rowHeight: 220,
  gap: 8,
  headingHeight: 56,
  headingWidth: 176,
  footHeight: 96,
};
const PHONE: GridShape = { ...DESKTOP, width: 358, rowHeight: 140, gap: 4 };
const LARGE_TEXT: GridShape = { ...PHONE, headingHeight: 112, headingWidth: 352 };
const SHAPES = { DESKTOP, PHONE, LARGE_TEXT };

describe('rows that months share', () => {
  let random: () => number;

  beforeEach(() => {
    let state = 42;
    random = () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
  });

  it('hold consecutive months whose pictures fit into one row', () => {
    expect(rowsOf([1, 1, 1, 1, 1], DESKTOP)).to.deep.equal([[0, 1, 2, 3], [4]]);
    expect(rowsOf([2, 2, 1, 4, 3, 1, 9], DESKTOP)).to.deep.equal([[0, 1], [2], [3], [4, 5], [6]]);
    expect(rowsOf([1, 1, 1, 2], PHONE)).to.deep.equal([[0, 1], [2], [3]]);
  });

  it('are not there if headings do not fit beside each other', () => {
    expect(rowsOf([1, 1, 1], LARGE_TEXT)).to.deep.equal([[0], [1], [2]]);
  });

  it('have each heading above the pictures of its month', () => {
    const layout = layoutOf([2, 1, 1], DESKTOP);
    const headings = layout.headingsBetween(0, layout.height);

    expect(headings.map(({ left, top }) => [left, top])).to.deep.equal([
      [0, 0],
      [cellsOf(layout)[2]?.x, 0],
      [cellsOf(layout)[3]?.x, 0],
    ]);
  });

  for (const [name, shape] of Object.entries(SHAPES)) {
    it(`hold every picture once, inside and none over another, before and after they are loaded (${name})`, () => {
      for (let run = 0; run < 6; run += 1) {
        const contents = contentsOf(someMonths());
        const layout = new GridLayout(shape, contents);
        expectWhole(layout, contents, shape);
        load(contents);
        layout.settle(0, layout.height);
        expectWhole(layout, contents, shape);
      }
    });
  }

  for (const [name, shape] of Object.entries(SHAPES)) {
    it(`are found by their place and their pictures alike, and lead on to each other (${name})`, () => {
      const contents = load(contentsOf(someMonths()));
      const layout = new GridLayout(shape, contents);
      layout.settle(0, layout.height);
      const total = cellsOf(layout).length;
      for (let first = 0; first < total; ) {
        const row = layout.rowOf(first);
        expect(row?.first).to.equal(first);
        expect(row?.count).to.be.at.least(1);
        for (let at = first; at < first + (row?.count ?? 0); at += 1) {
          expect(layout.rowOf(at)).to.deep.equal(row);
          expect(layout.cellOf(at)).to.include({ y: row?.top, height: row?.height });
        }
        expect(layout.rowAt((row?.top ?? 0) + 1)).to.deep.equal(row);
        first += row?.count ?? 1;
      }
    });
  }

  it('show what is between two places, wherever these cut through', () => {
    const layout = layoutOf([1, 1, 1, 1, 1, 1, 1, 1], DESKTOP);
    const rows = [layout.rowOf(0), layout.rowOf(4)];

    for (const [index, row] of rows.entries()) {
      const middle = (row?.top ?? 0) + 90;
      const cells = layout.cellsBetween(middle, middle + 1);
      expect(cells.map(({ position }) => position)).to.deep.equal([0, 1, 2, 3].map((at) => at + index * 4));
    }
  });

  it('have the same place and height before their pictures are loaded', () => {
    const contents = contentsOf([1, 2, 1, 1, 3]);
    const layout = new GridLayout(DESKTOP, contents);
    const before = [layout.height, layout.headingsBetween(0, layout.height)];

    load(contents);

    expect(layout.settle(0, 500)).to.equal(false);
    expect([layout.height, layout.headingsBetween(0, layout.height)]).to.deep.equal(before);
  });

  it('stay as they are while all pictures of one of their months are hidden', () => {
    const contents = load(contentsOf([1, 1, 1]));
    const layout = new GridLayout(DESKTOP, contents);
    layout.settle(0, layout.height);
    const third = layout.cellOf(2);

    hide(contents, 1);
    layout.update();
    layout.settle(0, layout.height);

    expect(layout.cellOf(1)).to.deep.equal({ ...third, position: 1 });
    expect(layout.rowOf(1)).to.include({ first: 0, count: 2 });
    hide(contents, 2);
    layout.update();
    expect(layout.rowAt(200)).to.include({ first: 0, count: 1 });
  });

  /** @returns counts of pictures, mostly few */
  function someMonths(): readonly number[] {
    return Array.from({ length: 40 }, () => 1 + Math.floor(random() ** 4 * 30));
  }
});

interface TestSegment {
  first: number;
  count: number;
  readonly section: number;
  records: ListContents['segments'][number]['records'];
  revision: number;
}

interface TestContents extends ListContents {
  readonly segments: readonly TestSegment[];
  readonly pages: FakeImagePages;
}

/** @param months counts of pictures, newest first */
function contentsOf(months: readonly number[]): TestContents {
  const days = months.map((count, index): FakeDay => {
    const period = new Date(Date.UTC(2026, 10 - index, 15)).toISOString().slice(0, 10);
    return { period, count };
  });
  const { sections, segments } = planTimeline(
    days.map((day) => ({ ...day, after: '' })),
    250,
  );
  const own = segments.map((segment) => ({ ...segment, records: undefined, revision: 0 }));
  return { isOpen: false, sections, segments: own, pages: new FakeImagePages(days) };
}

function load(contents: TestContents): TestContents {
  for (const segment of contents.segments) {
    const positions = Array.from({ length: segment.count }, (_, at) => segment.first + at);
    segment.records = positions.map((position) => contents.pages.recordAt(position));
    segment.revision += 1;
  }
  return contents;
}

function hide({ segments }: TestContents, index: number): void {
  for (const [at, segment] of segments.entries()) {
    if (at > index) segment.first -= segments[index]?.count ?? 0;
  }
  const segment = segments[index];
  if (segment === undefined) return;
  segment.count = 0;
  segment.records = [];
  segment.revision += 1;
}

function layoutOf(months: readonly number[], shape: GridShape): GridLayout {
  const layout = new GridLayout(shape, load(contentsOf(months)));
  layout.settle(0, layout.height);
  return layout;
}

function cellsOf(layout: GridLayout): readonly PlacedCell[] {
  return layout.cellsBetween(0, layout.height);
}

/** @returns the months whose headings are beside each other */
function rowsOf(months: readonly number[], shape: GridShape): readonly (readonly number[])[] {
  const layout = layoutOf(months, shape);
  const headings = layout.headingsBetween(0, layout.height);
  const rows = new Map<number, number[]>();
  for (const { top, section } of headings) rows.set(top, [...(rows.get(top) ?? []), section]);
  return [...rows.values()];
}

function expectWhole(layout: GridLayout, contents: ListContents, shape: GridShape): void {
  const cells = cellsOf(layout);
  const total = contents.sections.reduce((sum, { count }) => sum + count, 0);
  expect(cells.map(({ position }) => position)).to.deep.equal(Array.from({ length: total }, (_, at) => at));
  let previous: PlacedCell | undefined;
  for (const cell of cells) {
    const isInside = cell.x >= 0 && cell.width > 0 && cell.x + cell.width <= shape.width;
    expect(isInside, `picture ${cell.position} is inside`).to.equal(true);
    const isRight = previous === undefined || cell.x >= previous.x + previous.width + shape.gap;
    const isBelow = previous === undefined || cell.y >= previous.y + previous.height + shape.gap;
    expect(isBelow || (isRight && cell.y === previous?.y), `picture ${cell.position} is free`).to.equal(true);
    previous = cell;
  }
  const lowest = (previous?.y ?? 0) + (previous?.height ?? 0);
  expect(lowest + shape.gap + shape.footHeight).to.equal(layout.height);
}
