import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { cleaned, cleanPartsOf } from '../support/fixtures/clean-file.ts';
import { colourProfile, harmlessTags } from '../support/fixtures/colour-profiles.ts';
import {
  profileChunk,
  profileSegments,
  textChunk,
  withChunks,
  withSegments,
} from '../support/fixtures/embedded-chunks.ts';
import { exifBlock } from '../support/fixtures/exif.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { jpegSegment, pngChunk, rawPng } from '../support/fixtures/raw-pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import {
  gif,
  gifApplication,
  gifComment,
  gifFrame,
  gifLoop,
  gifPlainText,
  graphicControl,
  subBlocks,
} from '../support/kinds/gif-blocks.ts';
import {
  ANIMATION,
  anim,
  anmf,
  EXIF,
  flatVp8l,
  PROFILE,
  vp8x,
  webp,
  webpChunk,
  XMP,
} from '../support/kinds/webp-chunks.ts';

const BOX = { width: 12, height: 8 };
const ICC = colourProfile(harmlessTags());
const NAMED_ICC = profileChunk(ICC);
const CLEAN_ICC = pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), NAMED_ICC.subarray(8 + 9, -4)]));
/** Of orientation 6, with a text. */
const TURNED = exifBlock({ image: { 0x0112: 6, 0x010e: 'text' } });
/** The only EXIF of a clean file. */
const ORIENTATION = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
const COMMENT = jpegSegment(0xfe, Buffer.from('text'));
const JFIF = jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x02\x01\0\x48\0\x48\0\0', 'latin1'));

/** What a file becomes; `same`: it is clean. */
type Case = readonly [title: string, file: Buffer, clean: Buffer | 'same'];

describe('A clean JPEG', () => {
  let plain: Buffer;

  before(async () => {
    plain = await jpegPicture(BOX.width, BOX.height);
  });

  const withFirst = (...segments: readonly Buffer[]): Buffer => withSegments(plain, segments);

  cases(() => [
    [
      'drops comments, EXIF and bytes behind the end',
      Buffer.concat([withFirst(COMMENT, jpegSegment(0xe1, exifBlock({}))), COMMENT]),
      plain,
    ],
    ['keeps JFIF and the profile', withFirst(JFIF, ...profileSegments(ICC, 200)), 'same'],
    [
      'cuts the thumbnail off JFIF',
      withFirst(Buffer.from('ffe000164a46494600010201004800480102010203040506', 'hex')),
      withFirst(JFIF),
    ],
    [
      'drops a JFIF that is too short, and a second one',
      withFirst(jpegSegment(0xe0, Buffer.from('JFIF\0')), JFIF, JFIF),
      withFirst(JFIF),
    ],
    [
      'cuts what is behind the transform of Adobe',
      withFirst(jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01text', 'latin1'))),
      withFirst(jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'))),
    ],
    [
      'drops a profile that is none, or not whole',
      withFirst(...profileSegments(Buffer.from('text')), ...profileSegments(ICC, 200).slice(0, 1)),
      plain,
    ],
    [
      'keeps the last of two profiles',
      withFirst(...profileSegments(ICC), ...profileSegments(ICC)),
      withFirst(...profileSegments(ICC)),
    ],
    [
      'has the orientation behind JFIF',
      withFirst(jpegSegment(0xe1, TURNED), JFIF),
      withFirst(JFIF, jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), ORIENTATION]))),
    ],
    [
      'has the orientation behind SOI without JFIF',
      withFirst(COMMENT, jpegSegment(0xe1, TURNED)),
      withFirst(jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), ORIENTATION]))),
    ],
    [
      'keeps the number of lines behind the scan, and no fill bytes',
      Buffer.concat([
        plain.subarray(0, -2),
        Buffer.of(0xff, 0xff),
        jpegSegment(0xdc, Buffer.of(0, 8)),
        COMMENT,
        Buffer.of(0xff, 0xd9),
      ]),
      Buffer.concat([plain.subarray(0, -2), jpegSegment(0xdc, Buffer.of(0, 8)), Buffer.of(0xff, 0xd9)]),
    ],
    [
      'drops scans that no decoder reads',
      Buffer.concat([plain.subarray(0, -2), jpegSegment(0xc4, Buffer.alloc(17)), Buffer.of(0xff, 0xd9)]),
      plain,
    ],
  ]);

  it('is refused without an end', async () => {
    expect((await rejection(cleaned(plain.subarray(0, -2)))).message).to.be.a('string');
  });
});

