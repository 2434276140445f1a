import { proveLzwFrames } from '../../../../src/decoder/steps/lzw-frames.ts';
import {
  GIF_TRAILER,
  gif,
  gifComment,
  gifFrame,
  gifLoop,
  graphicControl,
  subBlocks,
} from '../../../support/kinds/gif-blocks.ts';
import { flatLzw, lzw, lzwPixels } from '../../../support/kinds/lzw.ts';
import {
  ALPHA,
  ANIMATION,
  anim,
  animatedWebp,
  anmf,
  EXIF,
  flatVp8l,
  PROFILE as PROFILE_FLAG,
  vp8x,
  webp,
  webpChunk,
  XMP,
} from '../../../support/kinds/webp-chunks.ts';
import { guarantee, type ParserTarget } from './parser-target.ts';
import { PROFILE, readPicture, SOURCES } from './pictures.ts';

const BOX = { width: 5, height: 4 };
const FLAT = flatVp8l(BOX);
/** The head of a key frame of 5 by 4 pixels: RFC 6386, 9.1. */
const LOSSY = webpChunk('VP8 ', Buffer.from('3001009d012a050004000000', 'hex'));
const SMALL = { left: 2, top: 2, width: 1, height: 2 };

export const webpFile: ParserTarget = {
  tokens: [
    ...['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP ', 'abcd'].map((type) =>
      webpChunk(type, Buffer.of(1, 2)),
    ),
    FLAT,
    LOSSY,
    vp8x(BOX, ANIMATION),
    anim(),
    anmf(SMALL, [flatVp8l(SMALL)]),
    webpChunk('ICCP', PROFILE),
    'RIFF',
    'WEBP',
    'A2B0',
    'D2B0',
  ],
  seeds: [
    webp([FLAT]),
    webp([LOSSY]),
    webp([
      vp8x(BOX, PROFILE_FLAG | ALPHA | EXIF | XMP),
      webpChunk('ICCP', PROFILE),
      webpChunk('ALPH', Buffer.of(0, 1, 2)),
      LOSSY,
      webpChunk('EXIF', Buffer.of(1)),
      webpChunk('XMP ', Buffer.from('<a/>')),
    ]),
    animatedWebp(BOX, [anmf(BOX, [FLAT]), anmf(SMALL, [flatVp8l(SMALL)], 3)]),
  ],
  maxBytes: 8 * 1024,
  sources: [...SOURCES, '/webp-structure.ts'],
  run: (input) => readPicture(input, 'image/webp'),
};

const PIXELS = Buffer.from(Array.from({ length: 20 }, (_, index) => (index * 7) % 4));

export const gifFile: ParserTarget = {
  tokens: [
    gifFrame(BOX),
    gifFrame({ ...BOX, pixels: PIXELS, isInterlaced: true, colours: 2 }),
    gifFrame({ ...SMALL, data: subBlocks(flatLzw(2, 8)), codeSize: 8 }),
    graphicControl(2, 1),
    gifLoop(3),
    gifComment(Buffer.from('a')),
    subBlocks(lzw(PIXELS, 2)),
    GIF_TRAILER,
    'GIF87a',
  ],
  seeds: [
    gif(BOX, [gifFrame({ ...BOX, pixels: PIXELS })]),
    gif({ ...BOX, colours: 256 }, [
      gifLoop(0),
      gifComment(Buffer.from('a comment')),
      graphicControl(1, 0),
      gifFrame({ ...BOX, codeSize: 8 }),
      graphicControl(3),
      gifFrame({ ...SMALL, colours: 4, isInterlaced: true }),
    ]),
    gif({ width: 90, height: 90, colours: 0 }, [gifFrame({ width: 90, height: 90 })]),
  ],
  maxBytes: 8 * 1024,
  sources: [...SOURCES, '/gif-structure.ts'],
  run: (input) => readPicture(input, 'image/gif'),
};

/** The number of pixels, in two bytes; then the code size, and sub-blocks. */
export const gifPixels: ParserTarget = {
  tokens: [
    subBlocks(lzw(PIXELS, 2)),
    subBlocks(flatLzw(900, 2)),
    Buffer.of(0),
    Buffer.of(8),
    Buffer.of(0xff),
  ],
  seeds: [
    pixelsInput(20, 2, lzw(PIXELS, 2)),
    pixelsInput(900, 8, flatLzw(900, 8)),
    pixelsInput(5_000, 2, flatLzw(5_000, 2)),
    pixelsInput(20, 2, lzw(PIXELS, 2, { isUncompressed: true })),
    pixelsInput(600, 11, flatLzw(600, 11)),
  ],
  maxBytes: 4 * 1024,
  sources: ['/lzw-pixels.ts'],
  run: (input) => {
    const pixels = 1 + (input[0] ?? 0) + 256 * (input[1] ?? 0);
    const isComplete = lzwPixels(joinedSubBlocks(input.subarray(3)), input[2] ?? 0) >= pixels;
    guarantee(isProved(input, pixels) === isComplete, 'a frame is complete if it has all its pixels');
  },
};

function isProved(file: Uint8Array, pixels: number): boolean {
  try {
    proveLzwFrames(file, [{ at: 2, pixels }]);
    return true;
  } catch {
    return false;
  }
}

function pixelsInput(pixels: number, codeSize: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.of((pixels - 1) & 0xff, (pixels - 1) >> 8, codeSize), subBlocks(data)]);
}

/** Up to the empty one, or to the end. */
function joinedSubBlocks(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; (bytes[at] ?? 0) > 0; at += 1 + (bytes[at] ?? 0)) {
    parts.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return Buffer.concat(parts);
}
