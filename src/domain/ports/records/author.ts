/** Who asks for a change. */
export interface Author {
  /** Shown by the feed of changes; `undefined` if no client has asked, or if clients are not recorded. */
  readonly by?: string | undefined;
  /** The subject whose changes are counted and bounded; `undefined`: they are not. */
  readonly subject?: string | undefined;
}

export const NO_AUTHOR: Author = {};
