import { expect } from 'chai';
import type { FileStructure } from '../../src/decoder/structure/file-structure.ts';
import { ImageBeyondLimits, InvalidImage } from '../../src/domain/errors.ts';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import {
  colourProfile,
  elementChain,
  harmlessTags,
  matrixElement,
} from '../support/fixtures/colour-profiles.ts';
import { fileStructure } from '../support/fixtures/file-structure.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import {
  gif,
  gifComment,
  gifExtension,
  gifFrame,
  gifHead,
  graphicControl,
  subBlocks,
} from '../support/kinds/gif-blocks.ts';
import { flatLzw } from '../support/kinds/lzw.ts';
import {
  ANIMATION,
  anim,
  animatedWebp,
  anmf,
  EXIF,
  flatVp8l,
  PROFILE,
  vp8x,
  webp,
  webpChunk,
} from '../support/kinds/webp-chunks.ts';

const MAX_PIXELS = 50_000_000;
const CANVAS = { width: 20, height: 10 };
const BOX = { width: 4, height: 4 };
const DOT = { width: 1, height: 1 };
const FLAT = flatVp8l(BOX);
/** Behind the introducer, the label and the size of the block. */
const CONTROL_FLAGS_AT = 3;

async function structureOf(bytes: Buffer, maxPixels = MAX_PIXELS): Promise<FileStructure> {
  return await fileStructure(bytes, typeOf(bytes), pixelLimits(maxPixels));
}

function typeOf(bytes: Buffer): MediaType {
  return bytes.toString('latin1', 0, 3) === 'GIF' ? 'image/gif' : 'image/webp';
}

async function refusalOf(bytes: Buffer): Promise<Error> {
  return await rejection(structureOf(bytes));
}

describe('The structure of a GIF', () => {
  const placedFrame = gifFrame({ left: 3, top: 4, width: 5, height: 6 });
  const bytes = gif(CANVAS, [gifComment(Buffer.alloc(600, 'a')), gifFrame(CANVAS), placedFrame]);

  it('has the canvas and where the pixels of each frame begin', async () => {
    const { lzwFrames, ...structure } = await structureOf(bytes);

    expect(structure).to.include({ width: 20, height: 10, frames: 2, hasExif: false, placed: undefined });
    expect(lzwFrames?.map(({ pixels }) => pixels)).to.deep.equal([200, 30]);
    expect(lzwFrames?.map(({ at }) => bytes[at])).to.deep.equal([2, 2]);
  });

  it('has the place of a first frame that does not cover the canvas', async () => {
    const { placed } = await structureOf(gif(CANVAS, [placedFrame]));

    expect(placed).to.deep.include({ left: 3, top: 4, width: 5, height: 6, canvas: CANVAS });
  });

  it('has the place of the flags of the last graphic control in front of a placed first frame', async () => {
    const [first, last, next] = [graphicControl(1), graphicControl(3), graphicControl(2)];
    const { placed } = await structureOf(gif(CANVAS, [first, last, placedFrame, next, placedFrame]));

    const flagsAt = gifHead(CANVAS).length + first.length + CONTROL_FLAGS_AT;
    expect(placed).to.include({ flagsAt });
  });

  it('reads over sub-blocks of one byte', async () => {
    const comment = gifExtension(0xfe, subBlocks(Buffer.alloc(1_500_000, 1), 1));

    expect(await structureOf(gif(BOX, [comment, gifFrame(BOX)]))).to.include({ frames: 1, segments: 2 });
  });

  it('has at most 100,000 blocks', async () => {
    const comments = Array<Buffer>(100_000).fill(gifComment(Buffer.of()));
    const error = await refusalOf(gif(BOX, [...comments, gifFrame(BOX)]));

    expect(error).to.be.instanceOf(ImageBeyondLimits);
    expect(error.message).to.include('more than 100000 segments');
  });

  it('is refused for its canvas before its frames are read', async () => {
    const head = gifHead({ width: 8000, height: 8000 });
    expect((await refusalOf(head)).message).to.include(
      'has 64000000 pixels (8000 × 8000), and 50000000 are allowed',
    );
  });

  it('is refused for the pixels of all its frames', async () => {
    const file = gif({ width: 6000, height: 6000 }, [gifFrame(DOT), gifFrame(DOT)]);
    expect((await refusalOf(file)).message).to.include(
      'has 72000000 pixels in its 2 frames (6000 × 6000 each), and 50000000 are allowed',
    );
  });

  it('is incomplete at every cut', async () => {
    for (let length = 6; length < bytes.length; length += 1) {
      expect(await refusalOf(bytes.subarray(0, length))).to.be.instanceOf(InvalidImage);
    }
  });

  it('does not read the pixels behind those of a frame', async () => {
    const frame = gifFrame({ ...BOX, data: subBlocks(flatLzw(500, 2)) });
    expect(await structureOf(gif(BOX, [frame]))).to.include({ frames: 1 });
  });
});

