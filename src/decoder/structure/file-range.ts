/** Bytes of the file. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}
