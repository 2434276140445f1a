/** Tells work that is under way from files of a killed process. */
export interface ProcessRegistry {
  /** The unique name of this process; letters, digits and dashes. */
  readonly self: string;

  /** Whether the named process has certainly ended. `false` if it cannot be seen, since it may be on another machine. */
  isGone(name: string): boolean;
}
