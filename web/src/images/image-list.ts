import type { ImageRecord } from '@image-catalog/client';
import type { Store } from '../store.ts';

/**
 * The pictures of the present view by their position, from 0, without holding all of them: those near the viewport are
 * loaded, others are forgotten.
 */
export interface ImageList {
  /** Rises with every change: of the count, of the order, of records that were loaded. */
  readonly version: Store<number>;
  readonly count: number;
  /** `undefined` if it is not loaded. */
  recordAt(position: number): ImageRecord | undefined;
  /** Loads the record, and its neighbours in one page. `undefined` beyond the end. */
  load(position: number): Promise<ImageRecord | undefined>;
  /** Of a picture that is loaded. */
  positionOf(id: number): number | undefined;
  /** Of any picture; `undefined` if the view does not contain it. */
  locate(record: ImageRecord): Promise<number | undefined>;
  /** After an edit. */
  replace(record: ImageRecord): void;
  /** Takes pictures out of the list until they are shown again: the undo time of a deletion. */
  hide(ids: readonly number[]): void;
  show(ids: readonly number[]): void;
  /** Asks the service again: something was added or deleted. */
  refresh(): Promise<void>;
}
