import type { ChangePosition } from '../records/change-feed.ts';

/** Makes texts of positions in the feed of changes, which show nothing of it. */
export interface CursorSeal {
  /** In the order of the positions; 22 characters of base64url each. */
  seal(catalog: string, positions: readonly ChangePosition[]): readonly string[];

  /** `undefined` if the text is none of this catalog. */
  open(catalog: string, cursor: string): ChangePosition | undefined;
}
