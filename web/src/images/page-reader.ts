import type { ImageCatalog, ImageRecord, ListQuery } from '@image-catalog/client';
import { lastIndexWhere } from './binary-search.ts';
import type { ListPlan } from './list-plan.ts';

/** What the service lists. */
export type ImagePages = Pick<ImageCatalog, 'page' | 'timeline'>;

/** The largest page of the service. */
const LARGEST_PAGE = 1000;

interface Place {
  readonly position: number;
  /** `undefined` at the beginning of the list. */
  readonly after: string | undefined;
}

/**
 * Reads pictures by their position. The service knows cursors only, so a reader begins at the nearest known one: of a day,
 * of the end of an earlier page, or from the far end of the list.
 */
export class PageReader {
  readonly #pages: ImagePages;
  readonly #query: ListQuery;
  readonly #total: number;
  readonly #fromStart: KnownPlaces;
  /** In the reverse order; positions count from the end. */
  readonly #fromEnd = new KnownPlaces();
  readonly #reversed: ListQuery | undefined;
  #head: Promise<readonly ImageRecord[]> | undefined;

  /** @param head the first pictures, which were requested together with the plan */
  constructor(
    pages: ImagePages,
    query: ListQuery,
    { total, days }: ListPlan,
    head?: Promise<readonly ImageRecord[]>,
  ) {
    this.#head = head;
    this.#pages = pages;
    this.#query = query;
    this.#total = total;
    this.#fromStart = new KnownPlaces(days.map(({ first, after }) => ({ position: first, after })));
    this.#reversed =
      query.order === undefined ? undefined : { ...query, order: query.order === 'asc' ? 'desc' : 'asc' };
  }

  /** @returns fewer records if the list has become shorter */
  async read(first: number, count: number, signal: AbortSignal): Promise<readonly ImageRecord[]> {
    const records = first === 0 ? await this.#takeHead() : [];
    signal.throwIfAborted();
    if (records.length >= count) return records.slice(0, count);
    return await this.#request(first, count, signal);
  }

  /** Once: later it may be outdated. */
  async #takeHead(): Promise<readonly ImageRecord[]> {
    const head = this.#head;
    this.#head = undefined;
    return (await head?.catch(() => [])) ?? [];
  }

  async #request(first: number, count: number, signal: AbortSignal): Promise<readonly ImageRecord[]> {
    const fromEnd = this.#total - first - count;
    const reversed = this.#reversed;
    if (reversed !== undefined && fromEnd >= 0 && this.#isNearerToEnd(first, fromEnd)) {
      const records = await this.#walk(reversed, this.#fromEnd, { first: fromEnd, count, signal });
      return records.toReversed();
    }
    return await this.#walk(this.#query, this.#fromStart, { first, count, signal });
  }

  #isNearerToEnd(first: number, fromEnd: number): boolean {
    const pagesFor = (distance: number): number => Math.ceil(distance / LARGEST_PAGE);
    const forwards = pagesFor(first - this.#fromStart.before(first).position);
    return pagesFor(fromEnd - this.#fromEnd.before(fromEnd).position) < forwards;
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
    for (;;) {
      const { position, after } = places.before(first);
      // What is skipped is requested too: the service has no other way to go on.
      const whole = first + count - position;
      const limit = whole <= LARGEST_PAGE ? whole : Math.min(first - position, LARGEST_PAGE);
      const cursor = after === undefined ? {} : { after };
      const { records, next } = await this.#pages.page({ ...query, ...cursor, limit }, { signal });
      if (next !== undefined) places.add({ position: position + records.length, after: next });
      if (limit === whole || next === undefined || records.length === 0) {
        return records.slice(first - position);
      }
    }
  }
}

/** Ascending, beginning with the start of the list. */
class KnownPlaces {
  readonly #places: Place[];

  constructor(places: readonly Place[] = []) {
    this.#places = [...places];
    if (this.#places[0]?.position !== 0) this.#places.unshift({ position: 0, after: undefined });
  }

  before(position: number): Place {
    return this.#places[this.#indexBefore(position)] ?? { position: 0, after: undefined };
  }

  add(place: Place): void {
    const index = this.#indexBefore(place.position);
    if (this.#places[index]?.position !== place.position) this.#places.splice(index + 1, 0, place);
  }

  #indexBefore(position: number): number {
    return lastIndexWhere(this.#places, (place) => place.position <= position);
  }
}
