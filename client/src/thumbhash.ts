import type { ImageRecord } from './image-record.ts';
import { pngDataUrl } from './png-data-url.ts';

/** The longer side, in pixels. */
const SIDE = 32;

/** A blurred preview of the picture, as the URL of a PNG: https://evanw.github.io/thumbhash/ */
export function thumbhashDataUrl({ thumbhash }: Pick<ImageRecord, 'thumbhash'>): string {
  const hash = Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0));
  const { columns, rows, colourAt } = decode(hash);
  const ratio = columns / rows;
  const width = Math.round(ratio > 1 ? SIDE : SIDE * ratio);
  const height = Math.round(ratio > 1 ? SIDE / ratio : SIDE);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    const x = ((index % width) + 0.5) / width;
    const y = (Math.floor(index / width) + 0.5) / height;
    // Truncated, as in the reference implementation.
    pixels.set(
      colourAt(x, y).map((value) => Math.trunc(255 * Math.min(1, value))),
      index * 4,
    );
  }
  return pngDataUrl(width, height, pixels);
}

/** A value at a place of the picture, both coordinates between 0 and 1. */
type Channel = (x: number, y: number) => number;

interface Decoded {
  /** Their ratio is about that of the sides. */
  readonly columns: number;
  readonly rows: number;
  readonly colourAt: (x: number, y: number) => readonly [number, number, number, number];
}

function decode(hash: Uint8Array): Decoded {
  const byte = (index: number): number => hash[index] ?? 0;
  const colours = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const shape = byte(3) | (byte(4) << 8);
  const hasAlpha = colours >> 23 === 1;
  const [shorter, longer] = [shape & 7, hasAlpha ? 5 : 7];
  const [columns, rows] = shape >> 15 === 1 ? [longer, shorter] : [shorter, longer];
  let nibble = hasAlpha ? 12 : 10;
  const factor = (): number => ((byte(nibble >> 1) >> ((nibble++ & 1) * 4)) & 15) / 7.5 - 1;
  const lightness = channel(
    (colours & 63) / 63,
    Math.max(3, columns),
    Math.max(3, rows),
    () => (((colours >> 18) & 31) / 31) * factor(),
  );
  const yellowBlue = channel(
    ((colours >> 6) & 63) / 31.5 - 1,
    3,
    3,
    () => (((shape >> 3) & 63) / 63) * 1.25 * factor(),
  );
  const redGreen = channel(
    ((colours >> 12) & 63) / 31.5 - 1,
    3,
    3,
    () => (((shape >> 9) & 63) / 63) * 1.25 * factor(),
  );
  const alpha = hasAlpha
    ? channel((byte(5) & 15) / 15, 5, 5, () => ((byte(5) >> 4) / 15) * factor())
    : (): number => 1;
  return {
    columns,
    rows,
    colourAt: (x, y) => {
      const [l, p, q] = [lightness(x, y), yellowBlue(x, y), redGreen(x, y)];
      const blue = l - (2 / 3) * p;
      const red = (3 * l - blue + q) / 2;
      return [red, red - q, blue, alpha(x, y)];
    },
  };
}

/** A sum of cosines: the lower half of the frequencies of a DCT, row by row. */
function channel(average: number, columns: number, rows: number, nextWeight: () => number): Channel {
  const waves: Array<readonly [number, number, number]> = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = row === 0 ? 1 : 0; column * rows < columns * (rows - row); column += 1) {
      waves.push([column, row, 2 * nextWeight()]);
    }
  }
  const { cos, PI } = Math;
  return (x, y) =>
    waves.reduce(
      (sum, [column, row, weight]) => sum + weight * cos(PI * x * column) * cos(PI * y * row),
      average,
    );
}
