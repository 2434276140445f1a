import type { CleanPart } from '../../image/clean-parts.ts';

/** How the bytes of a clean original are read. */
export type CleanForm =
  /** The original is read and joined with a few other bytes. */
  | { readonly kind: 'parts'; readonly size: number; readonly parts: readonly CleanPart[] }
  /** The cache holds all bytes. */
  | { readonly kind: 'file'; readonly size: number };

/** Forms that were used a moment ago, in bounded memory. */
export interface RecentCleanForms {
  get(path: string): CleanForm | undefined;

  set(path: string, form: CleanForm): void;
}
