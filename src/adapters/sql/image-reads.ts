import type { ImageColumns } from './image-row.ts';

/** The read of nearly every request, for engines that have a faster way. */
export interface ImageReads {
  /** The rows with these ids, in no order. */
  findAllById(ids: readonly number[]): Promise<readonly ImageColumns[]>;
}
