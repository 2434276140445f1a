import { randomNumbers } from '../fixtures/random-numbers.ts';
import {
  type Disposal,
  GIF_TRAILER,
  type GifFrame,
  type GifScreen,
  gif,
  gifApplication,
  gifComment,
  gifExtension,
  gifFrame,
  gifFrameHead,
  gifLoop,
  gifPlainText,
  graphicControl,
  subBlocks,
} from './gif-blocks.ts';
import { flatLzw, lzw } from './lzw.ts';
import { MAX_UPLOAD_BYTES, type PictureCase } from './picture-case.ts';

const SCREEN: GifScreen = { width: 16, height: 12 };
const FRAME: GifFrame = { width: 16, height: 12 };
const PIXELS = 16 * 12;
const CODE_SIZE = 2;

/** The most frames of an animation, and the sides of a canvas whose pixels times those are just below the limit of an upload. */
const MAX_FRAMES = 2_000;
const SIDE_OF_MANY = 353;
/** Just below 65 megapixels. */
const LARGEST_SIDE = 8_062;

/** GIF files that no encoder makes: all of them are valid. */
export const VALID_GIFS: readonly PictureCase[] = [
  valid('one frame, as of 1987', () => gif({ ...SCREEN, version: '87a' }, [gifFrame(FRAME)])),
  valid('interlaced', () => gif(SCREEN, [gifFrame({ ...FRAME, isInterlaced: true, pixels: noise(PIXELS) })])),
  valid('transparent', () =>
    gif(SCREEN, [graphicControl(0, 2), gifFrame({ ...FRAME, pixels: noise(PIXELS) })]),
  ),
  valid(
    'a first frame smaller than the canvas',
    () => gif(SCREEN, [gifFrame({ left: 5, top: 3, width: 4, height: 2 }), gifFrame(FRAME)]),
    { frames: 2 },
  ),
  valid(
    'all methods of disposal',
    () =>
      gif(
        SCREEN,
        ([0, 1, 2, 3, 0] as const).flatMap((disposal) => inPlace(disposal)),
      ),
    { frames: 5 },
  ),
  valid(
    'colours in each frame, and none for all',
    () =>
      gif({ ...SCREEN, colours: 0 }, [
        gifLoop(3),
        ...Array<Buffer>(3).fill(gifFrame({ ...FRAME, colours: 8 })),
      ]),
    { frames: 3 },
  ),
  valid('256 colours', () =>
    gif({ ...SCREEN, colours: 256 }, [gifFrame({ ...FRAME, codeSize: 8, pixels: noise(PIXELS, 256) })]),
  ),
  valid('codes of 12 bits', () => gif(SCREEN, [gifFrame({ ...FRAME, codeSize: 11 })])),
  valid('no colours at all', () => gif({ ...SCREEN, colours: 0 }, [gifFrame(FRAME)])),
  valid('no code for the end', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(lzw(noise(PIXELS), CODE_SIZE, { hasEnd: false })) })]),
  ),
  valid('more pixels than the frame has', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(flatLzw(5 * PIXELS, CODE_SIZE)) })]),
  ),
  valid('data after the code for the end', () =>
    gif(SCREEN, [
      gifFrame({
        ...FRAME,
        data: subBlocks(Buffer.concat([flatLzw(PIXELS, CODE_SIZE), Buffer.alloc(600, 7)])),
      }),
    ]),
  ),
  valid('sub-blocks of one byte', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(lzw(noise(PIXELS), CODE_SIZE), 1) })]),
  ),
  valid(
    'a table of codes that stays full',
    () => gif({ width: 300, height: 200, colours: 256 }, [fullTable({ keepsTable: true })]),
    { width: 300, height: 200 },
  ),
  valid(
    'a clear code before each pixel',
    () => gif({ width: 300, height: 200, colours: 256 }, [fullTable({ isUncompressed: true })]),
    { width: 300, height: 200 },
  ),
  valid('a page behind the trailer', () =>
    gif(SCREEN, [gifFrame(FRAME)], Buffer.concat([GIF_TRAILER, Buffer.from('<script>alert(1)</script>')])),
  ),
  valid('another picture behind the trailer', () =>
    Buffer.concat([gif(SCREEN, [gifFrame(FRAME)]), gif({ width: 60_000, height: 60_000 }, [])]),
  ),
  valid('an unknown extension, and a plain text', () =>
    gif(SCREEN, [gifExtension(0x07, subBlocks(noise(900))), gifPlainText('Hello'), gifFrame(FRAME)]),
  ),
  valid('12 MB of comments', () => gif(SCREEN, [gifComment(Buffer.alloc(12_000_000, 'A')), gifFrame(FRAME)])),
  valid('XMP', () =>
    gif(SCREEN, [
      gifApplication('XMP DataXMP', xmpData('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')),
      gifFrame(FRAME),
    ]),
  ),
  valid('a colour profile', () =>
    gif(SCREEN, [gifApplication('ICCRGBG1012', subBlocks(noise(3_000, 256))), gifFrame(FRAME)]),
  ),
  valid(
    'a side of 65,535',
    () => gif({ width: 65_535, height: 1 }, [gifFrame({ width: 65_535, height: 1 })]),
    { width: 65_535, height: 1 },
  ),
  valid('65 megapixels', () => square(LARGEST_SIDE, 1), { width: LARGEST_SIDE, height: LARGEST_SIDE }),
  valid('2,000 frames of 250 megapixels together', () => square(SIDE_OF_MANY, MAX_FRAMES), {
    width: SIDE_OF_MANY,
    height: SIDE_OF_MANY,
    frames: MAX_FRAMES,
  }),
];

