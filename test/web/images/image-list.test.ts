import { expect } from 'chai';
import { PAGE_SIZE } from '../../../web/src/images/list-plan.ts';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { rejection } from '../../support/fixtures/rejection.ts';
import { settled } from '../../support/time/gate.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';

const TAKEN = { sort: 'taken', order: 'desc' } as const;
const ADDED = { sort: 'created', order: 'desc' } as const;

describe('the list of a million pictures', () => {
  const pages = new FakeImagePages(daysOf(5000, () => 200));

  it('knows all months and their counts from one request', async () => {
    const list = await opened(pages);

    expect(list.count).to.equal(1_000_000);
    const sections = list.contents?.sections ?? [];
    expect(sections[0]).to.include({ period: '2026-11', first: 0, count: 4000 });
    expect(sections.reduce((sum, { count }) => sum + count, 0)).to.equal(1_000_000);
  });

  it('has segments of at most 500 pictures without gaps', async () => {
    const list = await opened(pages);

    let end = 0;
    for (const { first, count } of list.contents?.segments ?? []) {
      expect(first).to.equal(end);
      expect(count).to.be.within(1, 500);
      end += count;
    }
    expect(end).to.equal(1_000_000);
  });

  it('loads the oldest picture, and one in the middle, with one page each', async () => {
    const list = await opened(pages);
    pages.requests.length = 0;

    expect((await list.load(999_999))?.id).to.equal(1);
    expect((await list.load(500_000))?.id).to.equal(500_000);
    expect(await list.load(1_000_000)).to.equal(undefined);

    expect(pages.requests).to.have.lengthOf(2);
  });

  it('asks for the days once, and only when a picture within a month is needed', async () => {
    pages.timelines.length = 0;
    const list = await opened(pages);
    await list.load(0);
    await list.load(999_999);
    expect(pages.timelines).to.deep.equal(['month']);

    await Promise.all([list.load(500_000), list.load(700_000)]);
    expect(pages.timelines).to.deep.equal(['month', 'day']);
  });

  it('asks for the days again if that has failed', async () => {
    const list = await opened(pages);
    pages.failure = new Error('no connection');
    expect(await rejection(list.load(500_000))).to.equal(pages.failure);
    pages.failure = undefined;

    expect((await list.load(500_000))?.id).to.equal(500_000);
  });

  it('finds the position of a picture that is loaded', async () => {
    const list = await opened(pages);
    await list.load(12_345);

    expect(list.positionOf(pages.idAt(12_345))).to.equal(12_345);
    expect(list.positionOf(pages.idAt(900_000))).to.equal(undefined);
  });

  it('locates a picture that is not loaded', async () => {
    const list = await opened(pages);
    pages.requests.length = 0;

    expect(await list.locate(pages.recordAt(777_777))).to.equal(777_777);
    expect(pages.requests.length).to.be.at.most(3);
  });

  it('does not locate a picture that the view does not contain', async () => {
    const list = await opened(pages);

    expect(await list.locate({ ...pages.recordAt(777_777), id: 5_000_000 })).to.equal(undefined);
    expect(await list.locate({ ...pages.recordAt(0), id: 7, takenAt: '1999-01-01T00:00:00' })).to.equal(
      undefined,
    );
  });

  it('requests pages of the size that the device wants, the first one too', async () => {
    pages.requests.length = 0;
    const list = new PagedImages(pages, { query: TAKEN, pageSize: 60 });
    await list.refresh();
    await list.load(0);
    await list.load(500);

    expect(pages.requests.map(({ limit = 0 }) => limit)).to.satisfy((limits: readonly number[]) =>
      limits.every((limit) => limit <= 150),
    );
    expect(pages.requests[0]?.limit).to.equal(60);
    expect(list.contents?.segments.every(({ count }) => count <= 60)).to.equal(true);
  });

  it('forgets pictures that are far away', async () => {
    const list = await opened(pages);
    for (let position = 0; position < 100_000; position += 200) await list.load(position);

    const loaded = list.contents?.segments.filter(({ records }) => records !== undefined) ?? [];

    expect(loaded.length).to.be.within(10, 60);
    expect(list.recordAt(0)).to.equal(undefined);
    expect(list.recordAt(99_800)?.id).to.equal(pages.idAt(99_800));
  });
});

