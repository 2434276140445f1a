import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DecoderRenditionMaker } from '../../src/adapters/decoder/decoder-rendition-maker.ts';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { ImageNotFound, InvalidImage, RenditionTooLarge } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { MAX_RENDITION_BYTES, type Rendition } from '../../src/domain/image/rendition.ts';
import { inMemory, type OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import type { RenditionRequester, RenditionSource } from '../../src/domain/ports/pictures/rendition-maker.ts';
import { DECODERS, decoderPool, jobOf, VERSIONS } from '../support/doubles/decoders.ts';
import { madeBytes } from '../support/doubles/made-bytes.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { streamOf } from '../support/fixtures/bytes.ts';
import { ACCEPTED, corpusImage, corpusIsSet, requireCorpus } from '../support/fixtures/corpus.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate } from '../support/time/gate.ts';

const CMYK = 'sharp-Channel_digital_image_CMYK_color.jpg';
const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
const REQUESTER: RenditionRequester = { signal: STAYING, subject: 'a' };
const MAX_PIXELS = 50_000_000;
const MAX_BYTES = 50 * 1024 * 1024;

type Pixel = readonly number[];
type Input = Pick<Image, 'width' | 'height' | 'mediaType'> & { readonly path: string };

const maker = new DecoderRenditionMaker(pixelLimits(MAX_PIXELS), DECODERS, VERSIONS);

function rendition(stated: Partial<Rendition> = {}): Rendition {
  return { fit: 'inside', format: 'png', quality: 75, ...stated };
}

function sourceOf(input: Input, open: () => Promise<OpenedBlob> = () => onDisk(input.path)): RenditionSource {
  const { width, height, mediaType } = input;
  return { image: { ...newImage({ width, height, mediaType }), id: 1, createdAt: new Date() }, open };
}

async function onDisk(path: string): Promise<OpenedBlob> {
  const { size } = await stat(path);
  const bytes = await readFile(path);
  return { size, read: () => streamOf(bytes), localPath: path, close: async () => {} };
}

async function make(input: Input, stated: Partial<Rendition> = {}): Promise<Uint8Array> {
  return await madeBytes(maker, sourceOf(input), rendition(stated), REQUESTER);
}

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly at: (x: number, y: number) => Pixel;
}

/** Decodes any rendition with its own sharp, because that of the service reads only the formats of the catalog. */
async function decode(bytes: Uint8Array): Promise<Decoded> {
  const { data, info } = await anyDecoder(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return {
    width,
    height,
    channels,
    at: (x, y) => [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)],
  };
}

function anyDecoder(bytes: Uint8Array): ReturnType<typeof sharp> {
  sharp.unblock({ operation: ['VipsForeignLoadHeif'] });
  return sharp(bytes, { limitInputPixels: 10_000_000 });
}

function corners({ width, height, at }: Decoded): readonly Pixel[] {
  // Slightly inside, because scaling affects the pixels at the edge.
  const [x, y] = [Math.floor(width / 20), Math.floor(height / 20)];
  return [at(x, y), at(width - 1 - x, y), at(x, height - 1 - y), at(width - 1 - x, height - 1 - y)];
}

function expectNear(actual: Pixel, expected: Pixel, tolerance: number): void {
  expect(actual).to.have.length(expected.length);
  const distance = Math.max(...actual.map((value, band) => Math.abs(value - (expected[band] ?? Number.NaN))));
  expect(distance, `[${actual.join()}] against [${expected.join()}]`).to.be.at.most(tolerance);
}

let folder: string;

const QUARTERS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [128, 128, 128],
];

/** A picture of four quarters: red and green above blue and grey. */
async function quarters(width: number, height: number, mediaType: Image['mediaType']): Promise<Input> {
  const [half, rest] = [Math.floor(width / 2), Math.floor(height / 2)];
  const quarter = (background: string, left: number, top: number) => ({
    input: { create: { width: half, height: rest, channels: 3 as const, background } },
    left,
    top,
  });
  const picture = sharp({ create: { width, height, channels: 3, background: '#808080' } }).composite([
    quarter('#ff0000', 0, 0),
    quarter('#00ff00', width - half, 0),
    quarter('#0000ff', 0, height - rest),
  ]);
  return await written(
    mediaType === 'image/png'
      ? await picture.removeAlpha().png().toBuffer()
      : await picture.jpeg().toBuffer(),
    { width, height, mediaType },
  );
}

