import { colourProfile, harmlessTags } from '../fixtures/colour-profiles.ts';
import { exifOrientation } from '../fixtures/raw-pictures.ts';
import { MAX_UPLOAD_BYTES, type PictureCase } from './picture-case.ts';
import {
  ALPHA,
  ANIMATION,
  anim,
  animatedWebp,
  anmf,
  chunksOf,
  EXIF,
  flatAnimation,
  flatVp8l,
  PROFILE,
  pictureChunks,
  vp8lHead,
  vp8x,
  type WebpBox,
  webp,
  webpChunk,
  webpPicture,
  XMP,
} from './webp-chunks.ts';

const BOX: WebpBox = { width: 16, height: 12 };
const FLAT = flatVp8l(BOX);

/** The most frames of an animation, and the sides of a canvas whose pixels times those are just below the limit of an upload. */
const MAX_FRAMES = 2_000;
const SIDE_OF_MANY = 353;
/** Just below 65 megapixels. */
const LARGEST_SIDE = 8_062;
/** Of a picture; a canvas may be larger. */
const MAX_SIDE = 16_383;

const PACKET = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');

/** WebP files that encoders seldom make: all of them are valid. */
export const VALID_WEBPS: readonly PictureCase[] = [
  valid('lossy', () => webpPicture(BOX, 'lossy')),
  valid('lossless', () => webpPicture(BOX, 'lossless')),
  valid('lossy with alpha', () => webpPicture(BOX, 'lossy+alpha')),
  valid('one pixel', () => webp([flatVp8l({ width: 1, height: 1 })]), { width: 1, height: 1 }),
  valid('a canvas and nothing more', () => webp([vp8x(BOX), FLAT])),
  valid('profile, EXIF and XMP', () =>
    webp([
      vp8x(BOX, PROFILE | EXIF | XMP),
      webpChunk('ICCP', colourProfile(harmlessTags())),
      FLAT,
      webpChunk('EXIF', exifOrientation(1)),
      webpChunk('XMP ', PACKET),
    ]),
  ),
  valid('profile, EXIF and XMP in another order', () =>
    webp([
      vp8x(BOX, PROFILE | EXIF | XMP),
      webpChunk('XMP ', PACKET),
      webpChunk('EXIF', exifOrientation(1)),
      FLAT,
      webpChunk('ICCP', colourProfile(harmlessTags())),
    ]),
  ),
  valid('flags for chunks that it does not have', () =>
    webp([vp8x(BOX, PROFILE | EXIF | XMP | ALPHA), FLAT]),
  ),
  valid('chunks for which it has no flags', () => webp([vp8x(BOX), webpChunk('XMP ', PACKET), FLAT])),
  ...[3, 6, 8].map((orientation) =>
    valid(
      `orientation ${orientation}`,
      () => webp([vp8x(BOX, EXIF), FLAT, webpChunk('EXIF', exifOrientation(orientation))]),
      orientation < 5 ? {} : { width: 12, height: 16 },
    ),
  ),
  valid(
    'an orientation behind the signature that EXIF has in a JPEG',
    () => {
      const exif = Buffer.concat([Buffer.from('Exif\0\0'), exifOrientation(6)]);
      return webp([vp8x(BOX, EXIF), FLAT, webpChunk('EXIF', exif)]);
    },
    { width: 12, height: 16 },
  ),
  valid('chunks of no known kind, and of odd lengths', () =>
    webp([vp8x(BOX), webpChunk('abcd', Buffer.of(1)), FLAT, webpChunk('\0\xff\n ', Buffer.alloc(701, 3))]),
  ),
  valid('chunks behind a picture without a canvas', () => webp([FLAT, webpChunk('XMP ', PACKET)])),
  valid('a page behind the end', () =>
    Buffer.concat([webp([FLAT]), Buffer.from('<script>alert(1)</script>')]),
  ),
  valid('another picture behind the end', () =>
    Buffer.concat([webp([FLAT]), webp([vp8x({ width: 60_000, height: 60_000 })])]),
  ),
  valid('an animation of one frame', () => flatAnimation(BOX, 1)),
  valid(
    'an animation of lossy and lossless frames',
    async () =>
      animatedWebp(BOX, [
        anmf(BOX, await pictureChunks(BOX, 'lossy')),
        anmf(BOX, await pictureChunks(BOX, 'lossy+alpha'), 2),
        anmf(BOX, [FLAT], 1),
      ]),
    { frames: 3 },
  ),
  valid(
    'a first frame smaller than the canvas',
    () =>
      animatedWebp(BOX, [
        anmf({ left: 6, top: 4, width: 5, height: 3 }, [flatVp8l({ width: 5, height: 3 })]),
        anmf(BOX, [FLAT]),
      ]),
    { frames: 2 },
  ),
  valid('an unknown chunk in a frame', () =>
    animatedWebp(BOX, [anmf(BOX, [FLAT, webpChunk('abcd', Buffer.of(1, 2, 3))])]),
  ),
  valid(
    'an animation with EXIF on its side',
    () =>
      webp([
        vp8x(BOX, ANIMATION | EXIF),
        anim(),
        anmf(BOX, [FLAT]),
        anmf(BOX, [FLAT]),
        webpChunk('EXIF', exifOrientation(6)),
      ]),
    { width: 12, height: 16, frames: 2 },
  ),
  valid('a side of 16,383', () => webp([flatVp8l({ width: MAX_SIDE, height: 3_051 })]), {
    width: MAX_SIDE,
    height: 3_051,
  }),
  valid('65 megapixels', () => square(LARGEST_SIDE, 1), { width: LARGEST_SIDE, height: LARGEST_SIDE }),
  valid('2,000 frames of 250 megapixels together', () => square(SIDE_OF_MANY, MAX_FRAMES), {
    width: SIDE_OF_MANY,
    height: SIDE_OF_MANY,
    frames: MAX_FRAMES,
  }),
];

