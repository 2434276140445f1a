/** Tells work that is under way from what a killed process has left behind. */
export interface ProcessRegistry {
  /** Names this process among all that ever ran here; letters, digits and dashes. */
  readonly self: string;

  /** Whether the named process certainly runs no more. `false` for one that cannot be seen from here, such as one on another machine. */
  isGone(name: string): boolean;
}