async function written(bytes: Uint8Array, facts: Omit<Input, 'path'>): Promise<Input> {
  const path = join(folder, `${facts.width}x${facts.height}-${Math.random()}`);
  await writeFile(path, bytes);
  return { ...facts, path };
}

/** A disc of half-transparent blue on a transparent background. */
async function translucent(): Promise<Input> {
  const background = { r: 0, g: 0, b: 255, alpha: 0.5 };
  const inner = { create: { width: 50, height: 50, channels: 4 as const, background } };
  const picture = sharp({ create: { width: 100, height: 100, channels: 4, background: '#00000000' } });
  const bytes = await picture
    .composite([{ input: inner, left: 25, top: 25 }])
    .png()
    .toBuffer();
  return await written(bytes, { width: 100, height: 100, mediaType: 'image/png' });
}

function useFolder(): void {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-catalog-'));
  });

  after(async () => {
    sharp.block({ operation: ['VipsForeignLoadHeif'] });
    await rm(folder, { recursive: true });
  });
}

describe('DecoderRenditionMaker', () => {
  useFolder();

  describe('encodes', () => {
    for (const format of FORMATS) {
      it(format, async () => {
        const bytes = await make(await quarters(200, 100, 'image/jpeg'), { width: 64, format });

        const metadata = await anyDecoder(bytes).metadata();
        expect(
          metadata.format === 'heif' ? metadata.compression === 'av1' : metadata.format === format,
        ).to.equal(true);
        expect([metadata.width, metadata.height]).to.deep.equal([64, 32]);
      });

      it(`the same ${format} whatever the source of the original`, async () => {
        const input = await quarters(300, 200, 'image/jpeg');
        const bytes = await readFile(input.path);
        const size = bytes.length;
        const local = async (): Promise<OpenedBlob> => inMemory(bytes);
        const remote = async (): Promise<OpenedBlob> => ({
          size,
          read: () => streamOf(bytes, 500),
          close: async () => {},
        });
        const made = await Promise.all(
          [undefined, local, remote].map((open) =>
            madeBytes(maker, sourceOf(input, open), rendition({ width: 64, format }), REQUESTER),
          ),
        );

        expect(new Set(made.map((each) => Buffer.from(each).toString('base64'))).size).to.equal(1);
      });
    }

    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      it(`a smaller ${format} of a lower quality`, async () => {
        const noise = sharp({
          create: { width: 200, height: 200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
        } as never);
        const input = await written(await noise.png().toBuffer(), {
          width: 200,
          height: 200,
          mediaType: 'image/png',
        });

        const sizes = await Promise.all(
          [20, 75, 100].map(async (quality) => (await make(input, { format, quality })).length),
        );

        expect(sizes).to.deep.equal([...sizes].sort((a, b) => a - b));
        expect(new Set(sizes).size).to.equal(3);
      });
    }

    it('PNG losslessly', async () => {
      const made = await decode(await make(await quarters(64, 64, 'image/png'), { quality: 5 }));

      expect(corners(made)).to.deep.equal(QUARTERS);
    });
  });
});

