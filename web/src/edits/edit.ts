/** A change of many pictures. What is `undefined` stays as it is, `null` clears. */
export interface Edit {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly alt?: string | null;
  /** Added after the removals. */
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  /** By which capture times are moved. */
  readonly shiftMinutes?: number;
}
