import { sharp } from '../../../src/decoder/decoder-options.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import {
  type Disposal,
  type GifFrame,
  gif,
  gifFrame,
  graphicControl,
  subBlocks,
} from '../../support/kinds/gif-blocks.ts';
import { repeatableLzw } from '../../support/kinds/lzw.ts';
import { noisyVp8l, type Vp8lTransforms } from '../../support/kinds/noisy-vp8l.ts';
import {
  ALPHA,
  animatedWebp,
  anmf,
  flatVp8l,
  pictureChunksOf,
  vp8x,
  type WebpBox,
  webp,
} from '../../support/kinds/webp-chunks.ts';
import { anyOf, integer, logUniform, type Random } from '../random-choices.ts';

interface Animation {
  /** Of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Smaller frames are in the middle. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly noise: number;
}

interface CostlyGif extends Animation {
  readonly fill: 'flat' | 'noise';
  readonly isInterlaced: boolean;
  readonly disposal: Disposal;
  readonly isTransparent: boolean;
}

interface CostlyWebp extends Animation {
  readonly fill: 'flat' | 'noise' | 'lossy' | 'lossy+alpha';
  readonly transforms: Vp8lTransforms;
  /** How a frame is drawn: 1 clears it afterwards, 2 does not blend it. */
  readonly flags: number;
}

/** An animation, or a picture of one frame, whose size and cost are known. */
export type CostlyAnimation =
  | { readonly kind: 'gif'; readonly picture: CostlyGif }
  | { readonly kind: 'webp'; readonly picture: CostlyWebp };

export type AnimationFormat = CostlyAnimation['kind'];

// Limits of an upload, and values just above them.
const NOTABLE_FRAMES = [1, 1, 2, 1_999, 2_000, 2_001];
const MAX_FRAMES = 5_000;
const MIN_PIXELS = 1_000;
const MAX_PIXELS = 300_000_000;
const NOTABLE_PIXELS = [64_900_000, 65_200_000, 249_900_000, 250_200_000];
const MAX_SIDES = { gif: 65_535, webp: 16_383 } as const;
/** The files are sent to the service: noise has about a byte for each pixel. */
const MAX_NOISY_PIXELS = 55_000_000;
/** Lossy noise is encoded by the test itself. */
const MAX_LOSSY_PIXELS = 4_000_000;
const NOISE_BYTES = 50_003;

export function costlyAnimation(kind: AnimationFormat, random: Random): CostlyAnimation {
  const animation = anyAnimation(random, MAX_SIDES[kind]);
  const { frames, frame } = animation;
  const mayBeNoise = frames * frame.width * frame.height <= MAX_NOISY_PIXELS;
  const noisy = mayBeNoise ? (['flat', 'noise', 'noise'] as const) : (['flat'] as const);
  if (kind === 'gif') {
    const disposal = integer(random, 4) as Disposal;
    const isInterlaced = random() < 0.3;
    return {
      kind,
      picture: {
        ...animation,
        fill: anyOf(noisy, random),
        isInterlaced,
        disposal,
        isTransparent: random() < 0.5,
      },
    };
  }
  const mayBeLossy = mayBeNoise && frame.width * frame.height <= MAX_LOSSY_PIXELS;
  const fill = anyOf([...noisy, ...(mayBeLossy ? (['lossy', 'lossy+alpha'] as const) : [])], random);
  return {
    kind,
    picture: { ...animation, fill, transforms: anyTransforms(random), flags: integer(random, 4) },
  };
}

export async function bytesOfAnimation(made: CostlyAnimation): Promise<Buffer> {
  return made.kind === 'gif' ? gifBytes(made.picture) : await webpBytes(made.picture);
}

function anyAnimation(random: Random, maxSide: number): Animation {
  const frames =
    random() < 0.5 ? anyOf(NOTABLE_FRAMES, random) : Math.round(logUniform(random, 1, MAX_FRAMES));
  const all = random() < 0.3 ? anyOf(NOTABLE_PIXELS, random) : logUniform(random, MIN_PIXELS, MAX_PIXELS);
  const pixels = Math.max(1, all / frames);
  const width = Math.min(maxSide, Math.ceil(Math.sqrt(pixels) * logUniform(random, 0.2, 5)));
  const height = Math.min(maxSide, Math.max(1, Math.floor(pixels / width)));
  const isWhole = frames === 1 || random() < 0.6;
  const part = (side: number): number => (isWhole ? side : 1 + integer(random, side));
  const frame = { width: part(width), height: part(height) };
  return { width, height, frames, frame, noise: integer(random, 1_000) };
}

function anyTransforms(random: Random): Vp8lTransforms {
  return {
    ...(random() < 0.5 && { predictor: integer(random, 14) }),
    isCrossColour: random() < 0.5,
    isGreenSubtracted: random() < 0.5,
  };
}

function gifBytes({ width, height, frames, frame, noise, ...picture }: CostlyGif): Buffer {
  const { fill, isInterlaced, disposal, isTransparent } = picture;
  const made: GifFrame = { ...frame, ...middle({ width, height }, frame, 1), isInterlaced, codeSize: 8 };
  const pixels = frame.width * frame.height;
  const data = fill === 'flat' ? {} : { data: noisyData(pixels, noise) };
  const block = Buffer.concat([
    graphicControl(disposal, isTransparent ? 3 : undefined),
    gifFrame({ ...made, ...data }),
  ]);
  return gif({ width, height, colours: 256 }, Array<Buffer>(frames).fill(block));
}

/** Noise that repeats itself. */
function noisyData(pixels: number, seed: number): Buffer {
  const noise = noiseBytes(seed);
  const part = repeatableLzw(noise, 8);
  const rest = repeatableLzw(noise.subarray(0, pixels % NOISE_BYTES), 8);
  return subBlocks(Buffer.concat([Buffer.alloc(Math.floor(pixels / NOISE_BYTES) * part.length, part), rest]));
}

async function webpBytes({ width, height, frames, frame, flags, ...picture }: CostlyWebp): Promise<Buffer> {
  const chunks = await chunksOfFrame(frame, picture);
  if (frames === 1) return webp(picture.fill === 'lossy+alpha' ? [vp8x(frame, ALPHA), ...chunks] : chunks);
  const made = anmf({ ...frame, ...middle({ width, height }, frame, 2) }, chunks, flags);
  return animatedWebp({ width, height }, Array<Buffer>(frames).fill(made));
}

async function chunksOfFrame(
  frame: WebpBox,
  { fill, noise, transforms }: Pick<CostlyWebp, 'fill' | 'noise' | 'transforms'>,
): Promise<readonly Buffer[]> {
  if (fill === 'flat') return [flatVp8l(frame)];
  if (fill === 'noise') return [noisyVp8l(frame, noiseBytes(noise), transforms)];
  const { width, height } = frame;
  const channels = fill === 'lossy' ? 3 : 4;
  const pixels = Buffer.alloc(width * height * channels, noiseBytes(noise));
  const image = sharp(pixels, { raw: { width, height, channels } });
  return pictureChunksOf(await image.webp({ quality: 80, effort: 0 }).toBuffer());
}

function noiseBytes(seed: number): Buffer {
  const random = randomNumbers(seed);
  return Buffer.from(Array.from({ length: NOISE_BYTES }, () => Math.floor(random() * 256)));
}

/** @param step WebP has even places only */
function middle(
  canvas: WebpBox,
  frame: WebpBox,
  step: number,
): { readonly left: number; readonly top: number } {
  const place = (room: number): number => step * Math.floor(room / 2 / step);
  return { left: place(canvas.width - frame.width), top: place(canvas.height - frame.height) };
}
