import type { ImageCatalog, ImagePage, ImageRecord, ListQuery } from '@image-catalog/client';
import { lastIndexWhere } from './binary-search.ts';
import type { ListPlan, PlannedPeriod } from './list-plan.ts';

/** What the service lists. */
export type ImagePages = Pick<ImageCatalog, 'page' | 'timeline'>;

/** The largest page of the service. */
const LARGEST_PAGE = 1000;

interface Place {
  readonly position: number;
  /** `undefined` at the beginning of the list. */
  readonly after: string | undefined;
}

/** What a list requests beside its plan. */
interface Beside {
  /** The first page; `undefined` if it could not be read. */
  readonly head: Promise<ImagePage | undefined> | undefined;
  /** Empty if the list has changed since. */
  readonly requestDays: () => Promise<readonly PlannedPeriod[]>;
}

/**
 * Reads pictures by their position. The service knows cursors only, so a reader begins at the nearest known one: of a month,
 * of the end of an earlier page, or from the far end of the list. The days are requested when these are too far away.
 */
export class PageReader {
  readonly #pages: ImagePages;
  readonly #query: ListQuery;
  readonly #total: number;
  readonly #fromStart: KnownPlaces;
  /** In the reverse order; positions count from the end. */
  readonly #fromEnd = new KnownPlaces();
  readonly #reversed: ListQuery | undefined;
  readonly #requestDays: () => Promise<readonly PlannedPeriod[]>;
  #days: Promise<readonly PlannedPeriod[]> | undefined;
  #head: Promise<ImagePage | undefined> | undefined;

  constructor(
    pages: ImagePages,
    query: ListQuery,
    { total, isOpen, months }: ListPlan,
    { head, requestDays }: Beside,
  ) {
    this.#head = head;
    this.#requestDays = requestDays;
    this.#pages = pages;
    this.#query = query;
    this.#total = total;
    this.#fromStart = new KnownPlaces(months);
    const isReversible = query.order !== undefined && !isOpen;
    this.#reversed = isReversible ? { ...query, order: query.order === 'asc' ? 'desc' : 'asc' } : undefined;
  }

  /** @returns fewer records if the list has become shorter */
  async read(first: number, count: number, signal: AbortSignal): Promise<readonly ImageRecord[]> {
    const { records, next } = (first === 0 ? await this.#takeHead() : undefined) ?? { records: [] };
    signal.throwIfAborted();
    if (records.length >= count) return records.slice(0, count);
    if (next === undefined) return await this.#request(first, count, signal);
    // A page may be shorter than it was to be, or empty, although there is more.
    this.#fromStart.add({ position: records.length, after: next });
    const behind = { first: records.length, count: count - records.length, signal };
    return [...records, ...(await this.#walk(this.#query, this.#fromStart, behind))];
  }

  /** They are requested once. */
  async days(): Promise<readonly PlannedPeriod[]> {
    this.#days ??= this.#learnDays();
    try {
      return await this.#days;
    } catch (error) {
      this.#days = undefined;
      throw error;
    }
  }

  async #learnDays(): Promise<readonly PlannedPeriod[]> {
    const days = await this.#requestDays();
    this.#fromStart.addAll(days);
    return days;
  }

  /** Once: later it may be outdated. */
  async #takeHead(): Promise<ImagePage | undefined> {
    const head = this.#head;
    this.#head = undefined;
    return await head;
  }

  async #request(first: number, count: number, signal: AbortSignal): Promise<readonly ImageRecord[]> {
    const fromEnd = this.#total - first - count;
    const reversed = this.#reversed;
    if (this.#fromStart.distance(first) > count && this.#fromEnd.distance(fromEnd) > count) await this.days();
    signal.throwIfAborted();
    if (reversed !== undefined && fromEnd >= 0 && this.#isNearerToEnd(first, fromEnd)) {
      const records = await this.#walk(reversed, this.#fromEnd, { first: fromEnd, count, signal });
      return records.toReversed();
    }
    return await this.#walk(this.#query, this.#fromStart, { first, count, signal });
  }

  #isNearerToEnd(first: number, fromEnd: number): boolean {
    const pagesFor = (distance: number): number => Math.ceil(distance / LARGEST_PAGE);
    return pagesFor(this.#fromEnd.distance(fromEnd)) < pagesFor(this.#fromStart.distance(first));
  }

  async #walk(
    query: ListQuery,
    places: KnownPlaces,
    {
      first,
      count,
      signal,
    }: { readonly first: number; readonly count: number; readonly signal: AbortSignal },
  ): Promise<readonly ImageRecord[]> {
    const found: ImageRecord[] = [];
    for (let { position, after } = places.before(first); ; ) {
      // What is skipped is requested too: the service has no other way to go on.
      const whole = first + count - position;
      const limit = whole <= LARGEST_PAGE ? whole : Math.min(first - position, LARGEST_PAGE);
      const cursor = after === undefined ? {} : { after };
      const { records, next } = await this.#pages.page({ ...query, ...cursor, limit }, { signal });
      found.push(...records.slice(Math.max(0, first - position)));
      position += records.length;
      if (next !== undefined) places.add({ position, after: next });
      if (position >= first + count || next === undefined) return found;
      after = next;
    }
  }
}

/** Ascending, beginning with the start of the list. */
class KnownPlaces {
  #places: readonly Place[] = [{ position: 0, after: undefined }];

  constructor(periods: readonly PlannedPeriod[] = []) {
    this.addAll(periods);
  }

  before(position: number): Place {
    return this.#places[this.#indexBefore(position)] ?? { position: 0, after: undefined };
  }

  /** From the nearest place before it. */
  distance(position: number): number {
    return position - this.before(position).position;
  }

  addAll(periods: readonly PlannedPeriod[]): void {
    const byPosition = new Map(this.#places.map((place) => [place.position, place]));
    for (const { first, after } of periods) byPosition.set(first, { position: first, after });
    this.#places = [...byPosition.values()].sort((a, b) => a.position - b.position);
  }

  /** Instead of an earlier place of this position: a page from there may be empty. */
  add(place: Place): void {
    const index = this.#indexBefore(place.position);
    const isKnown = this.#places[index]?.position === place.position;
    this.#places = this.#places.toSpliced(isKnown ? index : index + 1, isKnown ? 1 : 0, place);
  }

  #indexBefore(position: number): number {
    return lastIndexWhere(this.#places, (place) => place.position <= position);
  }
}
