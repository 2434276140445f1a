/** Of a page of copies. */
export const COPIES_LIMITS = {
  groups: 100,
  usualGroups: 50,
  /** Images of a group. */
  copies: 100,
} as const;
