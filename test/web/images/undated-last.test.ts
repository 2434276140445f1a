import type { ImagePage, ImageRecord, PageQuery, PeriodCount, TimelineQuery } from '@image-catalog/client';
import { expect } from 'chai';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { UndatedLast } from '../../../web/src/images/undated-last.ts';

interface Shot {
  readonly id: number;
  readonly takenAt: string | null;
  readonly createdAt: string;
}

/** As the service has them: pictures without a capture time by that of their upload. */
class MixedPages {
  shots: readonly Shot[];
  /** Each picture counts as so many in a timeline. */
  weight = 1;
  /** Sources of what was asked for. */
  readonly asked: string[] = [];

  constructor(shots: readonly Shot[]) {
    this.shots = shots;
  }

  readonly page = async (query: PageQuery = {}): Promise<ImagePage> => {
    const source = sourceOf(query);
    this.asked.push(`page ${source} ${query.order ?? 'asc'}`);
    const { limit = 100, after = `${source} 0` } = query;
    if (!after.startsWith(`${source} `)) throw new RangeError(`The cursor is of another list: ${after}`);
    const first = Number(after.split(' ')[1]);
    const found = this.#matching(query);
    const records = (query.order === 'desc' ? found : found.toReversed()).slice(first, first + limit);
    const end = first + records.length;
    return {
      records: records as unknown as readonly ImageRecord[],
      next: end < found.length ? `${source} ${end}` : undefined,
      total: undefined,
      changesCursor: undefined,
    };
  };

  readonly timeline = async (query: TimelineQuery): Promise<readonly PeriodCount[]> => {
    const source = sourceOf(query);
    this.asked.push(`timeline ${source}`);
    const periods = new Map<string, PeriodCount>();
    for (const [at, shot] of this.#matching(query).entries()) {
      const period = timeOf(shot).slice(0, query.by === 'month' ? 7 : 10);
      const { count, after } = periods.get(period) ?? { count: 0, after: `${source} ${at}` };
      periods.set(period, { period, count: count + this.weight, after });
    }
    return [...periods.values()];
  };

  #matching({ takenAfter, dated }: PageQuery): readonly Shot[] {
    return this.shots
      .filter(({ takenAt }) => takenAfter === undefined || takenAt !== null)
      .filter(({ takenAt }) => dated === undefined || takenAt === null)
      .toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  }
}

function sourceOf({ takenAfter, dated }: PageQuery): string {
  if (takenAfter !== undefined) return 'dated';
  return dated === false ? 'undated' : 'all';
}

function timeOf({ takenAt, createdAt }: Shot): string {
  return takenAt ?? createdAt;
}

/** Every second one has no capture time. */
const SHOTS = Array.from({ length: 12 }, (_, index) => {
  const time = `2026-${String(12 - index).padStart(2, '0')}-10T12:00:00Z`;
  return { id: 12 - index, takenAt: index % 2 === 0 ? time : null, createdAt: time };
});

describe('the timeline with pictures that have no capture time', () => {
  let pages: MixedPages;

  async function open(shots: readonly Shot[] = SHOTS): Promise<PagedImages> {
    pages = new MixedPages(shots);
    return await opened();
  }

  async function opened(pageSize = 2): Promise<PagedImages> {
    const list = new PagedImages(new UndatedLast(pages), {
      query: { sort: 'taken', order: 'desc' },
      pageSize,
    });
    await list.refresh();
    return list;
  }

  async function idsOf(list: PagedImages): Promise<readonly (number | undefined)[]> {
    const ids: (number | undefined)[] = [];
    for (let at = 0; at < list.count; at += 1) ids.push((await list.load(at))?.id);
    return ids;
  }

  function sectionsOf(list: PagedImages): readonly unknown[] {
    return list.contents?.sections.map(({ period, count }) => [period, count]) ?? [];
  }

  it('has them in a group of their own behind all months', async () => {
    const list = await open();

    expect(await idsOf(list)).to.deep.equal([12, 10, 8, 6, 4, 2, 11, 9, 7, 5, 3, 1]);
    expect(sectionsOf(list).slice(-2)).to.deep.equal([
      ['2026-02', 1],
      ['undated', 6],
    ]);
  });

  it('reads its end from there', async () => {
    const list = await open();
    pages.asked.length = 0;

    expect((await list.load(11))?.id).to.equal(1);
    expect((await list.load(4))?.id).to.equal(4);
  });

  it('is read at any place without what is before it', async () => {
    const shots = Array.from({ length: 3000 }, (_, index) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) - index * 43_200_000).toISOString();
      return { id: 3000 - index, takenAt: index < 10 ? createdAt : null, createdAt };
    });
    pages = new MixedPages(shots);
    const list = await opened(250);
    pages.asked.length = 0;

    expect((await list.load(1500))?.id).to.equal(1500);
    expect(pages.asked.filter((asked) => asked.startsWith('page'))).to.deep.equal(['page undated desc']);
  });

  it('finds a picture of either kind', async () => {
    const list = await open();

    const places = [];
    for (const id of [3, 4]) {
      const shot = SHOTS.find((each) => each.id === id);
      places.push(await list.locate(shot as unknown as ImageRecord));
    }
    expect(places).to.deep.equal([10, 4]);
  });

  it('counts once if all have a capture time', async () => {
    const list = await open(SHOTS.filter(({ takenAt }) => takenAt !== null));

    expect(await idsOf(list)).to.deep.equal([12, 10, 8, 6, 4, 2]);
    expect(pages.asked.filter((asked) => asked.startsWith('timeline'))).to.deep.equal([
      'timeline undated',
      'timeline all',
    ]);
  });

  it('has only them if no picture has a capture time', async () => {
    const list = await open(SHOTS.filter(({ takenAt }) => takenAt === null));

    expect(sectionsOf(list)).to.deep.equal([['undated', 6]]);
    expect((await list.load(0))?.id).to.equal(11);
  });

  it('has them after a refresh, if the first one has come', async () => {
    const list = await open(SHOTS.filter(({ takenAt }) => takenAt !== null));
    pages.shots = SHOTS;
    await list.refresh();

    expect(sectionsOf(list).at(-1)).to.deep.equal(['undated', 6]);
  });

  it('leaves them among the others in a catalog that takes too long to count', async () => {
    pages = new MixedPages(SHOTS);
    pages.weight = 500_000;
    const list = await opened(250);

    expect(sectionsOf(list)[1]).to.deep.equal(['2026-11', 500_000]);
    expect(list.recordAt(0)?.id).to.equal(12);
    expect(pages.asked).not.to.include('timeline dated');
  });
});
