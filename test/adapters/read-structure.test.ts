import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import type { FileStructure } from '../../src/decoder/structure/file-structure.ts';
import { ImageBeyondLimits, InvalidImage } from '../../src/domain/errors.ts';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import {
  colourProfile,
  curvesElement,
  elementChain,
  harmlessTags,
  lookupTable,
  matrixElement,
  sharingProfile,
  tableElement,
} from '../support/fixtures/colour-profiles.ts';
import {
  profileChunk,
  profileSegment,
  profileSegments,
  textChunk,
} from '../support/fixtures/embedded-chunks.ts';
import { fileStructure } from '../support/fixtures/file-structure.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { exifOrientation, jpegSegment, pngChunk, rawJpeg, rawPng } from '../support/fixtures/raw-pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const MAX_PIXELS = 50_000_000;
const [COM, APP0, APP1, APP2] = [0xfe, 0xe0, 0xe1, 0xe2] as const;

async function structureOf(bytes: Buffer, maxPixels = MAX_PIXELS): Promise<FileStructure> {
  const mediaType: MediaType = bytes[0] === 0xff ? 'image/jpeg' : 'image/png';
  return await fileStructure(bytes, mediaType, pixelLimits(maxPixels));
}

async function refusalOf(bytes: Buffer, maxPixels = MAX_PIXELS): Promise<Error> {
  const error = await rejection(structureOf(bytes, maxPixels));
  expect(error).to.be.instanceOf(ImageBeyondLimits);
  return error;
}

/** Bytes that look like a start of scan in places where they are not one. */
const FAKE_SCANS = Buffer.alloc(600, jpegSegment(0xda, [1, 1, 0, 0, 0, 0]));

const SMALL = { width: 64, height: 48 };

describe('The structure of a JPEG', () => {
  it('has the size and the scans of the image', async () => {
    expect(await structureOf(rawJpeg({ ...SMALL, scans: 7 }))).to.include({ ...SMALL, scans: 7 });
  });

  const NOT_COUNTED: ReadonlyArray<readonly [what: string, picture: Partial<Parameters<typeof rawJpeg>[0]>]> =
    [
      ['in a comment', { before: jpegSegment(COM, FAKE_SCANS) }],
      ['in a thumbnail', { before: jpegSegment(APP1, Buffer.concat([Buffer.from('Exif\0\0'), FAKE_SCANS])) }],
      ['after the end of the image', { behind: FAKE_SCANS }],
    ];
  for (const [what, picture] of NOT_COUNTED) {
    it(`does not count the scans ${what}`, async () => {
      expect(await structureOf(rawJpeg({ ...SMALL, scans: 3, ...picture }))).to.include({ scans: 3 });
    });
  }

  const HIDING: ReadonlyArray<readonly [where: string, picture: Partial<Parameters<typeof rawJpeg>[0]>]> = [
    ['5 MB of comments', { before: Buffer.alloc(80 * 65_537, jpegSegment(COM, Buffer.alloc(65_533))) }],
    ['fill bytes', { between: Buffer.alloc(1000, 0xff) }],
    ['comments between them', { between: jpegSegment(COM, Buffer.alloc(300)) }],
    ['restart markers', { between: Buffer.from([0xff, 0xd0, 0xff, 0xd1]) }],
  ];
  for (const [where, picture] of HIDING) {
    it(`counts the scans after ${where}`, async () => {
      expect((await refusalOf(rawJpeg({ ...SMALL, scans: 101, ...picture }))).message).to.include(
        '100 scans',
      );
    });
  }

  it('ends with the scan of all components of a sequential file', async () => {
    const { scans, heldBytes } = await structureOf(await jpegPicture());

    expect({ scans, heldBytes }).to.deep.equal({ scans: 1, heldBytes: 0 });
  });

  it('includes the bytes of coefficients that a decoder holds for a progressive file', async () => {
    const bytes = await sharp(await jpegPicture(160, 160))
      .jpeg({ progressive: true })
      .toBuffer();

    // 160 × 160 samples of luma and twice a quarter of that, two bytes each.
    expect((await structureOf(bytes)).heldBytes).to.equal(160 * 160 * 1.5 * 2);
  });

  it('includes whether an EXIF block may ask for a rotation', async () => {
    const exif = jpegSegment(APP1, Buffer.concat([Buffer.from('Exif\0\0'), exifOrientation(6)]));

    const turned = rawJpeg({ ...SMALL, scans: 1, before: exif });

    const { hasExif, exif: blocks, orientation } = await structureOf(turned);

    const start = turned.indexOf('Exif');
    expect({ hasExif, blocks, orientation }).to.deep.equal({
      hasExif: true,
      blocks: [{ start, end: start + exif.length - 4 }],
      orientation: 6,
    });
    expect((await structureOf(rawJpeg({ ...SMALL, scans: 1 }))).hasExif).to.equal(false);
  });
});

