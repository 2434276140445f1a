import sharp from 'sharp';
import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';

export interface PhotoShape {
  readonly width: number;
  readonly height: number;
  /** Size of the JPEG, met within a few per cent. */
  readonly bytes: number;
}

/** A JPEG with EXIF, and a serial number in a comment that distinguishes copies. */
export interface Photo {
  readonly bytes: Buffer;
  readonly shape: PhotoShape;
  /** Offset of the serial number in `bytes`. */
  readonly serialAt: number;
}

/** A web picture, a phone's photo and a camera's photo. */
export const PHOTO_SHAPES = {
  '100KB': { width: 1024, height: 683, bytes: 100_000 },
  '3MB': { width: 4000, height: 3000, bytes: 3_000_000 },
  '8MB': { width: 6000, height: 4000, bytes: 8_000_000 },
} as const satisfies Record<string, PhotoShape>;

export type PhotoName = keyof typeof PHOTO_SHAPES;

const SERIAL_DIGITS = 20;
const QUALITY = 85;
/** Side of the square that is encoded to find the strength of the grain. */
const SAMPLE_SIDE = 640;
const GRAIN_TABLE = 65_536;

/** A photo-like JPEG: soft shapes on three scales, with grain until the size is met. The same seed makes the same photo. */
export async function makePhoto(shape: PhotoShape, seed = 1): Promise<Photo> {
  const random = randomNumbers(seed);
  const scene = await paintScene(shape, random);
  const grain = Float32Array.from({ length: GRAIN_TABLE }, () => random() + random() + random() - 1.5);
  const strength = await findStrength(scene, shape, grain);
  const jpeg = await encode(addGrain(scene, grain, strength), shape.width, shape.height);
  return withSerial(jpeg, shape);
}

/** Writes a serial number into a photo, in place. The SHA-256 changes, the pixels do not. */
export function stamp(photo: Buffer, serialAt: number, serial: number): void {
  photo.write(String(serial).padStart(SERIAL_DIGITS, '0'), serialAt, 'latin1');
}

async function paintScene({ width, height }: PhotoShape, random: () => number): Promise<Buffer> {
  const coarse = await cloud(5, width, height, random);
  const middle = await cloud(23, width, height, random);
  const fine = await cloud(131, width, height, random);
  for (let at = 0; at < coarse.length; at += 1) {
    coarse[at] = (coarse[at] ?? 0) * 0.6 + (middle[at] ?? 0) * 0.25 + (fine[at] ?? 0) * 0.15;
  }
  return coarse;
}

/** Random colours in a row of `cells`, scaled up to the whole picture. */
async function cloud(cells: number, width: number, height: number, random: () => number): Promise<Buffer> {
  const rows = Math.max(2, Math.round((cells * height) / width));
  const colours = Buffer.from(Array.from({ length: cells * rows * 3 }, () => Math.floor(random() * 256)));
  return await sharp(colours, { raw: { width: cells, height: rows, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

/** Bisects on a sample, because the size of a JPEG grows with the grain. */
async function findStrength(scene: Buffer, shape: PhotoShape, grain: Float32Array): Promise<number> {
  const side = Math.min(SAMPLE_SIDE, shape.width, shape.height);
  const sample = await middleOf(scene, shape, side);
  const wanted = (shape.bytes * side * side) / (shape.width * shape.height);
  let low = 0;
  let high = 64;
  for (let step = 0; step < 10; step += 1) {
    const middle = (low + high) / 2;
    const { length } = await encode(addGrain(sample, grain, middle), side, side);
    if (length < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

async function middleOf(scene: Buffer, { width, height }: PhotoShape, side: number): Promise<Buffer> {
  const left = Math.floor((width - side) / 2);
  const top = Math.floor((height - side) / 2);
  return await sharp(scene, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: side, height: side })
    .raw()
    .toBuffer();
}

/** Adds the same grain to all three channels, like a sensor's after demosaicing. */
function addGrain(scene: Buffer, grain: Float32Array, strength: number): Uint8ClampedArray {
  const grainy = new Uint8ClampedArray(scene);
  let place = 1;
  for (let at = 0; at + 2 < grainy.length; at += 3) {
    place = (Math.imul(place, 1_664_525) + 1_013_904_223) >>> 0;
    const change = (grain[place >>> 16] as number) * strength;
    grainy[at] = (grainy[at] as number) + change;
    grainy[at + 1] = (grainy[at + 1] as number) + change;
    grainy[at + 2] = (grainy[at + 2] as number) + change;
  }
  return grainy;
}

async function encode(raw: Uint8ClampedArray, width: number, height: number): Promise<Buffer> {
  return await sharp(raw, { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Make: 'Bench', Model: 'Seeded', Software: 'make-photos' },
      IFD2: { DateTimeOriginal: '2026:01:31 12:00:00', ISOSpeedRatings: '200' },
    })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Inserts the comment behind the leading application segments, where decoders skip it. */
function withSerial(jpeg: Buffer, shape: PhotoShape): Photo {
  const at = endOfApplicationSegments(jpeg);
  const comment = Buffer.alloc(4 + SERIAL_DIGITS, '0', 'latin1');
  comment.writeUInt16BE(0xff_fe, 0);
  comment.writeUInt16BE(2 + SERIAL_DIGITS, 2);
  return {
    bytes: Buffer.concat([jpeg.subarray(0, at), comment, jpeg.subarray(at)]),
    shape,
    serialAt: at + 4,
  };
}

function endOfApplicationSegments(jpeg: Buffer): number {
  let at = 2;
  while (jpeg[at] === 0xff && ((jpeg[at + 1] ?? 0) & 0xf0) === 0xe0) at += 2 + jpeg.readUInt16BE(at + 2);
  return at;
}