describe('DecoderRenditionMaker', () => {
  useFolder();

  describe('scales to', () => {
    const ROWS: ReadonlyArray<readonly [Partial<Rendition>, readonly [number, number]]> = [
      [{ height: 16 }, [32, 16]],
      [{ width: 64, height: 64, fit: 'cover' }, [64, 64]],
      [{ width: 1920, height: 16, fit: 'contain' }, [1920, 16]],
      [{}, [200, 100]],
    ];
    for (const [asked, expected] of ROWS) {
      it(`${expected.join(' × ')} of 200 × 100 for ${JSON.stringify(asked)}`, async () => {
        const { width, height } = await decode(await make(await quarters(200, 100, 'image/png'), asked));

        expect([width, height]).to.deep.equal(expected);
      });
    }

    for (const fit of ['inside', 'cover', 'contain'] as const) {
      it(`at least one pixel per side of a line, ${fit}`, async () => {
        const size = { width: 2000, height: 1 };
        const grey = sharp({ create: { ...size, channels: 3, background: '#808080' } });
        const input = await written(await grey.png().toBuffer(), { ...size, mediaType: 'image/png' });

        const made = await decode(await make(input, { width: 16, height: 16, fit, format: 'webp' }));

        expect([made.width, made.height]).to.satisfy((sides: number[]) => sides.every((side) => side >= 1));
      });
    }
  });

  it('covers a box with the middle of the picture', async () => {
    const made = await decode(
      await make(await quarters(200, 100, 'image/png'), { width: 64, height: 64, fit: 'cover' }),
    );

    expect(corners(made)).to.deep.equal(QUARTERS);
  });

  for (const [format, padding, tolerance] of [
    ['png', [255, 255, 255, 0], 0],
    ['webp', [255, 255, 255, 0], 0],
    ['avif', [255, 255, 255, 0], 3],
    ['jpeg', [255, 255, 255], 3],
  ] as const) {
    it(`contains a picture in a box with ${padding.length === 4 ? 'transparent' : 'white'} padding in ${format}`, async () => {
      const input = await quarters(200, 100, 'image/jpeg');
      const made = await decode(await make(input, { width: 64, height: 64, fit: 'contain', format }));

      for (const y of [0, 63]) {
        const pixel = made.at(32, y);
        expect(pixel).to.have.length(padding.length);
        // The colour of a transparent pixel does not matter.
        if (padding.length === 4) expect(pixel[3]).to.equal(0);
        else expectNear(pixel, padding, tolerance);
      }
      expectNear(made.at(8, 20).slice(0, 3), [255, 0, 0], 40);
    });
  }

  describe('keeps transparency', () => {
    for (const format of ['png', 'webp', 'avif'] as const) {
      it(`in ${format}`, async () => {
        const made = await decode(await make(await translucent(), { format, width: 64, quality: 100 }));

        expect(made.at(2, 2)[3]).to.equal(0);
        expectNear(made.at(32, 32), [0, 0, 255, 128], 6);
      });
    }

    it('but uses a white background in jpeg', async () => {
      const made = await decode(await make(await translucent(), { format: 'jpeg', width: 64, quality: 100 }));

      expectNear(made.at(2, 2), [255, 255, 255], 3);
      expectNear(made.at(32, 32), [127, 127, 255], 6);
    });
  });
});

describe('DecoderRenditionMaker', () => {
  useFolder();

  describe('does not copy', () => {
    const MARKS = [
      'Exif',
      'GPS',
      'http://ns.adobe.com/xap',
      'xmpmeta',
      'photoshop',
      'NIKON',
      'ICC_PROFILE',
      'iCCP',
    ];
    const FILES = [
      'gps-dscn0010.jpg',
      'photo-iphone.jpg',
      'sharp-gain-map.jpg',
      'cat-chelsea.png',
      'odd-exif-long-description.jpg',
    ];
    for (const file of FILES) {
      for (const format of FORMATS) {
        it(`the metadata of ${file} in ${format}`, async () => {
          const bytes = Buffer.from(await make(await corpusImage(file), { width: 320, format }));

          // In HEIF `Exif` is an item type, which is present only with such an item.
          expect(MARKS.filter((mark) => bytes.includes(mark))).to.deep.equal([]);
          const { exif, xmp, iptc, icc, orientation } = await anyDecoder(bytes).metadata();
          expect([exif, xmp, iptc, icc]).to.deep.equal([undefined, undefined, undefined, undefined]);
          expect(orientation ?? 1).to.equal(1);
        });
      }
    }
  });
});

