import type { ImagePage, ImageRecord, ListQuery, PeriodCount } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import type { ImageList, ListContents } from './image-list.ts';
import {
  type ListPlan,
  PAGE_SIZE,
  type PlannedPeriod,
  placePeriods,
  planSequence,
  planTimeline,
} from './list-plan.ts';
import { LoadedContents } from './loaded-contents.ts';
import { type ImagePages, PageReader } from './page-reader.ts';
import type { UndatedLast } from './undated-last.ts';

export interface PagedImagesOptions {
  /** The filters and the order. */
  readonly query: ListQuery;
  /** Called with the first pictures before their places are known. */
  readonly onHead?: (head: ImagePage) => void;
  /** The most pictures of a response. */
  readonly pageSize?: number;
}

type ListedPages = ImagePages & Partial<Pick<UndatedLast, 'isInterleaved'>>;

const OUTDATED_INTERVAL_MS = 10_000;

/** A list of the service. */
export class PagedImages implements ImageList {
  readonly version = new Store(0);
  readonly problem = new Store<unknown>(undefined);
  readonly #pages: ListedPages;
  readonly #options: PagedImagesOptions;
  readonly #hidden = new Set<number>();
  #contents: LoadedContents | undefined;
  #wanted = { first: 0, last: 0 };
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;
  /** Epoch ms. */
  #nextOutdatedRefresh = 0;
  readonly #abort = new AbortController();

  constructor(pages: ListedPages, options: PagedImagesOptions) {
    this.#pages = pages;
    this.#options = options;
  }

  get contents(): ListContents | undefined {
    return this.#contents;
  }

  get count(): number {
    return this.#contents?.count ?? 0;
  }

  recordAt(position: number): ImageRecord | undefined {
    return this.#contents?.recordAt(position);
  }

  positionOf(id: number): number | undefined {
    return this.#contents?.positionOf(id);
  }

  find(id: number): ImageRecord | undefined {
    const position = this.positionOf(id);
    return position === undefined ? undefined : this.recordAt(position);
  }

  async load(position: number): Promise<ImageRecord | undefined> {
    return await (await this.#opened()).load(position);
  }

  async locate(record: ImageRecord): Promise<number | undefined> {
    return await (await this.#opened()).locate(record);
  }

  want(first: number, last: number): void {
    this.#wanted = { first, last };
    this.#contents?.want(first, last);
  }

  replace(...records: readonly ImageRecord[]): void {
    const isMoved = records.some(({ id, takenAt }) => {
      const before = this.find(id);
      return before !== undefined && before.takenAt !== takenAt;
    });
    this.#contents?.replace(records);
    if (isMoved) void this.refresh();
  }

  hide(ids: readonly number[]): void {
    for (const id of ids) this.#hidden.add(id);
    this.#contents?.updateHidden(ids);
  }

  show(ids: readonly number[]): void {
    for (const id of ids) this.#hidden.delete(id);
    this.#contents?.updateHidden(ids);
  }

  retry(): void {
    if (this.#contents === undefined) void this.refresh();
    else this.#contents.want(this.#wanted.first, this.#wanted.last);
  }

  /** Also opens the list. Its errors are in `problem`. */
  async refresh(): Promise<void> {
    if (this.#refreshing !== undefined) {
      this.#refreshAgain = true;
      return await this.#refreshing;
    }
    this.#refreshing = this.#refresh();
    try {
      await this.#refreshing;
    } finally {
      this.#refreshing = undefined;
    }
  }

  /** Ends all requests. */
  close(): void {
    this.#abort.abort();
    this.#contents?.dispose();
  }

  async #refresh(): Promise<void> {
    do {
      this.#refreshAgain = false;
      try {
        await this.#replaceContents();
        this.problem.set(undefined);
      } catch (error) {
        if (!this.#abort.signal.aborted) this.problem.set(error);
      }
    } while (this.#refreshAgain);
  }

  async #replaceContents(): Promise<void> {
    const before = this.#contents;
    const { isInterleaved } = this.#pages;
    const head = this.#requestHead();
    const plan = await this.#plan();
    // Otherwise it is of a list in another order.
    const isHead = this.#pages.isInterleaved === isInterleaved;
    const contents = this.#contentsOf(plan, isHead ? head : undefined);
    const { first, last } = await this.#seenIn(contents);
    await contents.loadAll(first, last);
    this.#abort.signal.throwIfAborted();
    this.#contents = contents;
    before?.dispose();
    this.#changed();
  }

  /** Where the pictures that are seen now are in the new contents. */
  async #seenIn(contents: LoadedContents): Promise<{ readonly first: number; readonly last: number }> {
    const { first, last } = this.#wanted;
    const record = first === 0 ? undefined : this.recordAt((first + last) >> 1);
    const position = record && (await contents.locate(record));
    const shift = position === undefined ? 0 : position - ((first + last) >> 1);
    return { first: first + shift, last: last + shift };
  }

  #contentsOf(plan: ListPlan, head: Promise<ImagePage | undefined> | undefined): LoadedContents {
    const reader = new PageReader(this.#pages, this.#options.query, plan, {
      head,
      requestDays: async () => await this.#daysOf(plan),
    });
    const contents: LoadedContents = new LoadedContents(plan, reader, (id) => this.#hidden.has(id), {
      changed: () => {
        if (this.#contents === contents) this.#changed();
      },
      outdated: () => {
        if (this.#contents === contents) this.#refreshOutdated();
      },
      problem: (error) => this.problem.set(error),
    });
    return contents;
  }

  /** If the first pictures are in view: together with the plan, which takes longer the more pictures there are. */
  #requestHead(): Promise<ImagePage | undefined> | undefined {
    if (this.#wanted.first > 0) return undefined;
    const { query, onHead, pageSize = PAGE_SIZE } = this.#options;
    const { signal } = this.#abort;
    const head = this.#pages.page({ ...query, limit: pageSize }, { signal });
    void head.then(onHead, () => undefined);
    // Without it the reader requests the page again; after a failed plan there is no reader.
    return head.catch(() => undefined);
  }

  async #plan(): Promise<ListPlan> {
    const { query, pageSize = PAGE_SIZE } = this.#options;
    if (query.sort === 'taken') return planTimeline(await this.#timeline('month'), pageSize);
    const { signal } = this.#abort;
    const { total } = await this.#pages.page({ ...query, limit: 1, count: true }, { signal });
    return planSequence(total, pageSize);
  }

  /** Thousands in a large catalog, which a slow network has after seconds only. */
  async #daysOf({ total, months }: ListPlan): Promise<readonly PlannedPeriod[]> {
    if (months.length === 0) return [];
    const days = placePeriods(await this.#timeline('day'));
    const last = days.at(-1);
    if (last !== undefined && last.first + last.count === total) return days;
    this.#refreshOutdated();
    return [];
  }

  async #timeline(by: 'month' | 'day'): Promise<readonly PeriodCount[]> {
    const { sort: _sort, order: _order, ...filters } = this.#options.query;
    return await this.#pages.timeline({ ...filters, by }, { signal: this.#abort.signal });
  }

  /** Not again and again: the service may count in another way than it lists. */
  #refreshOutdated(): void {
    const now = Date.now();
    if (now < this.#nextOutdatedRefresh) return;
    this.#nextOutdatedRefresh = now + OUTDATED_INTERVAL_MS;
    void this.refresh();
  }

  async #opened(): Promise<LoadedContents> {
    if (this.#contents === undefined) await this.refresh();
    if (this.#contents === undefined) throw this.problem.get();
    return this.#contents;
  }

  #changed(): void {
    this.version.update((version) => version + 1);
  }
}
