import { expect } from 'chai';
import type { LinkCache } from '../../../web/src/catalog/link-cache.ts';
import {
  type GridFrame,
  GridModel,
  type GridSize,
  type GridTimers,
} from '../../../web/src/grid/grid-model.ts';
import type { ImageList } from '../../../web/src/images/image-list.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GRID_SIZE, lastPage, placeOf, shown } from '../doubles/shown-grid.ts';

const LARGE: GridSize = { ...GRID_SIZE, width: 2500, rowHeight: 280, viewport: 1384 };
const PHONE: GridSize = { ...GRID_SIZE, width: 358, rowHeight: 140, gap: 4, viewport: 700, pixelRatio: 3 };

const pages = new FakeImagePages(daysOf(5000, () => 200));

describe('the grid of a million pictures', () => {
  for (const [name, size] of Object.entries({ GRID_SIZE, LARGE, PHONE })) {
    it(`draws less than 300 nodes at every place (${name})`, async () => {
      const { scrollTo, frame } = await shown(pages, size);
      for (let step = 0; step <= 20; step += 1) {
        await scrollTo((step / 20) * lastPage(frame(), size));
        const { cells, headings } = frame();
        expect(cells.length).to.be.greaterThan(4);
        expect(cells.length * 2 + headings.length * 2 + 4).to.be.below(300);
      }
    });
  }

  it('fills the view with pictures at every place', async () => {
    const { scrollTo, frame } = await shown(pages, GRID_SIZE);
    for (let step = 0; step <= 20; step += 1) {
      const page = Math.round((step / 20) * lastPage(frame(), GRID_SIZE));
      await scrollTo(page);
      const { cells, layerTop } = frame();
      const tops = cells.map(({ y }) => layerTop + y - page);
      expect(Math.min(...tops), `at ${page}`).to.be.below(step === 0 ? 57 : 1);
      expect(Math.max(...cells.map(({ y, height }) => layerTop + y + height - page))).to.be.above(
        step === 20 ? 690 : 799,
      );
    }
  });

  it('shows the oldest picture when the page is dragged to its end', async () => {
    const { scrollTo, frame } = await shown(pages, GRID_SIZE);

    await scrollTo(lastPage(frame(), GRID_SIZE));

    expect(frame().cells.at(-1)?.record?.id).to.equal(1);
    expect(frame().lastInView).to.equal(999_999);
  });

  it('shows the picture that the scrubber asks for', async () => {
    const { model, settle, frame } = await shown(pages, GRID_SIZE);

    model.jumpTo(600_000);
    await settle();

    expect(frame().firstInView).to.be.within(599_990, 600_000);
    expect(frame().cells.find(({ position }) => position === 600_000)?.record?.id).to.equal(400_000);
  });

  it('finds the pictures above and below by their place', async () => {
    const { model, frame } = await shown(pages, GRID_SIZE);
    const cells = frame().cells;
    const [first] = cells;
    const second = cells.filter(({ y }) => y > (first?.y ?? 0))[0];
    const inSecondRow = cells.filter(({ y }) => y === second?.y);

    expect(model.verticalNeighbour(0, 1)).to.equal(second?.position);
    expect(model.verticalNeighbour(inSecondRow.length + 1, -1)).to.be.below(second?.position ?? 0);
    expect(model.verticalNeighbour(0, -1)).to.equal(0);
    expect(model.verticalNeighbour(999_999, 1)).to.equal(999_999);
  });

  it('draws the picture with the focus wherever it is', async () => {
    const { model, settle, frame } = await shown(pages, GRID_SIZE);
    model.pin(3);
    model.jumpTo(500_000);
    await settle();

    expect(frame().cells.map(({ position }) => position)).to.include(3);
  });

  it('shows the whole picture that is revealed', async () => {
    const { model, settle, frame, page } = await shown(pages, GRID_SIZE);

    model.reveal(200);
    await settle();

    const { top, height } = placeOf(frame(), page(), 200);
    expect(top).to.be.at.least(0);
    expect(top + height).to.be.at.most(800);
  });

  it('shows the whole oldest picture, however high the rows above it turn out to be', async () => {
    const { model, settle, frame, page } = await shown(pages, GRID_SIZE);

    model.reveal(999_999);
    await settle();

    const { top, height } = placeOf(frame(), page(), 999_999);
    expect(top).to.be.at.least(0);
    expect(top + height).to.be.at.most(800);
  });
});

