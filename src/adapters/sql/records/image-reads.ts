import type { CatalogColumns } from './image-row.ts';

/** For engines that have a faster way. */
export interface ImageReads {
  /** In no order. */
  findAllById(ids: readonly number[]): Promise<readonly CatalogColumns[]>;
}