describe('The structure of a JPEG with extreme values', () => {
  const REFUSED: ReadonlyArray<readonly [limit: string, picture: Parameters<typeof rawJpeg>[0]]> = [
    ['more than 100 scans', { ...SMALL, scans: 101 }],
    ['more than 2000 megapixels times scans', { width: 5_000, height: 5_000, scans: 81 }],
    ['50013184 pixels (7072 × 7072), and 50000000 are allowed', { width: 7_072, height: 7_072, scans: 1 }],
    [
      'more than 100000 segments',
      { ...SMALL, scans: 1, before: Buffer.alloc(500_000, jpegSegment(APP1, [0])) },
    ],
    [
      'more than 12582912 bytes of metadata',
      { ...SMALL, scans: 1, before: Buffer.alloc(200 * 65_537, jpegSegment(APP2, Buffer.alloc(65_533))) },
    ],
  ];
  for (const [limit, picture] of REFUSED) {
    it(`with ${limit} is rejected`, async () => {
      expect((await refusalOf(rawJpeg(picture))).message).to.include(limit);
    });
  }

  const ACCEPTED: ReadonlyArray<readonly [what: string, picture: Parameters<typeof rawJpeg>[0]]> = [
    ['100 scans', { ...SMALL, scans: 100 }],
    ['2,000 megapixels times scans', { width: 5_000, height: 5_000, scans: 80 }],
    [
      '40 MB of comments',
      { ...SMALL, scans: 1, before: Buffer.alloc(600 * 65_537, jpegSegment(COM, Buffer.alloc(65_533))) },
    ],
    [
      '40 MB of data that decoders skip',
      { ...SMALL, scans: 1, before: Buffer.alloc(600 * 65_537, jpegSegment(APP0, Buffer.alloc(65_533))) },
    ],
  ];
  for (const [what, picture] of ACCEPTED) {
    it(`may have ${what}`, async () => {
      expect(await structureOf(rawJpeg(picture))).to.include({ scans: picture.scans });
    });
  }

  it('with arithmetic coding may have 16 MiB', async () => {
    const padded = (bytes: number): Buffer => {
      const picture = { ...SMALL, scans: 2, frame: 0xca };
      return Buffer.concat([rawJpeg(picture), Buffer.alloc(bytes - rawJpeg(picture).length)]);
    };

    expect((await structureOf(padded(16 * 1024 * 1024))).arithmeticBytes).to.equal(16 * 1024 * 1024);
    expect((await refusalOf(padded(16 * 1024 * 1024 + 1))).message).to.include('arithmetic');
  });

  it('that ends early is invalid', async () => {
    const bytes = rawJpeg({ ...SMALL, scans: 3 });
    for (const length of [3, 20, bytes.length - 2]) {
      const error = await rejection(structureOf(bytes.subarray(0, length)));
      expect(error).to.be.instanceOf(InvalidImage).and.not.instanceOf(ImageBeyondLimits);
    }
  });
});