/** Truncated, corrupt or beyond a limit. */
export const REFUSED_WEBPS: readonly PictureCase[] = [
  refused('cut in a lossy picture', async () => (await webpPicture(BOX, 'lossy')).subarray(0, -20)),
  refused('a size of the file that ends in the picture', () => webp([FLAT], 4 + FLAT.length - 4)),
  refused('a size of the file of zero', () => webp([FLAT], 0)),
  refused('a size of the file of 4 GiB', () => webp([FLAT], 0xffff_ffff)),
  refused('a size of the picture of 4 GiB', () => webp([webpChunk('VP8L', FLAT.subarray(8), 0xffff_fffe)])),
  refused('a size of the picture that ends in the next chunk', () =>
    webp([
      vp8x(BOX),
      webpChunk('VP8L', FLAT.subarray(8), FLAT.length + 2),
      webpChunk('EXIF', exifOrientation(1)),
    ]),
  ),
  refused('no picture', () => webp([vp8x(BOX, EXIF), webpChunk('EXIF', exifOrientation(1))])),
  refused('half of the alpha', async () => {
    const [alpha = FLAT, picture = FLAT] = await pictureChunks({ width: 64, height: 48 }, 'lossy+alpha');
    const half = webpChunk('ALPH', alpha.subarray(8, alpha.length / 2));
    return webp([vp8x({ width: 64, height: 48 }, ALPHA), half, picture]);
  }),
  refused('a canvas that is larger than the picture', () => webp([vp8x({ width: 17, height: 12 }), FLAT])),
  refused('a small canvas for a picture of 36 megapixels', () =>
    webp([vp8x({ width: 10, height: 10 }), flatVp8l({ width: 6_000, height: 6_000 })]),
  ),
  refused('an animation without frames', () => animatedWebp(BOX, [])),
  refused('frames before the chunk of the animation', () =>
    webp([vp8x(BOX, ANIMATION), anmf(BOX, [FLAT]), anim()]),
  ),
  refused('frames without the chunk of the animation', () => webp([vp8x(BOX, ANIMATION), anmf(BOX, [FLAT])])),
  refused('a frame to the right of the canvas', () => animatedWebp(BOX, [anmf({ ...BOX, left: 2 }, [FLAT])])),
  refused('a frame below the canvas', () =>
    animatedWebp(BOX, [anmf(BOX, [FLAT]), anmf({ ...BOX, top: 2 }, [FLAT])]),
  ),
  refused('a frame of 36 megapixels on a small canvas', () => flatOn(BOX, { width: 6_000, height: 6_000 })),
  refused('a frame that says other sides than its picture', () =>
    animatedWebp(BOX, [anmf({ width: 8, height: 8 }, [FLAT])]),
  ),
  refused('frames in frames, 300 times', () =>
    animatedWebp(BOX, [Array.from({ length: 300 }).reduce<Buffer>((inner) => anmf(BOX, [inner]), FLAT)]),
  ),
  refused('a frame whose picture is longer than the frame', () =>
    animatedWebp(BOX, [
      anmf(BOX, [webpChunk('VP8L', FLAT.subarray(8), FLAT.length + 100)]),
      anmf(BOX, [FLAT]),
    ]),
  ),
  refused('2,001 frames', () => square(1, MAX_FRAMES + 1)),
  refused('2,000 frames of more than 250 megapixels together', () => square(SIDE_OF_MANY + 1, MAX_FRAMES)),
  refused('a canvas of 16,384 by 16,384 around a small frame', () =>
    flatOn({ width: 16_384, height: 16_384 }, BOX),
  ),
  refused('a lossless picture of another version', () =>
    webp([webpChunk('VP8L', vp8lHead(BOX, 1).finish())]),
  ),
  refused('a lossless picture that ends behind its sides', () =>
    webp([webpChunk('VP8L', vp8lHead(BOX).finish())]),
  ),
  refused('half of a lossless picture, in a chunk of its length', async () =>
    half(await webpPicture({ width: 64, height: 48 }, 'lossless')),
  ),
  refused('half of a lossy picture, in a chunk of its length', async () =>
    half(await webpPicture({ width: 64, height: 48 }, 'lossy')),
  ),
  ...(['lossy', 'lossless', 'lossy+alpha'] as const).flatMap((kind) =>
    [0, 1, 2].map((damaged) =>
      refused(`half of the picture in frame ${damaged + 1} of 3, ${kind}`, async () => {
        const box = { width: 64, height: 48 };
        const chunks = await pictureChunks(box, kind);
        const whole = anmf(box, chunks);
        const damage = anmf(box, [...chunks.slice(0, -1), halfOf(chunks.at(-1) ?? FLAT)]);
        return animatedWebp(
          box,
          [0, 1, 2].map((frame) => (frame === damaged ? damage : whole)),
        );
      }),
    ),
  ),
  refused('a lossy picture that is no key frame', async () =>
    changed(await webpPicture(BOX, 'lossy'), 20, 0x31),
  ),
  refused('a lossy picture without a start code', async () =>
    changed(await webpPicture(BOX, 'lossy'), 23, 0),
  ),
  refused('a sound', () => changed(webp([FLAT]), 8, ...Buffer.from('WAVE')), 415),
  refused('its numbers in the other order', () => changed(webp([FLAT]), 0, ...Buffer.from('RIFX')), 415),
  refused('eleven bytes', () => webp([]).subarray(0, 11), 415),
  refused(
    'more bytes than an upload may have',
    () => Buffer.concat([webp([FLAT]), Buffer.alloc(MAX_UPLOAD_BYTES)]),
    413,
  ),
];