describe('the grid of a million pictures at rest', () => {
  it('moves no picture on the screen when pictures above or in view are loaded', async () => {
    const { model, settle, frame, page } = await shown(pages, GRID_SIZE);
    model.jumpTo(600_000);
    const before = placeOf(frame(), page(), frame().firstInView);

    await settle();

    expect(placeOf(frame(), page(), before.position)).to.include({
      position: before.position,
      top: before.top,
    });
  });

  it('moves no picture on the screen when the page is moved to its place', async () => {
    const { model, settle, frame, page, scrollBy, timers } = await shown(pages, GRID_SIZE);
    model.jumpTo(600_000);
    await settle();
    scrollBy(500);
    const before = placeOf(frame(), page(), frame().firstInView);
    const pageBefore = page();

    timers.runAll();

    expect(page()).to.not.equal(pageBefore);
    expect(placeOf(frame(), page(), before.position).top).to.be.closeTo(before.top, 1);
  });

  it('keeps the picture in view when the window is resized', async () => {
    const { model, settle, frame } = await shown(pages, GRID_SIZE);
    model.jumpTo(600_000);
    await settle();
    const first = frame().firstInView;

    model.resize({ ...GRID_SIZE, width: 500 });
    await settle();

    expect(frame().firstInView).to.be.within(first - 3, 600_000);
  });
});

describe('the grid of a million pictures and its requests', () => {
  it('requests nothing for places that are passed quickly', async () => {
    const { model, list, timers } = await shown(pages, GRID_SIZE);
    await list.load(700_000);
    pages.requests.length = 0;

    for (let at = 1; at <= 10; at += 1) model.jumpTo(at * 50_000);
    expect(pages.requests.length).to.be.at.most(3);

    timers.runAll();
    expect(Number(pages.requests.at(-1)?.after?.split(' ')[1])).to.be.within(499_000, 500_000);
  });

  it('requests less often, but not never, while the pointer moves on', async () => {
    const { model, list, timers } = await shown(pages, GRID_SIZE);
    await list.load(700_000);
    pages.requests.length = 0;

    for (let at = 1; at <= 50; at += 1) {
      timers.time += 16;
      model.jumpTo(at * 10_000);
    }

    expect(pages.requests.length).to.be.within(2, 16);
  });

  it('comes back to pictures that were forgotten', async () => {
    const { model, settle, frame, page } = await shown(pages, GRID_SIZE);
    model.jumpTo(600_000);
    await settle();
    for (let at = 1; at < 60; at += 1) {
      model.jumpTo(at * 9000);
      await settle();
    }

    model.jumpTo(600_000);
    const { top } = placeOf(frame(), page(), frame().firstInView);
    await settle();

    const cells = frame().cells.toSorted((a, b) => a.position - b.position);
    expect(top).to.equal(placeOf(frame(), page(), frame().firstInView).top);
    for (const [index, { y }] of cells.entries()) expect(y).to.be.at.least(cells[index - 1]?.y ?? y);
  });

  it('asks for no picture that passes quickly, then for what the service has made already, then for all pixels', async () => {
    const { frame, scrollBy, timers, settle } = await shown(pages, GRID_SIZE);
    const scroll = (steps: number, distance: number): void => {
      for (let step = 0; step < steps; step += 1) {
        timers.time += 16;
        scrollBy(distance);
      }
    };
    const newest = () => frame().cells.find(({ position }) => position === frame().lastInView)?.sources;

    scroll(20, 60);
    expect(newest()).to.equal(undefined);
    scroll(20, 10);
    expect(newest()).to.deep.equal({ quick: 'a 320w', sharp: undefined });

    await settle();
    expect(newest()).to.deep.equal({ quick: 'a 320w', sharp: 'a 320w, b 640w, c 1080w' });
  });

  it('has no previews for pictures that pass quickly, and all at rest', async () => {
    const { model, list, timers, frame, settle } = await shown(pages, GRID_SIZE);
    model.jumpTo(600_000);
    await list.load(600_000);
    const previews = () => frame().cells.map(({ placeholder }) => placeholder !== undefined);

    timers.time += 16;
    model.jumpTo(600_010);
    expect(frame().cells[0]?.record).to.be.an('object');
    expect(previews()).to.not.include(true);

    await settle();
    expect(previews()).to.not.include(false);
  });

  it('asks for all pixels while the page moves slowly', async () => {
    const { frame, scrollBy, timers } = await shown(pages, GRID_SIZE);

    for (let step = 0; step < 50; step += 1) {
      timers.time += 16;
      scrollBy(5);
    }

    expect(frame().cells.at(-1)?.sources?.sharp).to.be.a('string');
  });

  it('has the links of what is in view from one request', async () => {
    const { frame, signed } = await shown(pages, GRID_SIZE);

    expect(frame().cells.every(({ sources }) => sources?.sharp?.includes(' 320w'))).to.equal(true);
    expect(signed.length).to.equal(1);
  });
});