describe('A clean PNG', () => {
  let plain: Buffer;

  before(async () => {
    plain = await noisyPng(BOX.width, BOX.height);
  });

  const withFirst = (...chunks: readonly Buffer[]): Buffer => withChunks(plain, chunks);
  const end = (...parts: readonly Buffer[]): Buffer => Buffer.concat([plain.subarray(0, -12), ...parts]);
  const gamma = pngChunk('gAMA', Buffer.of(0, 0, 0xb1, 0x8f));
  const IEND = pngChunk('IEND');

  cases(() => [
    [
      'drops texts, times and unknown chunks',
      withFirst(
        textChunk('tEXt', 'a', Buffer.from('text')),
        pngChunk('tIME', Buffer.alloc(7)),
        pngChunk('prVt', Buffer.from('text')),
      ),
      plain,
    ],
    [
      'keeps what is needed to show it',
      withFirst(gamma, pngChunk('sRGB', Buffer.of(0)), pngChunk('cICP', Buffer.alloc(4))),
      'same',
    ],
    [
      'drops a second chunk of a type, and another length',
      withFirst(gamma, gamma, pngChunk('cHRM', Buffer.alloc(33))),
      withFirst(gamma),
    ],
    [
      'drops a chunk with a wrong CRC',
      withFirst(Buffer.concat([gamma.subarray(0, -1), Buffer.of(0)])),
      plain,
    ],
    ['names a profile icc', withFirst(NAMED_ICC), withFirst(CLEAN_ICC)],
    [
      'cuts bytes behind a profile, and drops one that is none',
      withFirst(
        profileChunk(Buffer.from('text')),
        pngChunk('iCCP', Buffer.concat([NAMED_ICC.subarray(8, -4), Buffer.from('text')])),
      ),
      withFirst(CLEAN_ICC),
    ],
    [
      'has the orientation behind its header',
      withFirst(gamma, pngChunk('eXIf', TURNED.subarray(6))),
      withFirst(pngChunk('eXIf', ORIENTATION), gamma),
    ],
    [
      'keeps the frames of an animation behind its control',
      withFirst(pngChunk('acTL', Buffer.alloc(8)), pngChunk('fcTL', Buffer.alloc(26))),
      'same',
    ],
    [
      'drops frames without control',
      withFirst(pngChunk('fcTL', Buffer.alloc(26)), pngChunk('fdAT', Buffer.alloc(9))),
      plain,
    ],
    [
      'keeps one run of pixels, and nothing behind it',
      end(gamma, pngChunk('IDAT', Buffer.from('text')), IEND, COMMENT),
      plain,
    ],
    ['has an empty end', end(pngChunk('IEND', Buffer.from('text'))), plain],
  ]);

  it('drops an empty transparency, so that the next counts', async () => {
    const indexed = rawPng({ ...BOX, colourType: 'palette', bitDepth: 2 });
    const at = indexed.indexOf('IDAT') - 4;
    const transparency = pngChunk('tRNS', Buffer.of(0x80));
    const withBehindPalette = (...chunks: readonly Buffer[]): Buffer =>
      Buffer.concat([indexed.subarray(0, at), ...chunks, indexed.subarray(at)]);

    const clean = await cleaned(withBehindPalette(pngChunk('tRNS'), transparency));

    expect(clean).to.deep.equal(withBehindPalette(transparency));
  });

  it('is refused without an end', async () => {
    expect((await rejection(cleaned(end()))).message).to.be.a('string');
  });

  it('is refused if it would have more than 100,000 ranges', async () => {
    const pair = Buffer.concat([pngChunk('fdAT', Buffer.alloc(4)), pngChunk('prVt')]);
    const file = withFirst(pngChunk('acTL', Buffer.alloc(8)));
    const frames = (count: number): Buffer =>
      Buffer.concat([file.subarray(0, -12), Buffer.alloc(count * pair.length, pair), IEND]);
    expect(await cleanPartsOf(frames(99_999))).to.have.length.greaterThan(99_000);
    expect((await rejection(cleanPartsOf(frames(100_001)))).message).to.include('too many');
  });
});