describe('DecoderRenditionMaker', () => {
  useFolder();

  describe('converts to sRGB', () => {
    it('a picture in Display P3', async () => {
      const image = await corpusImage('sharp-p3.png');
      const made = await decode(await make(image));
      const asStored = await decode(await sharp(image.path, { ignoreIcc: true }).png().toBuffer());

      // Red outside sRGB is clipped to the red of sRGB.
      expect(made.at(4, 4)).to.deep.equal([255, 0, 0, 255]);
      expect(asStored.at(4, 4)).not.to.deep.equal(made.at(4, 4));
    });

    it('a picture in CMYK', async () => {
      const image = await corpusImage(CMYK);
      for (const format of FORMATS) {
        const metadata = await anyDecoder(await make(image, { width: 128, format })).metadata();
        expect([metadata.space, metadata.channels]).to.deep.equal(['srgb', 3]);
      }
      const [made, standard] = await pixelsOfCmyk(image);
      expectNear(made, standard, 60);
    });

    // sharp writes only the profile that it uses for pictures without one.
    it('a picture in CMYK by its own profile', async function () {
      requireCorpus(this);
      const [made, standard] = await pixelsOfCmyk(await corpusImage(CMYK));
      expect(made).not.to.deep.equal(standard);
    });

    /** With its own profile, and with that of pictures without one. */
    async function pixelsOfCmyk(image: Input): Promise<readonly [Pixel, Pixel]> {
      const made = await decode(await make(image, { width: 16, height: 16, fit: 'cover' }));
      const standard = await decode(
        await sharp(image.path, { ignoreIcc: true }).toColourspace('srgb').resize(16, 16).png().toBuffer(),
      );
      return [made.at(8, 8), standard.at(8, 8)];
    }

    it('a grey picture', async () => {
      const image = await corpusImage('pngsuite/basn0g08.png');
      for (const format of FORMATS) {
        const { space } = await anyDecoder(await make(image, { format })).metadata();
        expect(space).to.equal('srgb');
      }
    });

    it('a picture of 16 bits to 8', async () => {
      const { depth } = await anyDecoder(await make(await corpusImage('sharp-tbgn2c16.png'))).metadata();

      expect(depth).to.equal('uchar');
    });
  });

  // libvips reserves the canvas of a WebP several times: the virtual memory of a decoder must have room for it.
  for (const format of ['jpeg', 'png'] as const) {
    it(`makes a ${format} in full size of the largest lossless WebP`, async () => {
      const [width, height] = [8000, MAX_PIXELS / 8000];
      // Opaque, and of more colours than a palette has: libvips and libwebp hold most then.
      const colours = Buffer.from(Array.from({ length: 32 * 32 }, (_, at) => [at % 32, at / 32, 9]).flat());
      const picture = sharp(colours, { raw: { width: 32, height: 32, channels: 3 } });
      const bytes = await picture
        .resize({ width, height, fit: 'fill', kernel: 'nearest' })
        .webp({ lossless: true, effort: 0 })
        .toBuffer();
      // What is behind the end does not count, and takes memory.
      const padding = Buffer.alloc(MAX_BYTES - bytes.length);
      const input = await written(Buffer.concat([bytes, padding]), {
        width,
        height,
        mediaType: 'image/webp',
      });

      const { width: made, format: encoded } = await sharp(await make(input, { format })).metadata();

      expect([made, encoded]).to.deep.equal([width, format]);
    });
  }

  describe('renders everything that an upload accepts', () => {
    corpusIsSet();

    for (const image of ACCEPTED) {
      it(`${image.file} at full size`, async () => {
        const made = await decode(await make(image, { format: 'jpeg' }));

        expect([made.width, made.height]).to.deep.equal([image.width, image.height]);
      });
    }
  });
});

