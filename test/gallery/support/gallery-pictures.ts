import { readFile } from 'node:fs/promises';
import { type ExifValues, exifBlock, withExif } from '../../support/fixtures/exif.ts';
import { pictureOf, type Scene, scene } from '../../support/fixtures/scenes.ts';

/** A file as the browser's file chooser takes it. */
export interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const DATE_TIME_ORIGINAL = 0x9003;
const MAKE = 0x010f;
const MODEL = 0x0110;
const SHAPES = [
  { width: 480, height: 360 },
  { width: 320, height: 480 },
  { width: 480, height: 270 },
  { width: 400, height: 400 },
  { width: 480, height: 160 },
];
const SCENES = 6;

/**
 * Pictures of many shapes, taken one a day backwards from 20 November 2025. All their bytes differ.
 *
 * @param first how many there are already
 * @param daysBetween how many days each is older than the one before
 */
export async function makePictures(
  count: number,
  first = 0,
  daysBetween = 1,
): Promise<readonly PickedFile[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const index = first + at;
      const jpeg = await pixelsOf(index % (SCENES * SHAPES.length));
      const taken = new Date(Date.UTC(2025, 10, 20, 12) - index * daysBetween * 24 * 3600 * 1000);
      return photo(`cat-${String(index + 1).padStart(3, '0')}.jpg`, jpeg, taken);
    }),
  );
}

const pixels = new Map<number, Promise<Buffer>>();

/** Made once: pixels cost the most. */
function pixelsOf(index: number): Promise<Buffer> {
  const made = pixels.get(index) ?? jpegOf(index);
  pixels.set(index, made);
  return made;
}

async function jpegOf(index: number): Promise<Buffer> {
  const { width, height } = SHAPES[index % SHAPES.length] as (typeof SHAPES)[number];
  const picture = pictureOf(await sceneOf(index % SCENES));
  return await picture.resize(width, height, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer();
}

const scenes = new Map<number, Promise<Scene>>();

function sceneOf(seed: number): Promise<Scene> {
  const made = scenes.get(seed) ?? scene(seed + 1);
  scenes.set(seed, made);
  return made;
}

/** Starts as a JPEG and ends in the middle. */
export async function truncatedPicture(): Promise<PickedFile> {
  const jpeg = await pictureOf(await scene(99))
    .jpeg()
    .toBuffer();
  return picked('truncated.jpg', jpeg.subarray(0, jpeg.length >> 1));
}

/** No picture, whatever its name says. */
export function textFile(): PickedFile {
  return picked('notes.jpg', Buffer.from('These are notes and no picture.\n'.repeat(10)));
}

export async function chelsea(): Promise<PickedFile> {
  const buffer = await readFile(new URL('../../../demo/cat-chelsea.png', import.meta.url));
  return { name: 'cat-chelsea.png', mimeType: 'image/png', buffer };
}

function picked(name: string, buffer: Buffer): PickedFile {
  return { name, mimeType: 'image/jpeg', buffer };
}

/** A JPEG with the time and the camera that a photo has, and with the place if one is given. */
export function photo(name: string, jpeg: Uint8Array, taken: Date, gps: ExifValues['gps'] = {}): PickedFile {
  const text = taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
  const exif = exifBlock({
    image: { [MAKE]: 'Example', [MODEL]: 'Camera 1' },
    photo: { [DATE_TIME_ORIGINAL]: text },
    gps,
  });
  return picked(name, withExif(jpeg, exif));
}