describe('The structure of a WebP', () => {
  it('has the size of a simple file', async () => {
    const file = webp([flatVp8l({ width: 300, height: 200 })]);
    expect(await structureOf(file)).to.include({ width: 300, height: 200, frames: 1, hasExif: false });
  });

  it('has the canvas and the frames of an animation', async () => {
    const dot = anmf({ left: 4, top: 8, ...DOT }, [flatVp8l(DOT)]);
    const file = animatedWebp(CANVAS, [anmf(CANVAS, [flatVp8l(CANVAS)]), dot, dot]);

    expect(await structureOf(file)).to.include({ ...CANVAS, frames: 3 });
  });

  it('is incomplete at every cut', async () => {
    const file = animatedWebp(BOX, [anmf(BOX, [FLAT])]);
    for (let length = 12; length < file.length; length += 1) {
      expect(await refusalOf(file.subarray(0, length))).to.be.instanceOf(InvalidImage);
    }
  });

  it('includes whether an EXIF chunk may ask for a rotation', async () => {
    const file = webp([vp8x(BOX, EXIF), FLAT, webpChunk('EXIF', Buffer.alloc(7))]);
    expect(await structureOf(file)).to.include({ hasExif: true, metadataBytes: 7 });
  });

  it('skips unknown chunks, within frames too', async () => {
    const unknown = webpChunk('cats', Buffer.alloc(33));
    const frame = anmf(BOX, [FLAT, unknown]);
    const file = webp([vp8x(BOX, ANIMATION), unknown, anim(), frame, unknown]);

    expect(await structureOf(file)).to.include({ frames: 1, metadataBytes: 0 });
  });
});

describe('A WebP', () => {
  const profile = colourProfile([
    ...harmlessTags(),
    { name: 'D2B0', data: elementChain(matrixElement(), 9) },
  ]);
  const BEYOND: ReadonlyArray<readonly [limit: string, chunks: readonly Buffer[]]> = [
    ['64000000 pixels (8000 × 8000), and 50000000 are allowed', [vp8x({ width: 8000, height: 8000 })]],
    ['a side of more than 65535 pixels', [vp8x({ width: 65_536, height: 1 })]],
    [
      'more than 100000 segments',
      [vp8x(BOX), ...Array<Buffer>(100_000).fill(webpChunk('cats', Buffer.of())), FLAT],
    ],
    ['more than 12582912 bytes of metadata', [vp8x(BOX), FLAT, webpChunk('XMP ', Buffer.alloc(12_582_914))]],
    ['a colour profile with multi-process elements', [vp8x(BOX, PROFILE), webpChunk('ICCP', profile), FLAT]],
  ];
  for (const [limit, chunks] of BEYOND) {
    it(`is refused with ${limit}`, async () => {
      const error = await refusalOf(webp(chunks));
      expect(error).to.be.instanceOf(ImageBeyondLimits);
      expect(error.message).to.include(limit);
    });
  }

  const alpha = webpChunk('ALPH', Buffer.alloc(4));
  const MALFORMED: ReadonlyArray<readonly [what: string, chunks: readonly Buffer[]]> = [
    ['an alpha plane without a picture', [vp8x(BOX), alpha]],
    [
      'something between the alpha plane and its picture',
      [vp8x(BOX), alpha, webpChunk('cats', Buffer.of()), FLAT],
    ],
    ['metadata in front of a simple picture', [webpChunk('EXIF', Buffer.alloc(4)), FLAT]],
    ['an extended header behind the picture', [FLAT, vp8x(BOX)]],
    ['an extended header that is too short', [webpChunk('VP8X', Buffer.alloc(8)), FLAT]],
    ['a still in an animation', [vp8x(BOX, ANIMATION), anim(), FLAT]],
    ['a frame in a still', [vp8x(BOX), anim(), anmf(BOX, [FLAT])]],
    ['a frame without a picture', [vp8x(BOX, ANIMATION), anim(), anmf(BOX, [])]],
    ['a frame with two pictures', [vp8x(BOX, ANIMATION), anim(), anmf(BOX, [FLAT, FLAT])]],
    ['a picture of no known kind', [webpChunk('VP8 ', Buffer.alloc(20))]],
    ['an empty picture', [webpChunk('VP8 ', Buffer.of(0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 4, 0))]],
    ['a lossless picture without its signature', [webpChunk('VP8L', Buffer.alloc(20))]],
  ];
  for (const [what, chunks] of MALFORMED) {
    it(`is refused with ${what}`, async () => {
      const error = await refusalOf(webp(chunks));
      expect(error).to.be.instanceOf(InvalidImage).and.not.instanceOf(ImageBeyondLimits);
    });
  }
});
