import sharp from 'sharp';
import { randomNumbers } from '../../test/support/random-numbers.ts';

/** What a photo is to look like from outside. */
export interface PhotoShape {
  readonly width: number;
  readonly height: number;
  /** Bytes of the JPEG, met within a few per cent. */
  readonly bytes: number;
}

/** A JPEG with EXIF and a serial number in a comment, by which copies are told apart. */
export interface Photo {
  readonly bytes: Buffer;
  readonly shape: PhotoShape;
  /** Offset of the serial number in `bytes`. */
  readonly serialAt: number;
}

/** The inputs of the bench: a picture for the web, a telephone's and a camera's. */
export const PHOTO_SHAPES = {
  '100KB': { width: 1024, height: 683, bytes: 100_000 },
  '3MB': { width: 4000, height: 3000, bytes: 3_000_000 },
  '8MB': { width: 6000, height: 4000, bytes: 8_000_000 },
} as const satisfies Record<string, PhotoShape>;

export type PhotoName = keyof typeof PHOTO_SHAPES;

const SERIAL_DIGITS = 20;
const QUALITY = 85;
/** Side of a square that is encoded to learn how many bytes a strength of grain costs. */
const SAMPLE_SIDE = 640;
const GRAIN_TABLE = 65_536;

/** A seeded photo-like JPEG: soft shapes on a few scales, and as much grain as its size asks for. */
export async function makePhoto(shape: PhotoShape, seed = 1): Promise<Photo> {
  const random = randomNumbers(seed);
  const scene = await paintScene(shape, random);
  const grain = Float32Array.from({ length: GRAIN_TABLE }, () => random() + random() + random() - 1.5);
  const strength = await findStrength(scene, shape, grain);
  const jpeg = await encode(addGrain(scene, grain, strength), shape.width, shape.height);
  return withSerial(jpeg, shape);
}

/** Writes a serial number into a photo, in place: another number, another SHA-256, the same picture. */
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

/** Random colours, `cells` across, drawn out to the whole picture. */
async function cloud(cells: number, width: number, height: number, random: () => number): Promise<Buffer> {
  const rows = Math.max(2, Math.round((cells * height) / width));
  const colours = Buffer.from(Array.from({ length: cells * rows * 3 }, () => Math.floor(random() * 256)));
  return await sharp(colours, { raw: { width: cells, height: rows, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

/** Bisects on a sample: the bytes of a JPEG grow with the grain. */
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

/** The same grain on all three channels, as that of a sensor after its demosaicing mostly is. */
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

/** Puts a comment behind the leading application segments, where every reader skips it. */
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