describe('a list whose pages are cut short, or empty', () => {
  const pages = new FakeImagePages(daysOf(3, () => 300));
  pages.cut = 70;

  for (const query of [TAKEN, ADDED]) {
    it(`has all pictures in the order of ${query.sort}`, async () => {
      const list = new PagedImages(pages, { query });
      await list.refresh();
      const ids: Array<number | undefined> = [];
      for (let position = 0; position < 900; position += 1) ids.push((await list.load(position))?.id);
      expect(ids).to.deep.equal(Array.from({ length: 900 }, (_, at) => pages.idAt(at)));
    });
  }

  it('goes on where the page before has ended, from either end', async () => {
    const list = new PagedImages(pages, { query: ADDED });
    await list.refresh();
    pages.requests.length = 0;

    expect((await list.load(899))?.id).to.equal(1);
    expect((await list.load(100))?.id).to.equal(800);
    const asked = pages.requests.map(({ order, after }) => `${order} ${after}`);
    expect(new Set(asked).size).to.equal(asked.length);
  });

  it('requests no page twice when it is opened', async () => {
    pages.requests.length = 0;
    await new PagedImages(pages, { query: TAKEN }).refresh();
    const asked = pages.requests.map(({ after }) => after);
    expect(new Set(asked).size).to.equal(asked.length);
  });
});

describe('the list of a day with a hundred thousand pictures', () => {
  const before = daysOf(10, (index) => (index === 3 ? 100_000 : 10));

  it('reaches its middle page by page, and what follows with one request', async () => {
    const pages = new FakeImagePages(before);
    const list = await opened(pages);
    pages.requests.length = 0;

    expect((await list.load(20_000))?.id).to.equal(pages.idAt(20_000));
    expect(pages.requests.length).to.be.within(20, 22);
    pages.requests.length = 0;
    expect((await list.load(20_300))?.id).to.equal(pages.idAt(20_300));
    expect(pages.requests).to.have.lengthOf(1);
  });

  it('reaches its end from the end of the list', async () => {
    const pages = new FakeImagePages(before);
    const list = await opened(pages);
    pages.requests.length = 0;

    expect((await list.load(99_900))?.id).to.equal(pages.idAt(99_900));
    expect(pages.requests.map(({ order }) => order)).to.deep.equal(['asc']);
  });

  it('locates a picture in it by its time', async () => {
    const pages = new FakeImagePages(before);
    const list = await opened(pages);

    expect(await list.locate(pages.recordAt(60_000))).to.equal(60_000);
  });
});

