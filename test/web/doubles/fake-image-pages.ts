import type { ImagePage, ImageRecord, PageQuery, PeriodCount, TimelineQuery } from '@image-catalog/client';
import { lastIndexWhere } from '../../../web/src/images/binary-search.ts';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { NOTHING_WRITTEN } from '../../support/fixtures/nothing-written.ts';

/** A day and its pictures. */
export interface FakeDay {
  /** As in 2026-11-22. */
  readonly period: string;
  readonly count: number;
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The listing of a service without a service: pictures are computed, so that a million take no memory. Ids descend from
 * the newest picture; a cursor is the order and the number of pictures in front of it.
 */
export class FakeImagePages {
  readonly requests: (PageQuery & { readonly signal: AbortSignal | undefined })[] = [];
  readonly timelines: TimelineQuery['by'][] = [];
  /** Thrown by the next requests. */
  failure: Error | undefined;
  /** Whether it counts in time. */
  counts = true;
  /** Every page has at most so many pictures, and comes behind an empty one. */
  cut: number | undefined;
  /** Requests wait for it. */
  gate: Promise<void> = Promise.resolve();
  #days: readonly FakeDay[] = [];
  /** Of the first picture of each day. */
  #firsts: readonly number[] = [];
  #total = 0;

  constructor(days: readonly FakeDay[]) {
    this.days = days;
  }

  get days(): readonly FakeDay[] {
    return this.#days;
  }

  set days(days: readonly FakeDay[]) {
    this.#days = days;
    this.#total = 0;
    this.#firsts = days.map(({ count }) => {
      this.#total += count;
      return this.#total - count;
    });
  }

  get total(): number {
    return this.#total;
  }

  /** Something was uploaded, or deleted. */
  changeCount(index: number, count: number): void {
    this.days = this.days.map((day, at) => (at === index ? { ...day, count } : day));
  }

  /** Newest first. */
  idAt(position: number): number {
    return this.total - position;
  }

  readonly timeline = async ({ by, dated }: TimelineQuery): Promise<readonly PeriodCount[]> => {
    // All have a capture time.
    if (dated === false) return [];
    this.timelines.push(by);
    await this.#answer(undefined);
    const periods = new Map<string, PeriodCount>();
    for (const [at, day] of this.#days.entries()) {
      const period = by === 'month' ? day.period.slice(0, 7) : day.period;
      const { count, after } = periods.get(period) ?? { count: 0, after: `desc ${this.#firsts[at]}` };
      periods.set(period, { period, count: count + day.count, after });
    }
    return [...periods.values()];
  };

  readonly page = async (query: PageQuery = {}, { signal }: Options = {}): Promise<ImagePage> => {
    this.requests.push({ ...query, signal });
    await this.#answer(signal);
    const { order = 'asc', limit = 100, after = `${order} 0`, count } = query;
    if (!after.startsWith(`${order} `)) throw new RangeError(`The cursor is of another order: ${after}`);
    const [, begin, isBehindEmpty] = after.split(' ');
    const first = Number(begin);
    const shared = {
      total: count === true && this.counts ? this.total : undefined,
      changesCursor: undefined,
    };
    if (this.cut !== undefined && isBehindEmpty === undefined) {
      return { records: [], next: `${order} ${first} behind`, ...shared };
    }
    const end = Math.min(first + Math.min(limit, this.cut ?? limit), this.total);
    const positions = Array.from({ length: end - first }, (_, at) => first + at);
    return {
      records: positions.map((at) => this.recordAt(order === 'desc' ? at : this.total - 1 - at)),
      next: end < this.total ? `${order} ${end}` : undefined,
      ...shared,
    };
  };

  recordAt(position: number): ImageRecord {
    const index = lastIndexWhere(this.#firsts, (first) => first <= position);
    const day = this.#days[index];
    const end = (this.#firsts[index] ?? 0) + (day?.count ?? 0);
    const id = this.idAt(position);
    const seconds = Math.floor(((end - position) / ((day?.count ?? 0) + 1)) * 86_400);
    const time = new Date(Date.parse(`${day?.period}T00:00:00Z`) + seconds * 1000).toISOString();
    return {
      id,
      filename: `${id}.jpg`,
      originalName: `${id}.jpg`,
      mediaType: 'image/jpeg',
      size: 1,
      width: 3000 + (id % 3) * 1000,
      height: 3000,
      frames: 1,
      sha256: '',
      thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      createdAt: time,
      ...NOTHING_WRITTEN,
      takenAt: time,
      createdBy: null,
      links: {
        self: `/api/image/${id}`,
        file: `/api/image/${id}/file`,
        metadata: '',
        similar: '',
        renditions: { template: '', widths: [320, 640, 1080] },
      },
    };
  }

  async #answer(signal: AbortSignal | undefined): Promise<void> {
    await this.gate;
    signal?.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
  }
}

/** Days without gaps, newest first, up to 20 November 2026. */
export function daysOf(count: number, perDay: (index: number) => number): readonly FakeDay[] {
  const newest = Date.UTC(2026, 10, 20);
  return Array.from({ length: count }, (_, index) => ({
    period: new Date(newest - index * 86_400_000).toISOString().slice(0, 10),
    count: perDay(index),
  }));
}

/** The list of a view, whose first part is there. */
export async function loadedList(pages: FakeImagePages): Promise<PagedImages> {
  const list = new PagedImages(pages, { query: { sort: 'taken', order: 'desc' } });
  await list.refresh();
  return list;
}