/** Truncated, corrupt or beyond a limit. */
export const REFUSED_GIFS: readonly PictureCase[] = [
  refused('cut in the pixels', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, pixels: noise(PIXELS) })]).subarray(0, -12),
  ),
  refused('no trailer, but a comment', () =>
    gif(SCREEN, [gifFrame(FRAME), gifComment(noise(40))], Buffer.of()),
  ),
  refused('no frame', () => gif(SCREEN, [])),
  refused('one pixel too few', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(flatLzw(PIXELS - 1, CODE_SIZE)) })]),
  ),
  refused('one pixel too few in the second frame', () =>
    gif(SCREEN, [gifFrame(FRAME), gifFrame({ ...FRAME, data: subBlocks(flatLzw(PIXELS - 1, CODE_SIZE)) })]),
  ),
  refused('no pixels', () => gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(Buffer.of()) })])),
  // Clear, then a code that no table has yet.
  refused('a code that does not exist', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, data: subBlocks(Buffer.of(0b111_100, 0xff)) })]),
  ),
  refused('codes of no bits', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, codeSize: 0, data: subBlocks(Buffer.alloc(200)) })]),
  ),
  refused('codes of 13 bits', () =>
    gif(SCREEN, [gifFrame({ ...FRAME, codeSize: 12, data: subBlocks(Buffer.alloc(900)) })]),
  ),
  refused('a frame to the right of the canvas', () => gif(SCREEN, [gifFrame({ ...FRAME, left: 1 })])),
  refused('a frame below the canvas', () => gif(SCREEN, [gifFrame(FRAME), gifFrame({ ...FRAME, top: 1 })])),
  refused('a frame without a width', () => gif(SCREEN, [gifFrame({ ...FRAME, width: 0 })])),
  refused('a frame without a height', () =>
    gif(SCREEN, [gifFrame(FRAME), gifFrame({ ...FRAME, height: 0 })]),
  ),
  refused('a canvas without sides', () => gif({ width: 0, height: 0 }, [gifFrame(FRAME)])),
  refused('a block of no kind', () => gif(SCREEN, [gifFrame(FRAME), Buffer.of(0x99)])),
  refused('2,001 frames', () => square(1, MAX_FRAMES + 1)),
  refused('2,000 frames of more than 250 megapixels together', () => square(SIDE_OF_MANY + 1, MAX_FRAMES)),
  refused(
    'another version',
    () =>
      Buffer.from(
        gif(SCREEN, [gifFrame(FRAME)])
          .toString('latin1')
          .replace('89a', '88a'),
        'latin1',
      ),
    415,
  ),
  refused('three letters', () => Buffer.from('GIF'), 415),
  refused(
    'more bytes than an upload may have',
    () => gif(SCREEN, [gifFrame(FRAME)], Buffer.concat([GIF_TRAILER, Buffer.alloc(MAX_UPLOAD_BYTES)])),
    413,
  ),
];

function valid(
  name: string,
  read: () => Buffer,
  {
    width = SCREEN.width,
    height = SCREEN.height,
    frames = 1,
  }: { width?: number; height?: number; frames?: number } = {},
): PictureCase {
  return { name, mediaType: 'image/gif', expected: { status: 201, width, height, frames }, read };
}

function refused(name: string, read: () => Buffer, status: 413 | 415 | 422 = 422): PictureCase {
  return { name, mediaType: 'image/gif', expected: { status }, read };
}

function inPlace(disposal: Disposal): readonly Buffer[] {
  return [
    graphicControl(disposal, 1),
    gifFrame({ left: disposal, top: disposal, width: 7, height: 6, pixels: noise(42) }),
  ];
}

function square(side: number, frames: number): Buffer {
  const box = { width: side, height: side };
  return gif(box, Array<Buffer>(frames).fill(gifFrame(box)));
}

function fullTable(options: { keepsTable?: boolean; isUncompressed?: boolean }): Buffer {
  const box = { width: 300, height: 200 };
  const data = subBlocks(lzw(noise(60_000, 256), 8, options));
  return Buffer.concat([gifFrameHead(box), Buffer.of(8), data]);
}

/** Without sub-blocks: a reader that knows only those finds its way through the last 257 bytes. */
function xmpData(packet: string): Buffer {
  const magic = Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index));
  return Buffer.concat([Buffer.from(packet), Buffer.of(1), magic, Buffer.of(0)]);
}

function noise(length: number, below = 4): Buffer {
  const random = randomNumbers(length);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * below)));
}
