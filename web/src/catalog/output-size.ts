/** Pixels of a rendition. */
export function outputSize(renditionWidth: number, width: number, height: number): readonly [number, number] {
  const across = Math.min(renditionWidth, width);
  return [across, Math.max(1, Math.round((across * height) / width))];
}