function valid(
  name: string,
  read: PictureCase['read'],
  {
    width = BOX.width,
    height = BOX.height,
    frames = 1,
  }: { width?: number; height?: number; frames?: number } = {},
): PictureCase {
  return { name, mediaType: 'image/webp', expected: { status: 201, width, height, frames }, read };
}

function refused(name: string, read: PictureCase['read'], status: 413 | 415 | 422 = 422): PictureCase {
  return { name, mediaType: 'image/webp', expected: { status }, read };
}

/** Flat: a picture if it is one frame, else an animation. */
function square(side: number, frames: number): Buffer {
  const box = { width: side, height: side };
  return frames === 1 ? webp([flatVp8l(box)]) : flatAnimation(box, frames);
}

function flatOn(canvas: WebpBox, frame: WebpBox): Buffer {
  return animatedWebp(canvas, [anmf(frame, [flatVp8l(frame)])]);
}

function half(file: Buffer): Buffer {
  return webp([halfOf(chunksOf(file)[0] ?? file)]);
}

/** The first half of a picture, in a chunk whose size says so. */
function halfOf(picture: Buffer): Buffer {
  return webpChunk(picture.toString('latin1', 0, 4), picture.subarray(8, 8 + picture.length / 2));
}

function changed(file: Buffer, at: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
}
