import type { ImageRecord } from '../image-record.ts';
import { pngDataUrl } from './png-data-url.ts';

/** Pixels. */
const SIDE = 32;

/**
 * A blurred preview of the picture, as the URL of a PNG: https://evanw.github.io/thumbhash/
 *
 * @param side the longer side, in pixels; 16 hold all of the detail if the browser smooths them
 */
export function thumbhashDataUrl({ thumbhash }: Pick<ImageRecord, 'thumbhash'>, side: number = SIDE): string {
  const { columns, rows, channels } = decode(bytesOf(thumbhash));
  const ratio = columns / rows;
  const width = Math.round(ratio > 1 ? side : side * ratio);
  const height = Math.round(ratio > 1 ? side / ratio : side);
  const [lightness, yellowBlue, redGreen, alpha] = channels.map((channel) => planeOf(channel, width, height));
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    const rgb = rgbOf(lightness?.[index] ?? 0, yellowBlue?.[index] ?? 0, redGreen?.[index] ?? 0);
    pixels.set([...rgb, byteOf(alpha?.[index] ?? 1)], index * 4);
  }
  return pngDataUrl(width, height, pixels);
}

/** The mean colour of the picture, in CSS. It costs a browser far less than the preview. */
export function thumbhashColor({ thumbhash }: Pick<ImageRecord, 'thumbhash'>): string {
  const [lightness, yellowBlue, redGreen] = decode(bytesOf(thumbhash)).channels;
  return `rgb(${rgbOf(lightness.average, yellowBlue.average, redGreen.average).join(' ')})`;
}

function bytesOf(thumbhash: string): Uint8Array {
  return Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0));
}

function rgbOf(lightness: number, yellowBlue: number, redGreen: number): readonly [number, number, number] {
  const blue = lightness - (2 / 3) * yellowBlue;
  const red = (3 * lightness - blue + redGreen) / 2;
  return [byteOf(red), byteOf(red - redGreen), byteOf(blue)];
}

/** Truncated, as in the reference implementation. */
function byteOf(value: number): number {
  return Math.trunc(255 * Math.min(1, value));
}

/** A sum of cosines: the lower half of the frequencies of a DCT, row by row. */
interface Channel {
  readonly average: number;
  /** Column, row and weight of each frequency. */
  readonly waves: ReadonlyArray<readonly [number, number, number]>;
}

interface Decoded {
  /** Their ratio is about that of the sides. */
  readonly columns: number;
  readonly rows: number;
  /** Lightness, yellow to blue, red to green, and alpha. */
  readonly channels: readonly [Channel, Channel, Channel, Channel];
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
    : { average: 1, waves: [] };
  return { columns, rows, channels: [lightness, yellowBlue, redGreen, alpha] };
}

function channel(average: number, columns: number, rows: number, nextWeight: () => number): Channel {
  const waves: Array<readonly [number, number, number]> = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = row === 0 ? 1 : 0; column * rows < columns * (rows - row); column += 1) {
      waves.push([column, row, 2 * nextWeight()]);
    }
  }
  return { average, waves };
}

/** The values of a channel at each pixel, row by row. A wave is a product, so that few cosines are computed. */
function planeOf({ average, waves }: Channel, width: number, height: number): Float64Array {
  const plane = new Float64Array(width * height).fill(average);
  const [horizontal, vertical] = [cosines(width), cosines(height)];
  for (const [column, row, weight] of waves) {
    const [across, down] = [horizontal(column), vertical(row)];
    for (let y = 0, index = 0; y < height; y += 1) {
      const scale = weight * (down[y] ?? 0);
      for (let x = 0; x < width; x += 1, index += 1) {
        plane[index] = (plane[index] ?? 0) + scale * (across[x] ?? 0);
      }
    }
  }
  return plane;
}

/** The cosines of a frequency at the centre of each pixel of a side. */
function cosines(side: number): (frequency: number) => Float64Array {
  const known = new Map<number, Float64Array>();
  return (frequency) => {
    const computed =
      known.get(frequency) ??
      Float64Array.from({ length: side }, (_, at) => Math.cos((Math.PI * (at + 0.5) * frequency) / side));
    known.set(frequency, computed);
    return computed;
  };
}
