import type { FieldConditions } from '../../image/fields.ts';
import type { CatalogImage } from '../../image/image.ts';
import type { MediaType } from '../../image/media-type.ts';
import type { Period } from '../../image/time/calendar.ts';
import type { Turns } from '../process/turns.ts';
import type { ImageOrder } from './image-repository.ts';
import type { Page } from './page.ts';

/** Conditions on the record and on what people and the file say. All of them must hold. */
export interface SearchFilter extends FieldConditions {
  readonly mediaType?: MediaType | undefined;
  /** Lower-case hex. */
  readonly sha256?: string | undefined;
  /** Exactly the text of `createdBy`. */
  readonly createdBy?: string | undefined;
  /** Exclusive. */
  readonly createdAfter?: Date | undefined;
  /** Exclusive. */
  readonly createdBefore?: Date | undefined;
  /** As `searchWords` returns them: each is the beginning of a word of the image. */
  readonly words?: readonly string[] | undefined;
  /** Folded. */
  readonly tags?: readonly string[] | undefined;
  /** Exclusive. Images without a capture time do not match. */
  readonly takenAfter?: Date | undefined;
  /** Exclusive. Images without a capture time do not match. */
  readonly takenBefore?: Date | undefined;
}

/** Whether all images match. */
export function isUnfiltered(filter: SearchFilter): boolean {
  return Object.values(filter).every((condition) => condition === undefined);
}

/** `created` is by id. `taken` is by capture time, else by `createdAt`, then by id. */
export type SearchSort =
  | { readonly by: 'created' | 'taken'; readonly order: ImageOrder }
  | { readonly by: 'random'; readonly seed: string };

/** Where a page begins. Plain data, for cursors: it is bound to the filter and the sort of its listing. */
export type SearchPlace =
  /** Behind this image, which may be deleted by now. */
  | { readonly by: 'created'; readonly id: number }
  /** Ms since 1970. */
  | { readonly by: 'taken'; readonly time: number; readonly id: number }
  /** Behind this position of a permutation of 2 to the power. */
  | { readonly by: 'random'; readonly power: number; readonly position: number };

export interface SearchQuery {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  /** A place in the order of the sort. */
  readonly after?: SearchPlace | undefined;
  /** No higher ids: a listing that takes long ends in spite of uploads. */
  readonly upToId?: number | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** Ids: records are read in portions, because those of a long page may take 26 MB. */
export type SearchPage = Page<number, SearchPlace>;

/** Every method throws `StorageUnavailable`. */
export interface ImageSearch {
  /**
   * An image that is there all along is neither skipped nor repeated over the pages. The cost depends neither on the position of the
   * page nor on the size of the catalog: a page ends when it has looked at 50,000 images or entries of an index.
   *
   * @param turns of a search, which may take long
   * @throws {InvalidPlace} if the catalog has never been large enough for the place
   * @throws {Overloaded} by the turns
   */
  findPage(query: SearchQuery, turns?: Turns): Promise<SearchPage>;

  /**
   * The records of these ids of a page as they are now, in the same order, without those that are gone. A portion is read when it is asked
   * for, and holds at most 1 MiB.
   */
  readRecords(ids: readonly number[]): AsyncIterable<readonly CatalogImage[]>;

  /** @throws {Overloaded} by the turns */
  count(filter: SearchFilter, turns: Turns): Promise<number>;

  /** The highest id ever given; 0 if there is none. */
  highestId(): Promise<number>;
}

export interface PeriodCount {
  /** Writes 2026-11-22, 2026-11 or 2026. */
  readonly period: string;
  /** Images; 1 or more. */
  readonly count: number;
  /** Where a listing by capture time, newest first, begins with this period. */
  readonly after: SearchPlace;
}

/** Every method throws `StorageUnavailable`. */
export interface Timeline {
  /**
   * Counts the images that match. Newest first, in the time zone of the catalog; images without a capture time by `createdAt`.
   *
   * @throws {Overloaded} by the turns
   */
  periods(period: Period, filter: SearchFilter, turns: Turns): Promise<readonly PeriodCount[]>;
}
