/** How the service is to be started. */
export interface ServiceFile {
  readonly name: string;
  readonly text: string;
  /** How to use the file. */
  readonly next: readonly string[];
}