describe('The structure of a PNG', () => {
  const RGBA16 = { bitDepth: 16, colourType: 'rgba' } as const;

  it('has the size of the image and the bytes of a decoded pixel', async () => {
    const structure = await structureOf(rawPng({ width: 30, height: 20, ...RGBA16 }));

    expect(structure).to.include({ width: 30, height: 20, scans: 1, bytesPerPixel: 8, heldBytes: 0 });
  });

  it('includes that a decoder holds the whole of an interlaced picture', async () => {
    const picture = { width: 30, height: 20, ...RGBA16, isInterlaced: true };

    expect((await structureOf(rawPng(picture))).heldBytes).to.equal(30 * 20 * 8);
  });

  it('counts the alpha channel of a transparent colour', async () => {
    const picture = {
      width: 3,
      height: 2,
      bitDepth: 8,
      colourType: 'rgb',
      chunks: [pngChunk('tRNS', Buffer.alloc(6))],
    } as const;

    expect((await structureOf(rawPng(picture))).bytesPerPixel).to.equal(4);
  });

  it('includes whether an EXIF block may ask for a rotation', async () => {
    const chunks = [pngChunk('eXIf', exifOrientation(6))];

    expect((await structureOf(rawPng({ width: 3, height: 2, ...RGBA16, chunks }))).hasExif).to.equal(true);
    expect((await structureOf(rawPng({ width: 3, height: 2, ...RGBA16 }))).hasExif).to.equal(false);
  });

  it('with a side of more than 65,535 pixels is rejected', async () => {
    const grey = { bitDepth: 8, colourType: 'grey' } as const;

    expect((await refusalOf(rawPng({ width: 65_536, height: 1, ...grey }))).message).to.include('65535');
    expect((await refusalOf(rawPng({ width: 1, height: 65_536, ...grey }))).message).to.include('65535');
    expect(await structureOf(rawPng({ width: 65_535, height: 1, ...grey }))).to.include({ width: 65_535 });
  });

  for (const type of ['eXIf', 'iTXt', 'pCAL', 'sCAL', 'sPLT', 'tEXt']) {
    it(`with more than 3 MiB of ${type} is rejected`, async () => {
      const chunks = [pngChunk(type, Buffer.alloc(3 * 1024 * 1024 + 4))];

      const refusal = await refusalOf(rawPng({ width: 3, height: 2, ...RGBA16, chunks }));
      expect(refusal.message).to.include('3145731 bytes of metadata');
    });
  }

  it('may have more metadata the more pixels it has, up to 12 MiB', async () => {
    const chunks = [pngChunk('tEXt', Buffer.alloc(12 * 1024 * 1024))];
    const large = { width: 4_096, height: 4_608, bitDepth: 8, colourType: 'grey', chunks } as const;

    expect(await structureOf(rawPng(large))).to.include({ width: 4_096 });
    expect((await refusalOf(rawPng({ ...large, height: 4_607 }))).message).to.include('metadata');
    const longer = { ...large, width: 8_192, chunks: [...chunks, pngChunk('tEXt', Buffer.alloc(1))] };
    expect((await refusalOf(rawPng(longer))).message).to.include('12582912 bytes of metadata');
  });

  it('may have any number of bytes that libpng skips', async () => {
    const chunks = [pngChunk('prVt', Buffer.alloc(20_000_000))];

    expect(await structureOf(rawPng({ width: 3, height: 2, ...RGBA16, chunks }))).to.include({ width: 3 });
  });

  it('that ends early is invalid', async () => {
    const bytes = rawPng({ width: 3, height: 2, ...RGBA16 });

    expect(await rejection(structureOf(bytes.subarray(0, 30)))).to.be.instanceOf(InvalidImage);
  });
});