describe('the list of pictures in view', () => {
  it('loads short months with one request', async () => {
    const pages = new FakeImagePages(
      daysOf(400, (index) => (index % 20 === 0 ? 2 : 0)).filter(({ count }) => count > 0),
    );
    const list = await opened(pages);
    pages.requests.length = 0;

    await wanting(list, 0, 39);

    expect(list.recordAt(0)?.id).to.equal(40);
    expect(list.recordAt(39)?.id).to.equal(1);
    expect(pages.requests).to.have.lengthOf(0);
  });

  it('ends the requests of what was scrolled past', async () => {
    const pages = new FakeImagePages(daysOf(1000, () => 200));
    const list = await opened(pages);
    await list.load(100_000);
    pages.requests.length = 0;

    list.want(50_000, 50_010);
    const wanted = wanting(list, 150_000, 150_010);

    expect(pages.requests.map(({ signal }) => signal?.aborted)).to.deep.equal([true, false]);
    await wanted;
    expect(list.recordAt(50_000)).to.equal(undefined);
    expect(list.recordAt(150_005)?.id).to.equal(pages.idAt(150_005));
  });

  it('does not end a request that the viewer waits for', async () => {
    const pages = new FakeImagePages(daysOf(1000, () => 200));
    const list = await opened(pages);

    const shown = list.load(50_000);
    await wanting(list, 150_000, 150_010);

    expect((await shown)?.id).to.equal(pages.idAt(50_000));
  });

  it('tells of a failed request until one succeeds, and rejects who waits for it', async () => {
    const pages = new FakeImagePages(daysOf(1000, () => 200));
    const list = await opened(pages);
    pages.failure = new Error('no service');

    expect(await rejection(list.load(50_000))).to.equal(pages.failure);
    await becomes(list.problem, () => list.want(60_000, 60_001));
    expect(list.problem.get()).to.equal(pages.failure);

    pages.failure = undefined;
    await wanting(list, 60_000, 60_001);
    expect(list.problem.get()).to.equal(undefined);
  });

  it('repeats what has failed', async () => {
    const pages = new FakeImagePages(daysOf(1000, () => 200));
    const list = await opened(pages);
    pages.failure = new Error('no service');
    await becomes(list.problem, () => list.want(60_000, 60_001));

    pages.failure = undefined;
    await becomes(list.version, () => list.retry());

    expect(list.recordAt(60_000)?.id).to.equal(pages.idAt(60_000));
  });

  it('tells why it could not be opened, and opens at the next refresh', async () => {
    const pages = new FakeImagePages(daysOf(3, () => 5));
    pages.failure = new Error('no service');
    const list = await opened(pages);

    expect(list.contents).to.equal(undefined);
    expect(list.problem.get()).to.equal(pages.failure);

    pages.failure = undefined;
    await becomes(list.version, () => list.retry());
    expect(list.count).to.equal(15);
    expect(list.problem.get()).to.equal(undefined);
  });

  it('handles the failure of every request that opens it', async () => {
    const pages = new FakeImagePages(daysOf(3, () => 5));
    pages.failure = new Error('no service');
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.prependListener('unhandledRejection', note);

    await opened(pages);
    await settled();
    process.off('unhandledRejection', note);

    expect(unhandled).to.deep.equal([]);
  });

  it('replaces a record after an edit', async () => {
    const pages = new FakeImagePages(daysOf(3, () => 5));
    const list = await opened(pages);
    const edited = { ...pages.recordAt(7), title: 'Felix' };
    await list.load(7);

    list.replace(edited);

    expect(list.recordAt(7)).to.equal(edited);
  });
});

describe('hidden pictures', () => {
  it('leave no gap, and come back where they were', async () => {
    const pages = new FakeImagePages(daysOf(10, () => 200));
    const list = await opened(pages);
    await list.load(0);
    const [hidden, next] = [pages.idAt(3), pages.idAt(4)];

    list.hide([hidden]);
    expect([list.count, list.recordAt(3)?.id, list.positionOf(hidden)]).to.deep.equal([
      1999,
      next,
      undefined,
    ]);
    expect((await list.load(1998))?.id).to.equal(1);

    list.show([hidden]);
    expect([list.count, list.recordAt(3)?.id]).to.deep.equal([2000, hidden]);
  });

  it('do not count in their month', async () => {
    const pages = new FakeImagePages(daysOf(40, () => 20));
    const list = await opened(pages);
    await list.load(0);
    const counts = (): readonly number[] => list.contents?.sections.map(({ count }) => count) ?? [];
    const [newest = 0, ...others] = counts();

    list.hide([pages.idAt(3), pages.idAt(4)]);
    expect(counts()).to.deep.equal([newest - 2, ...others]);
    expect(list.contents?.sections[1]?.first).to.equal(newest - 2);

    list.show([pages.idAt(3), pages.idAt(4)]);
    expect(counts()).to.deep.equal([newest, ...others]);
  });

  it('are hidden when they are loaded later, and after a refresh', async () => {
    const pages = new FakeImagePages(daysOf(10, () => 200));
    const list = await opened(pages);

    list.hide([pages.idAt(1000)]);
    expect((await list.load(1000))?.id).to.equal(pages.idAt(1001));
    await list.refresh();
    expect((await list.load(1000))?.id).to.equal(pages.idAt(1001));
    expect(list.count).to.equal(1999);
  });

  it('may be all pictures of a page', async () => {
    const pages = new FakeImagePages(daysOf(4, () => 200));
    const list = await opened(pages);
    await list.load(200);

    list.hide(Array.from({ length: 200 }, (_, at) => pages.idAt(200 + at)));

    expect(list.count).to.equal(600);
    expect((await list.load(200))?.id).to.equal(pages.idAt(400));
  });
});

