import { expect } from 'chai';
import { rgbaToThumbHash, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { ImageCatalog, thumbhashColor, thumbhashDataUrl } from '../../client/src/node.ts';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';

describe('srcset of the client', () => {
  const images = new ImageCatalog({ url: 'https://images.example.test/pictures/', getToken: () => 't' });

  it('has all widths below that of the picture, and the first above it as the width of the picture', () => {
    expect(images.srcset(record({ width: 451, widths: [16, 320, 480, 640] }))).to.equal(
      [
        'https://images.example.test/pictures/api/image/7/file?width=16 16w',
        'https://images.example.test/pictures/api/image/7/file?width=320 320w',
        'https://images.example.test/pictures/api/image/7/file?width=480 451w',
      ].join(', '),
    );
  });

  it('carries the other parameters of the rendition', () => {
    expect(images.srcset(record({ width: 100, widths: [64] }), { format: 'webp', quality: 60 })).to.equal(
      'https://images.example.test/pictures/api/image/7/file?width=64&format=webp&quality=60 64w',
    );
  });

  const SIDES = [320, 384, 480, 640, 750, 1080, 1920];

  function boxes(aspectRatio: number, width: number, height: number): readonly string[] {
    const set = images.srcset(record({ width, height, widths: SIDES }), { aspectRatio, format: 'webp' });
    return set.split(', ').map((candidate) => {
      const { url = '', descriptor } = /^(?<url>\S*) (?<descriptor>\d+w)$/.exec(candidate)?.groups ?? {};
      const query = new URL(url).searchParams;
      expect([query.get('fit'), query.get('format')]).to.deep.equal(['cover', 'webp']);
      return `${query.get('width')}x${query.get('height')} ${descriptor}`;
    });
  }

  it('has crops of one shape, and the first that is larger than the picture as wide as it is made', () => {
    expect(boxes(1, 1600, 600)).to.deep.equal([
      '320x320 320w',
      '384x384 384w',
      '480x480 480w',
      '640x640 600w',
    ]);
    expect(boxes(1, 600, 1600)).to.deep.equal([
      '320x320 320w',
      '384x384 384w',
      '480x480 480w',
      '640x640 600w',
    ]);
  });

  it('has crops of nearly that shape if the service has no sides that fit', () => {
    expect(boxes(4 / 5, 4000, 3000)).to.deep.equal(['320x384 320w', '384x480 384w']);
    expect(boxes(16 / 9, 4000, 3000)).to.deep.equal(['1920x1080 1920w']);
  });

  it('takes the same crops with other fits', () => {
    const set = images.srcset(record({ width: 900, height: 900, widths: [320] }), {
      aspectRatio: 1,
      fit: 'contain',
    });
    expect(set).to.match(/\?width=320&height=320&fit=contain 320w$/);
  });
});

describe('thumbhashDataUrl', () => {
  const random = randomNumbers(11);

  for (const [name, width, height, alpha] of [
    ['a landscape', 40, 20, 255],
    ['a portrait', 20, 40, 255],
    ['a square', 32, 32, 255],
    ['a landscape with transparency', 40, 20, 90],
    ['a portrait with transparency', 30, 40, 90],
  ] as const) {
    it(`decodes ${name} as the reference implementation does`, async () => {
      const hash = rgbaToThumbHash(width, height, pixels(width * height, alpha));

      const url = thumbhashDataUrl({ thumbhash: Buffer.from(hash).toString('base64') });

      const { w, h, rgba } = thumbHashToRGBA(hash);
      const png = Buffer.from(url.replace('data:image/png;base64,', ''), 'base64');
      const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(info).to.include({ width: w, height: h });
      const differences = data.map((value, index) => Math.abs(value - (rgba[index] ?? 0)));
      // The sums are added in another order.
      expect(Math.max(...differences)).to.be.at.most(1);
    });
  }

  it('has the mean colour of the reference implementation', () => {
    const hash = rgbaToThumbHash(40, 20, pixels(800, 255));

    const color = thumbhashColor({ thumbhash: Buffer.from(hash).toString('base64') });

    const { r, g, b } = thumbHashToAverageRGBA(hash);
    expect(color).to.equal(`rgb(${[r, g, b].map((part) => Math.trunc(part * 255)).join(' ')})`);
  });

  it('is as small as it is asked for', async () => {
    const hash = rgbaToThumbHash(40, 20, pixels(800, 255));

    const url = thumbhashDataUrl({ thumbhash: Buffer.from(hash).toString('base64') }, 16);

    const png = Buffer.from(url.replace('data:image/png;base64,', ''), 'base64');
    expect(await sharp(png).metadata()).to.include({ width: 16, height: 9 });
  });

  function pixels(count: number, alpha: number): Uint8Array {
    return Uint8Array.from({ length: count * 4 }, (_, index) =>
      index % 4 === 3 && alpha === 255 ? 255 : random() * 256,
    );
  }
});

function record({
  width,
  height = width,
  widths,
}: {
  readonly width: number;
  readonly height?: number;
  readonly widths: readonly number[];
}): ImageRecord {
  const template = '/api/image/7/file{?width,height,fit,format,quality}';
  return { width, height, links: { renditions: { template, widths } } } as unknown as ImageRecord;
}
