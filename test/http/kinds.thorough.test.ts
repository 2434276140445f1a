import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { exifBlock } from '../support/fixtures/exif.ts';
import { jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { gif, gifFrame } from '../support/kinds/gif-blocks.ts';
import {
  animatedWebp,
  anmf,
  EXIF,
  flatVp8l,
  vp8x,
  webp,
  webpChunk,
  XMP,
} from '../support/kinds/webp-chunks.ts';

const ALL = 'jpeg,png,webp,gif';
const PACKET =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>tabby</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>';

const BOX = { width: 40, height: 30 };
const DOT = { width: 1, height: 1 };
const FRAME = gifFrame(BOX);
const GIF = gif(BOX, [FRAME]);
/** Of all flat GIFs. */
const BLUE = [60, 143, 226, 255];

const FLAT = flatVp8l(BOX, [255, 0, 0]);
const WEBP = webp([FLAT]);

const all = startFor('all', () => TestService.start({ inputFormats: ALL, maxFileBytes: 1_000_000 }));

async function pixelsOf(image: ImageRecord, query: string): Promise<{ data: Buffer; width: number }> {
  const { body } = await all.get(`${image.links.file}?${query}`).buffer(true).expect(200);
  const { data, info } = await sharp(body as Buffer)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width };
}

/** Red, green, blue, and alpha. */
async function colourAt(image: ImageRecord, x: number, y: number): Promise<readonly number[]> {
  const { data, width } = await pixelsOf(image, 'format=png');
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

describe('INPUT_FORMATS', () => {
  it('accepts all four', async () => {
    const pictures = [await jpegPicture(), await pngPicture(), WEBP, GIF];
    const types: unknown[] = [];
    for (const bytes of pictures) {
      const image = await all.upload(bytes, 'cat.bin');
      types.push(image.mediaType);
      const { body } = await all.get(image.links.file).buffer(true).expect('Content-Type', image.mediaType);
      expect(Buffer.compare(body as Buffer, bytes)).to.equal(0);
    }
    expect(types).to.deep.equal(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);
  });
});

describe('An upload of a WebP', () => {
  it('is recorded upright if its EXIF asks for a rotation, and with its camera and keywords', async () => {
    const exif = exifBlock({ image: { 0x0110: 'Lumix', 0x0112: 6 } });
    for (const block of [exif, exif.subarray(6)]) {
      const bytes = webp([
        vp8x(BOX, EXIF | XMP),
        FLAT,
        webpChunk('EXIF', block),
        webpChunk('XMP ', Buffer.from(PACKET)),
      ]);
      const image = await all.upload(bytes);
      expect(image).to.include({ width: 30, height: 40 });
      expect(image.tags).to.deep.equal(['tabby']);
      const { body } = await all.get(image.links.metadata).expect(200);
      expect((body as { capture: object }).capture).to.include({ model: 'Lumix' });
    }
  });

  it('is recorded with the frames of its animation, and shows the first one', async () => {
    const bytes = animatedWebp(BOX, [
      anmf(BOX, [FLAT]),
      anmf({ left: 10, top: 10, ...DOT }, [flatVp8l(DOT, [0, 0, 255])]),
      anmf(BOX, [flatVp8l(BOX, [0, 255, 0])]),
    ]);
    const image = await all.upload(bytes);
    expect(image).to.include({ width: 40, height: 30, frames: 3 });
    expect(await colourAt(image, 10, 10)).to.deep.equal([255, 0, 0, 255]);
    const { body } = await all.get(image.links.self).expect(200);
    expect(body).to.include({ frames: 3 });
  });

  it('puts the first frame of an animation on its canvas', async () => {
    const dot = anmf({ left: 10, top: 20, ...DOT }, [flatVp8l(DOT, [255, 0, 0])]);
    const image = await all.upload(animatedWebp(BOX, [dot]));
    expect(image).to.include({ width: 40, height: 30, frames: 1 });
    expect(await colourAt(image, 10, 20)).to.deep.equal([255, 0, 0, 255]);
    expect((await colourAt(image, 0, 0))[3]).to.equal(0);
  });
});

describe('An upload of a GIF', () => {
  // libvips takes the first and the last of these canvases for the screen of the program that made the file.
  for (const [width, height] of [
    [640, 480],
    [200, 100],
    [2100, 10],
  ] as const) {
    it(`puts its first frame on its canvas of ${width} × ${height}`, async () => {
      const dot = gifFrame({ left: 5, top: 3, ...DOT });
      const image = await all.upload(gif({ width, height }, [dot, gifFrame({ width, height })]));
      expect(image).to.include({ width, height, frames: 2 });
      expect(await colourAt(image, 5, 3)).to.deep.equal(BLUE);
      expect((await colourAt(image, 4, 3))[3]).to.equal(0);
      expect((await colourAt(image, width - 1, height - 1))[3]).to.equal(0);
    });
  }

  it('is rendered as PNG unless another format is asked for', async () => {
    const image = await all.upload(GIF, 'cat.gif');
    const { headers } = await all.get(`${image.links.file}?width=32`).expect('Content-Type', 'image/png');
    expect(headers['content-disposition']).to.equal('inline; filename="cat.png"');
    await all.get(`${image.links.file}?format=auto`).set('Accept', '*/*').expect('Content-Type', 'image/png');
    await all
      .get(`${image.links.self}?width=32`)
      .set('Accept', 'image/*')
      .expect('Content-Type', 'image/png');
    await all.get(image.links.self).set('Accept', 'image/gif').expect('Content-Type', 'image/gif');
  });
});