describe('a refreshed list', () => {
  it('has the new pictures, and those in view at once', async () => {
    const pages = new FakeImagePages(daysOf(100, () => 200));
    const list = await opened(pages);
    await wanting(list, 10_000, 10_020);
    const seen = pages.recordAt(10_010);
    pages.changeCount(0, 210);
    // In the double ids count from the oldest picture, so that none changes.

    const changes = countChanges(list);
    await list.refresh();

    expect(list.count).to.equal(20_010);
    expect(list.positionOf(seen.id)).to.equal(10_020);
    expect(changes()).to.equal(1);
  });

  it('asks once more if it is asked for meanwhile', async () => {
    const pages = new FakeImagePages(daysOf(3, () => 5));
    const list = await opened(pages);
    const before = pages.timelines.length;

    await Promise.all([list.refresh(), list.refresh(), list.refresh()]);

    expect(pages.timelines.length - before).to.equal(2);
  });

  it('refreshes by itself if the service has fewer pictures than it has counted', async () => {
    const pages = new FakeImagePages(daysOf(10, () => 20));
    const list = await opened(pages, TAKEN, 60);
    pages.days = pages.days.slice(0, 2);

    expect(await list.load(90)).to.equal(undefined);
    await becomes(list.version);

    expect(list.count).to.equal(40);
  });

  it('refreshes by itself if there are more pictures in its days than in its months', async () => {
    const pages = new FakeImagePages(daysOf(100, () => 200));
    const list = await opened(pages);
    pages.changeCount(99, 210);

    void list.load(10_000);
    await becomes(list.version);

    expect(list.count).to.equal(20_010);
  });
});

describe('a list without a timeline', () => {
  it('knows its count, and can be reached one page after another', async () => {
    const pages = new FakeImagePages(daysOf(100, () => 100));
    const list = await opened(pages, ADDED);

    expect(list.count).to.equal(10_000);
    expect(pages.timelines).to.deep.equal([]);
    expect(reachOf(list)).to.equal(500);
    await list.load(499);
    expect(reachOf(list)).to.equal(750);
    expect(list.recordAt(499)?.id).to.equal(pages.idAt(499));
  });

  it('loads a picture further away for the viewer', async () => {
    const pages = new FakeImagePages(daysOf(100, () => 100));
    const list = await opened(pages, ADDED);

    expect((await list.load(4321))?.id).to.equal(pages.idAt(4321));
  });

  for (const count of [1_050, 1_000, 10, 0]) {
    it(`has its ${count} pictures if the service does not count them`, async () => {
      const pages = new FakeImagePages(daysOf(1, () => count));
      [pages.counts, pages.cut] = [false, 170];
      const list = await opened(pages, ADDED);
      const ids: number[] = [];
      for (let position = 0; position < list.count; position += 1) {
        const record = await list.load(position);
        if (record !== undefined) ids.push(record.id);
      }
      expect(ids).to.deep.equal(Array.from({ length: count }, (_, at) => pages.idAt(at)));
      expect([list.count, list.contents?.isOpen]).to.deep.equal([count, false]);
    });
  }

  it('may be empty', async () => {
    const list = await opened(new FakeImagePages([]), ADDED);

    expect([list.count, list.contents?.segments]).to.deep.equal([0, []]);
    expect(await list.load(0)).to.equal(undefined);
  });
});

async function opened(
  pages: FakeImagePages,
  query: typeof TAKEN | typeof ADDED = TAKEN,
  pageSize = PAGE_SIZE,
): Promise<PagedImages> {
  const list = new PagedImages(pages, { query, pageSize });
  await list.refresh();
  return list;
}

/** Resolves when all between the positions is loaded. */
async function wanting(list: PagedImages, first: number, last: number): Promise<void> {
  list.want(first, last);
  while (list.recordAt(first) === undefined || list.recordAt(last) === undefined) await becomes(list.version);
}

async function becomes(
  store: { subscribe: (listener: () => void) => () => void },
  cause?: () => void,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = store.subscribe(() => {
      end();
      resolve();
    });
    cause?.();
  });
}

function countChanges({ version }: PagedImages): () => number {
  const before = version.get();
  return () => version.get() - before;
}

function reachOf({ contents }: PagedImages): number {
  const last = contents?.segments.at(-1);
  return last === undefined ? 0 : last.first + last.count;
}
