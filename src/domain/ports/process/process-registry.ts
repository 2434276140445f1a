/** Tells work that is under way from files of a killed process. */
export interface ProcessRegistry {
  /** Unique; letters, digits and dashes. */
  readonly self: string;

  /** `false` if the process cannot be seen, since it may be on another machine. */
  isGone(name: string): boolean;

  /** `false` if it is not known: another process may have got the id of one that has ended. */
  isRunning(name: string): boolean;
}