describe('DecoderRenditionMaker', () => {
  useFolder();

  for (const mediaType of ['image/jpeg', 'image/png'] as const) {
    for (const format of FORMATS) {
      it(`a truncated ${mediaType} as ${format}`, async () => {
        const input = await quarters(600, 400, mediaType);
        await truncate(input.path, Math.floor((await stat(input.path)).size / 2));

        expect(await rejection(make(input, { width: 64, format }))).to.be.instanceOf(InvalidImage);
      });
    }
  }

  it('an original that has more pixels than its record says', async () => {
    const input = await quarters(200, 100, 'image/png');

    expect(await rejection(make({ ...input, width: 100 }))).to.be.instanceOf(InvalidImage);
  });

  it('an original of a type that the catalog does not accept', async () => {
    sharp.block({ operation: ['VipsForeignLoadHeif'] });
    const { path } = await quarters(64, 64, 'image/png');
    const bytes = await sharp(path).webp().toBuffer();
    const input = await written(bytes, { width: 64, height: 64, mediaType: 'image/jpeg' });

    expect(await rejection(make(input))).to.be.instanceOf(InvalidImage);
  });

  it('with the error of opening the original', async () => {
    const error = new ImageNotFound();
    const source = sourceOf(await quarters(64, 64, 'image/png'), () => Promise.reject(error));

    expect(await rejection(madeBytes(maker, source, rendition(), REQUESTER))).to.equal(error);
  });

  it('with ImageNotFound an original that is deleted between opening and reading', async () => {
    const input = await quarters(64, 64, 'image/png');
    const error = new ImageNotFound();
    let opens = 0;
    const source = sourceOf(input, async () => {
      opens += 1;
      if (opens > 1) throw error;
      const opened = await onDisk(input.path);
      await rm(input.path);
      return opened;
    });

    expect(await rejection(madeBytes(maker, source, rendition(), REQUESTER))).to.equal(error);
  });

  it('a stream that ends early', async () => {
    const input = await quarters(600, 400, 'image/jpeg');
    const bytes = await readFile(input.path);
    const open = async (): Promise<OpenedBlob> => ({
      size: bytes.length,
      read: () => streamOf(bytes.subarray(0, 1000)),
      close: async () => {},
    });

    expect(await rejection(madeBytes(maker, sourceOf(input, open), rendition(), REQUESTER))).to.be.instanceOf(
      InvalidImage,
    );
  });

  it('closes the original after success and failure', async () => {
    let open = 0;
    const good = await quarters(64, 64, 'image/png');
    const bad = await written(Buffer.from('not a picture'), good);
    for (const input of [good, bad]) {
      const source = sourceOf(input, async () => {
        open += 1;
        const opened = await onDisk(input.path);
        return { ...opened, close: async () => void (open -= 1) };
      });
      await madeBytes(maker, source, rendition(), REQUESTER).catch(() => undefined);
    }

    expect(open).to.equal(0);
  });

  it('opens no original before its turn, and none of a cancelled job', async () => {
    const pool = decoderPool({ renditions: 1 });
    const end = new Gate();
    const running = pool.run(jobOf(), () => end.opened);
    const leaver = new AbortController();
    const source = sourceOf(await quarters(64, 64, 'image/png'), () => Promise.reject(new Error('opened')));
    const made = madeBytes(
      new DecoderRenditionMaker(pixelLimits(MAX_PIXELS), pool, VERSIONS),
      source,
      rendition(),
      {
        signal: leaver.signal,
        subject: 'a',
      },
    );

    leaver.abort();
    end.open();
    await running;

    expect((await rejection(made)).name).to.equal('AbortError');
  });

  it('has a version that does not change between starts and is valid in a file name', async () => {
    const pool = decoderPool({ slots: 2 });
    await Promise.all([DECODERS.start(), pool.start()]);
    const { version } = new DecoderRenditionMaker(pixelLimits(MAX_PIXELS), pool, VERSIONS);
    await pool.stop();

    expect(version).to.equal(maker.version);
    expect(maker.version).to.match(/^[a-z0-9]+$/);
  });
});

describe('DecoderRenditionMaker refuses', () => {
  useFolder();

  it('a rendition of more than 64 MiB, and again without a decoder, but no smaller one', async () => {
    const [width, height] = [6_500, 5_000];
    const noise = randomBytes(width * height * 3);
    const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const input = await written(jpeg, { width, height, mediaType: 'image/jpeg' });
    expect(await rejection(make(input))).to.be.instanceOf(RenditionTooLarge);
    let opens = 0;
    const source = sourceOf(input, async () => {
      opens += 1;
      return await onDisk(input.path);
    });

    expect(await rejection(madeBytes(maker, source, rendition(), REQUESTER))).to.include({
      format: 'png',
      maxBytes: MAX_RENDITION_BYTES,
    });
    expect(opens).to.equal(0);
    await madeBytes(maker, source, rendition({ width: 1_000 }), REQUESTER);
    expect(opens).to.equal(1);
  });
});
