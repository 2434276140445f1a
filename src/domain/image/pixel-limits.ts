/** How many pixels the picture of an upload may have. */
export interface PixelLimits {
  /** Width × height of a still picture, or of the canvas of an animation. */
  readonly maxPixels: number;
  /** Width × height × frames of an animation. */
  readonly maxFramePixels: number;
}