describe('the grid that is drawn for the first time', () => {
  it('asks for the pictures in view, and for those around them when all of these are there', async () => {
    const { links, list, timers } = await shown(pages, GRID_SIZE);
    const { model, drawn, inView } = opened(links, list, timers);

    expect(drawn()).to.deep.equal(inView());
    for (const id of inView().slice(1)) model.arrived(id);
    for (let frame = 0; frame < 3; frame += 1) timers.runFrames();
    expect(drawn()).to.deep.equal(inView());

    model.arrived(inView()[0] ?? 0);
    for (let frame = 0; frame < 3; frame += 1) timers.runFrames();
    expect(drawn().length).to.be.greaterThan(inView().length);
  });

  it('asks for those around them after 3 s, whatever has not come', async () => {
    const { links, list, timers } = await shown(pages, GRID_SIZE);
    const { drawn, inView } = opened(links, list, timers);

    timers.runAll();
    timers.runAll();

    expect(drawn().length).to.be.greaterThan(inView().length);
  });
});

describe('the grid', () => {
  it('knows where the scrubber has led, although the content ends before', async () => {
    const pages = new FakeImagePages(
      daysOf(300, (index) => (index % 31 === 0 ? 1 : 0)).filter(({ count }) => count > 0),
    );
    const { model, settle, frame, scrollBy } = await shown(pages, GRID_SIZE);

    for (const position of [8, 9]) {
      model.jumpTo(position);
      await settle();
      expect(frame().jumpedTo).to.equal(position);
    }

    scrollBy(-300);
    expect(frame().jumpedTo).to.equal(undefined);
  });

  it('moves up and down between rows that short months share', async () => {
    const pages = new FakeImagePages(
      daysOf(300, (index) => (index % 31 === 0 ? 1 : 0)).filter(({ count }) => count > 0),
    );
    const { model, frame } = await shown(pages, GRID_SIZE);
    const topOf = (position: number) => frame().cells.find((cell) => cell.position === position)?.y;

    expect(frame().headings.map(({ x, y }) => x > 0 && y === 0)).to.include.members([false, true]);
    expect(topOf(3)).to.equal(topOf(0));
    expect([0, 1, 2, 3].map((at) => model.verticalNeighbour(at, 1))).to.deep.equal([4, 5, 6, 7]);
    expect([4, 5, 6, 7].map((at) => model.verticalNeighbour(at, -1))).to.deep.equal([0, 1, 2, 3]);
  });

  it('keeps the picture in view when others are hidden above it', async () => {
    const pages = new FakeImagePages(daysOf(50, () => 200));
    const { model, list, settle, frame, page } = await shown(pages, GRID_SIZE);
    model.jumpTo(5000);
    await settle();
    const before = placeOf(frame(), page(), frame().firstInView);

    list.hide([pages.idAt(5000 - 150)]);
    await settle();

    expect(placeOf(frame(), page(), before.position - 1)).to.include({ id: before.id, top: before.top });
  });

  it('shows new pictures at its beginning, and keeps its place elsewhere', async () => {
    const pages = new FakeImagePages(daysOf(50, () => 200));
    const { model, list, settle, frame, page } = await shown(pages, GRID_SIZE);
    pages.changeCount(0, 203);
    await list.refresh();
    expect(frame().cells[0]).to.include({ position: 0 });
    expect(frame().cells[0]?.record?.id).to.equal(10_003);

    model.jumpTo(5000);
    await settle();
    const before = placeOf(frame(), page(), frame().firstInView);
    pages.changeCount(0, 213);
    await list.refresh();
    await settle();
    expect(placeOf(frame(), page(), before.position + 10)).to.include({ id: before.id, top: before.top });
  });

  it('has headings with months and counts', async () => {
    const pages = new FakeImagePages(
      daysOf(60, (index) => (index % 10 === 0 ? 1 : 0)).filter(({ count }) => count > 0),
    );
    const { frame } = await shown(pages, GRID_SIZE);

    expect(frame().headings.map(({ period, count }) => [period, count])).to.deep.equal([
      ['2026-11', 2],
      ['2026-10', 4],
    ]);
    expect(frame().isOneScreen).to.equal(true);
  });

  it('has no frame until the list is open, and one without pictures if it is empty', async () => {
    const { frame } = await shown(new FakeImagePages([]), GRID_SIZE);

    expect(frame()).to.include({ count: 0, isOneScreen: true });
    expect(frame().cells).to.deep.equal([]);
  });
});

function opened(
  links: LinkCache,
  list: ImageList,
  timers: GridTimers,
): {
  readonly model: GridModel;
  readonly drawn: () => readonly number[];
  readonly inView: () => readonly number[];
} {
  const model = new GridModel(links, timers);
  model.resize(GRID_SIZE);
  model.show(list);
  const cells = (): GridFrame['cells'] => model.frame.get()?.cells ?? [];
  const idsOf = (some: GridFrame['cells']): readonly number[] =>
    some.flatMap(({ record }) => record?.id ?? []);
  return {
    model,
    drawn: () => idsOf(cells().filter(({ sources }) => sources !== undefined)),
    inView: () => idsOf(cells().filter(({ y }) => y < GRID_SIZE.viewport)),
  };
}