describe('The texts of a PNG', () => {
  const KINDS = ['zTXt', 'compressed iTXt'] as const;

  function withChunks(chunks: readonly Buffer[]): Buffer {
    return rawPng({ width: 64, height: 64, bitDepth: 8, colourType: 'rgb', chunks });
  }

  for (const kind of KINDS) {
    it(`count at their inflated size as ${kind}`, async () => {
      const half = textChunk(kind, 'Comment', Buffer.alloc(1_500_000, 65));

      expect(await structureOf(withChunks([half, half]))).to.include({ compressedChunks: 2 });
      expect((await refusalOf(withChunks([half, half, half]))).message).to.include('metadata');
    });

    it(`may be 100 as ${kind}`, async () => {
      const texts = (count: number): Buffer[] =>
        Array.from({ length: count }, () => textChunk(kind, 'Comment', Buffer.from('short')));

      expect(await structureOf(withChunks(texts(100)))).to.include({ compressedChunks: 100 });
      expect((await refusalOf(withChunks(texts(101)))).message).to.include('100 compressed');
    });
  }

  it('are inflated only up to the limit', async () => {
    const bomb = withChunks([textChunk('zTXt', 'Comment', Buffer.alloc(150_000_000))]);
    const half = deflateSync(Buffer.alloc(75_000_000));
    const start = process.cpuUsage();
    await refusalOf(bomb);
    const refusal = process.cpuUsage(start).user;

    const before = process.cpuUsage();
    inflateSync(half);
    expect(refusal).to.be.below(process.cpuUsage(before).user);
  });

  it('may be many if they are not compressed', async () => {
    const texts = Array.from({ length: 200 }, () => textChunk('iTXt', 'Comment', Buffer.from('short')));

    expect(await structureOf(withChunks(texts))).to.include({ compressedChunks: 0 });
  });

  const ODD: ReadonlyArray<readonly [what: string, data: Buffer]> = [
    ['damaged', Buffer.from('Comment\0\0\x78\x9cno deflate', 'latin1')],
    ['empty', Buffer.alloc(0)],
    ['without the end of its keyword', Buffer.from('Comment')],
    ['cut off', textChunk('zTXt', 'Comment', Buffer.alloc(100_000)).subarray(8, 40)],
  ];
  for (const [what, data] of ODD) {
    it(`may be ${what}: decoders leave them out`, async () => {
      expect(await structureOf(withChunks([pngChunk('zTXt', data)]))).to.include({ compressedChunks: 1 });
    });
  }
});

describe('A colour profile', () => {
  const CARRIERS: ReadonlyArray<readonly [kind: string, carry: (profile: Buffer) => Buffer]> = [
    [
      'a PNG',
      (profile) => rawPng({ ...SMALL, bitDepth: 8, colourType: 'rgb', chunks: [profileChunk(profile)] }),
    ],
    ['a JPEG', (profile) => withSegments(profileSegments(profile))],
    ['a JPEG, in small parts,', (profile) => withSegments(profileSegments(profile, smallPartOf(profile)))],
    ['a JPEG, in reverse order,', (profile) => withSegments(profileSegments(profile, 4_000).toReversed())],
  ];

  const REFUSED: ReadonlyArray<readonly [limit: string, what: string, profile: Buffer]> = [
    ['multi-process', 'a repeated matrix', withElements('D2B0', matrixElement(), 20_000)],
    ['multi-process', 'a repeated set of curves', withElements('D2B3', curvesElement(3), 100)],
    ['multi-process', 'a repeated lookup table', withElements('B2D1', tableElement(9), 100)],
    ['overlapping', 'tables that overlap', overlappingTables([0, 200], [100, 200])],
    ['overlapping', 'a table at the start of another', overlappingTables([0, 200], [0, 100])],
    ['overlapping', 'a table at the end of another', overlappingTables([0, 200], [100, 100])],
  ];
  for (const [carrier, carry] of CARRIERS) {
    for (const [limit, what, profile] of REFUSED) {
      it(`of ${carrier} with ${what} is rejected`, async () => {
        expect((await refusalOf(carry(profile))).message).to.include(limit);
      });
    }

    const ACCEPTED: ReadonlyArray<readonly [what: string, profile: Buffer]> = [
      ['a lookup table', colourProfile(harmlessTags())],
      ['a large lookup table', colourProfile([{ name: 'A2B0', data: lookupTable(33) }])],
      ['100 tags', colourProfile(manyTags(100))],
      [
        'one curve for three colours',
        sharingProfile(
          [
            ['rTRC', 0, 32],
            ['gTRC', 0, 32],
            ['bTRC', 0, 32],
          ],
          Buffer.alloc(32),
        ),
      ],
      [
        'overlapping texts',
        sharingProfile(
          [
            ['desc', 0, 90],
            ['cprt', 28, 12],
          ],
          Buffer.alloc(90),
        ),
      ],
      ['nothing but a part of its header', Buffer.alloc(100)],
      ['a table of tags that is cut off', colourProfile(harmlessTags()).subarray(0, 150)],
      ['101 tags, with which it is ignored', colourProfile(manyTags(101))],
    ];
    for (const [what, profile] of ACCEPTED) {
      it(`of ${carrier} may have ${what}`, async () => {
        expect(await structureOf(carry(profile))).to.include(SMALL);
      });
    }
  }

  ignoredProfiles();

  it('of a JPEG is read as libvips joins it: of equal numbers the last that is not empty counts', async () => {
    const costly = withElements('D2B0', matrixElement(), 9);
    const harmless = colourProfile(harmlessTags());
    const parts = (...contents: readonly Buffer[]): Buffer =>
      withSegments(contents.map((part) => profileSegment(1, 1, part)));

    expect((await refusalOf(parts(harmless, costly, Buffer.alloc(0)))).message).to.include('multi-process');
    expect(await structureOf(parts(costly, harmless))).to.include(SMALL);
  });

  it('of a JPEG is not read behind the first scan', async () => {
    const costly = withElements('D2B0', matrixElement(), 9);
    const between = Buffer.concat(profileSegments(colourProfile(harmlessTags())));
    const before = Buffer.concat(profileSegments(costly));

    expect((await refusalOf(rawJpeg({ ...SMALL, scans: 3, before, between }))).message).to.include(
      'multi-process',
    );
  });

  type Range = readonly [offset: number, size: number];

  function overlappingTables(first: Range, second: Range): Buffer {
    return sharingProfile(
      [
        ['A2B0', ...first],
        ['A2B1', ...second],
      ],
      lookupTable(4),
    );
  }
});