describe('A clean WebP', () => {
  const picture = flatVp8l(BOX);
  const odd = webpChunk('ICCP', ICC);
  const orientation = webpChunk('EXIF', ORIENTATION);
  const frame = anmf(BOX, [picture]);

  cases(() => [
    [
      'is simple if the file is',
      Buffer.concat([webp([picture, webpChunk('prVt', Buffer.from('text'))]), COMMENT]),
      webp([picture]),
    ],
    [
      'has no flags of what goes',
      webp([vp8x(BOX, EXIF | XMP | PROFILE), picture, webpChunk('XMP ', Buffer.from('text'))]),
      webp([vp8x(BOX), picture]),
    ],
    ['keeps a profile with its flag', webp([vp8x(BOX, PROFILE), odd, picture]), 'same'],
    [
      'drops a profile without its flag, and one that is none',
      webp([vp8x(BOX), odd, picture]),
      webp([vp8x(BOX), picture]),
    ],
    [
      'has the orientation at its end',
      webp([vp8x(BOX, EXIF), webpChunk('EXIF', TURNED.subarray(6)), picture]),
      webp([vp8x(BOX, EXIF), picture, orientation]),
    ],
    [
      'keeps an animation without what is in its frames',
      webp([
        vp8x(BOX, ANIMATION),
        anim(2),
        anmf(BOX, [picture, webpChunk('prVt', Buffer.from('text'))]),
        frame,
      ]),
      webp([vp8x(BOX, ANIMATION), anim(2), frame, frame]),
    ],
    [
      'clears reserved flags of a frame',
      webp([vp8x(BOX, ANIMATION), anim(), anmf(BOX, [picture], 0xfe)]),
      webp([vp8x(BOX, ANIMATION), anim(), anmf(BOX, [picture], 2)]),
    ],
    [
      'pads with zeros',
      Buffer.concat([
        webp([
          vp8x(BOX),
          Buffer.concat([
            webpChunk(
              'VP8L',
              Buffer.concat([picture.subarray(8), Buffer.alloc(picture.length % 2 === 0 ? 1 : 0)]),
            ).subarray(0, -1),
            Buffer.of(7),
          ]),
        ]),
      ]),
      webp([
        vp8x(BOX),
        webpChunk(
          'VP8L',
          Buffer.concat([picture.subarray(8), Buffer.alloc(picture.length % 2 === 0 ? 1 : 0)]),
        ),
      ]),
    ],
  ]);
});

describe('A clean GIF', () => {
  const frame = gifFrame(BOX);
  const control = graphicControl(1);

  cases(() => [
    [
      'drops comments, texts, applications and bytes behind its end',
      Buffer.concat([
        gif(BOX, [
          gifComment(Buffer.from('text')),
          gifPlainText('text'),
          gifApplication('XMP DataXMP', Buffer.of(0)),
          frame,
        ]),
        COMMENT,
      ]),
      gif(BOX, [frame]),
    ],
    [
      'keeps the loop and graphic controls, those of texts too',
      gif(BOX, [gifLoop(3), control, gifPlainText('text'), control, frame]),
      gif(BOX, [gifLoop(3), control, control, frame]),
    ],
    [
      'keeps nothing of the loop but its number',
      gif(BOX, [
        gifApplication('NETSCAPE2.0', Buffer.concat([Buffer.of(3, 1, 9, 0), subBlocks(Buffer.from('text'))])),
        frame,
      ]),
      gif(BOX, [gifLoop(9), frame]),
    ],
    [
      'drops a control that is too long',
      gif(BOX, [Buffer.concat([control.subarray(0, -1), subBlocks(Buffer.from('text'))]), frame]),
      gif(BOX, [frame]),
    ],
  ]);
});

function cases(list: () => readonly Case[]): void {
  it('has what the contract says', async () => {
    for (const [title, file, expected] of list()) {
      const clean = await cleaned(file);
      const wanted = expected === 'same' ? file : expected;
      expect(clean.toString('latin1'), title).to.equal(wanted.toString('latin1'));
      expect((await cleaned(clean)).equals(clean), `${title}, again`).to.equal(true);
      const [before, after] = await Promise.all([file, clean].map((one) => sharp(one).raw().toBuffer()));
      expect(before?.equals(after as Buffer), `${title}: pixels`).to.equal(true);
    }
  });
}
