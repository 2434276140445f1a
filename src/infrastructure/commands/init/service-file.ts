/** How the service is to be started. */
export interface ServiceFile {
  readonly name: string;
  readonly text: string;
  /** Other files of the same folder that it names. */
  readonly needs?: ReadonlyArray<{ readonly name: string; readonly text: string }>;
  /** How to use the file. */
  readonly next: readonly string[];
}