function ignoredProfiles(): void {
  const whole = withElements('D2B0', matrixElement(), 9);
  const [first, ...rest] = profileSegments(whole, 200);
  const IGNORED: ReadonlyArray<readonly [what: string, segments: readonly Buffer[]]> = [
    ['is shorter than it says', profileSegments(whole.subarray(0, -1))],
    ['has no signature', profileSegments(Buffer.concat([Buffer.alloc(128), whole.subarray(128)]))],
    ['has a tag beyond its end', profileSegments(withTagBeyondEnd(whole))],
    ['has 101 tags', profileSegments(colourProfile(manyTags(101)))],
    ['has no first part', rest],
    ['has two parts in the wrong order', renumbered(profileSegments(whole, 200))],
    ['lacks a part', [first as Buffer, ...rest.slice(1)]],
  ];
  for (const [what, segments] of IGNORED) {
    it(`of a JPEG is ignored, and not judged, if it ${what}`, async () => {
      const file = withSegments(segments);
      const { ignoredAt, profileAt } = await structureOf(file);

      expect(profileAt).to.deep.equal([]);
      expect(ignoredAt?.map((at) => file.toString('latin1', at, at + 11))).to.deep.equal(
        segments.map(() => 'ICC_PROFILE'),
      );
    });
  }
}

function withTagBeyondEnd(profile: Buffer): Buffer {
  const copy = Buffer.from(profile);
  // The size of the first tag.
  copy.writeUInt32BE(profile.length, 128 + 4 + 8);
  return copy;
}

/** The first two parts change their numbers. */
function renumbered(segments: readonly Buffer[]): readonly Buffer[] {
  const NUMBER_AT = 4 + 12;
  return segments.map((segment, index) => {
    const copy = Buffer.from(segment);
    if (index < 2) copy[NUMBER_AT] = 2 - index;
    return copy;
  });
}

function manyTags(count: number): Array<{ name: string; data: Buffer }> {
  return Array.from({ length: count }, (_, index) => ({
    name: `t${String(index).padStart(3, '0')}`,
    data: Buffer.alloc(4),
  }));
}

function withElements(name: string, element: Buffer, times: number): Buffer {
  return colourProfile([...harmlessTags(), { name, data: elementChain(element, times) }]);
}

function withSegments(segments: readonly Buffer[]): Buffer {
  return rawJpeg({ ...SMALL, scans: 1, before: Buffer.concat(segments) });
}

/** libvips joins a hundred parts at most. */
function smallPartOf({ length }: Buffer): number {
  return Math.max(13, Math.ceil(length / 100));
}
