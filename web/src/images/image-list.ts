import type { ImageRecord } from '@image-catalog/client';
import type { Store } from '../base/store.ts';
import type { Section } from './list-plan.ts';

/** Pictures that are loaded and laid out together, at most 500. */
export interface ListSegment {
  /** Position of its first picture. */
  readonly first: number;
  readonly count: number;
  /** Index of its section. */
  readonly section: number;
  /** `undefined` if it is not loaded. */
  readonly records: readonly ImageRecord[] | undefined;
  /** Rises when its pictures or their number change. */
  readonly revision: number;
}

/** The segments of a list. An object of its own for each response of the service: `refresh` replaces it. */
export interface ListContents {
  /** Their number is not known, only that there may be more than are loaded. */
  readonly isOpen: boolean;
  readonly sections: readonly Section[];
  /** Those that can be reached: of a list without a timeline, up to the page after the last one that was loaded. */
  readonly segments: readonly ListSegment[];
}

/**
 * The pictures of the present view by their position, from 0, without holding all of them: those near the viewport are
 * loaded, others are forgotten.
 */
export interface ImageList {
  /** Rises with every change: of the count, of the order, of records that were loaded. */
  readonly version: Store<number>;
  /** The last request that failed; `undefined` as soon as one succeeds. */
  readonly problem: Store<unknown>;
  /** `undefined` until the service has said what the view contains. */
  readonly contents: ListContents | undefined;
  readonly count: number;
  /** `undefined` if it is not loaded. */
  recordAt(position: number): ImageRecord | undefined;
  /** Loads the record, and its neighbours in one page. `undefined` beyond the end. */
  load(position: number): Promise<ImageRecord | undefined>;
  /** Loads what is between these positions, both inclusive. Requests for other positions are aborted. */
  want(first: number, last: number): void;
  /** Of a picture that is loaded. */
  positionOf(id: number): number | undefined;
  /** The same for its record. */
  find(id: number): ImageRecord | undefined;
  /** Of any picture; `undefined` if the view does not contain it. */
  locate(record: ImageRecord): Promise<number | undefined>;
  /** After an edit. */
  replace(...records: readonly ImageRecord[]): void;
  /** Takes pictures out of the list until they are shown again: the undo time of a deletion. */
  hide(ids: readonly number[]): void;
  show(ids: readonly number[]): void;
  /** Repeats what has failed. */
  retry(): void;
  /** Asks the service again: something was added or deleted. What is seen is replaced at once. */
  refresh(): Promise<void>;
}
