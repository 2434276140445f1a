export interface Box {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}
