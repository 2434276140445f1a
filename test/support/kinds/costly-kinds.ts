import { readFileSync } from 'node:fs';
import { randomNumbers } from '../fixtures/random-numbers.ts';
import { type Disposal, type GifScreen, gif, gifFrame, graphicControl, subBlocks } from './gif-blocks.ts';
import { repeatableLzw } from './lzw.ts';
import { noisyVp8l, vp8lOfManyCodes } from './noisy-vp8l.ts';
import {
  animatedWebp,
  anmf,
  flatAnimation,
  flatVp8l,
  pictureChunksOf,
  type WebpBox,
  webp,
} from './webp-chunks.ts';

export interface CostlyKind {
  readonly file: string;
  /** What its upload must get. */
  readonly expected: 'accepted' | 'refused' | 'accepted or refused';
  /** Of the canvas. */
  readonly pixels: number;
  readonly read: () => Buffer;
}

const MAX_FRAMES = 2_000;
/** 2,000 frames of it have almost 50 megapixels. */
const SMALL: WebpBox = { width: 158, height: 158 };
const SMALL_PIXELS = SMALL.width * SMALL.height;
const LARGE: WebpBox = { width: 7_071, height: 7_071 };
const LARGE_PIXELS = LARGE.width * LARGE.height;
/** Of `transparent.webp`; together almost 50 megapixels. */
const LOSSY: WebpBox = { width: 200, height: 150 };
const LOSSY_FRAMES = 1_666;
const ONE: WebpBox = { width: 1, height: 1 };
/** A frame of almost `LARGE`, whose pixels a decoder puts on the canvas. */
const PLACED: WebpBox = { left: 2, top: 2, width: LARGE.width - 2, height: LARGE.height - 2 };

/** Small files of WebP and GIF that are expensive to decode. */
export const COSTLY_KINDS: readonly CostlyKind[] = [
  accepted('GIF, 2,000 frames, which restore what was below them', SMALL_PIXELS, () =>
    noisyGif(SMALL, MAX_FRAMES, 3),
  ),
  accepted('GIF, 36 megapixels of interlaced noise', 36_000_000, () =>
    noisyGif({ width: 6_000, height: 6_000 }, 1, 0),
  ),
  accepted('WebP, 2,000 frames of lossless noise', SMALL_PIXELS, () =>
    animatedWebp(SMALL, frames(SMALL, [noisyVp8l(SMALL, noise(), { predictor: 11, isCrossColour: true })])),
  ),
  accepted('WebP, 1,666 lossy frames with alpha', LOSSY.width * LOSSY.height, () =>
    animatedWebp(LOSSY, frames(LOSSY, lossyChunks(), LOSSY_FRAMES)),
  ),
  accepted('WebP, 50 megapixels of lossless noise', LARGE_PIXELS, () =>
    webp([noisyVp8l(LARGE, noise(), { predictor: 13, isCrossColour: true, isGreenSubtracted: true })]),
  ),
  accepted('GIF, a pixel on 50 megapixels', LARGE_PIXELS, () => gif(LARGE, [gifFrame(ONE)])),
  accepted('WebP, a pixel on 50 megapixels', LARGE_PIXELS, () =>
    animatedWebp(LARGE, [anmf(ONE, [flatVp8l(ONE)])]),
  ),
  accepted('GIF, a placed frame of 50 megapixels, which restores what was below it', LARGE_PIXELS, () =>
    gif(LARGE, [graphicControl(3, 1), gifFrame(PLACED)]),
  ),
  accepted('WebP, a placed frame of 50 megapixels', LARGE_PIXELS, () =>
    animatedWebp(LARGE, [anmf(PLACED, [flatVp8l(PLACED)])]),
  ),
  either('WebP, 65,536 groups of prefix codes in a megapixel', 1_024 * 1_024, () =>
    webp([vp8lOfManyCodes({ width: 1_024, height: 1_024 })]),
  ),
  refused('GIF, 500,000 frames of a pixel', () => gifOf(ONE, 500_000)),
  refused('WebP, 200,000 frames of a pixel', () => flatAnimation(ONE, 200_000)),
  refused('GIF, a pixel on 4,295 megapixels', () => gif({ width: 65_535, height: 65_535 }, [gifFrame(ONE)])),
  refused('GIF, 36 megapixels on a canvas of 100 pixels', () =>
    gif({ width: 10, height: 10 }, [gifFrame({ width: 6_000, height: 6_000 })]),
  ),
];

function accepted(file: string, pixels: number, read: () => Buffer): CostlyKind {
  return { file, expected: 'accepted', pixels, read };
}

function either(file: string, pixels: number, read: () => Buffer): CostlyKind {
  return { file, expected: 'accepted or refused', pixels, read };
}

function refused(file: string, read: () => Buffer): CostlyKind {
  return { file, expected: 'refused', pixels: 0, read };
}

function frames(box: WebpBox, chunks: readonly Buffer[], count = MAX_FRAMES): readonly Buffer[] {
  return Array<Buffer>(count).fill(anmf(box, chunks));
}

function lossyChunks(): readonly Buffer[] {
  return pictureChunksOf(readFileSync(new URL('../../corpus/pillow/webp/transparent.webp', import.meta.url)));
}

function gifOf(box: GifScreen, count: number): Buffer {
  return gif(box, Array<Buffer>(count).fill(gifFrame(box)));
}

/** Every second frame is flat, so that the file is not larger than an upload may be. */
function noisyGif(box: GifScreen, count: number, disposal: Disposal): Buffer {
  const part = repeatableLzw(noise(), 8);
  const pixels = box.width * box.height;
  const data = subBlocks(Buffer.alloc(Math.ceil(pixels / NOISE_BYTES) * part.length, part));
  const made = { ...box, colours: 0, codeSize: 8, isInterlaced: true };
  const blocks = [gifFrame({ ...made, data }), gifFrame(made)].map((frame) =>
    Buffer.concat([graphicControl(disposal, 1), frame]),
  );
  return gif(
    { ...box, colours: 256 },
    Array.from({ length: count }, (_, index) => blocks[index % 2] ?? Buffer.of()),
  );
}

const NOISE_BYTES = 24_964;

function noise(): Buffer {
  const random = randomNumbers(1);
  return Buffer.from(Array.from({ length: NOISE_BYTES }, () => Math.floor(random() * 256)));
}
