import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { readPngBlocks } from '../../src/decoder/embedded/png-blocks.ts';
import type { Inspected } from '../../src/decoder/protocol.ts';
import { orientationFor } from '../../src/decoder/steps/orient.ts';
import { NOTHING_FOUND } from '../../src/decoder/structure/file-structure.ts';
import { uploadOutcome } from '../support/fixtures/clean-file.ts';
import { textChunk, withChunks, withSegments } from '../support/fixtures/embedded-chunks.ts';
import { exifBlock } from '../support/fixtures/exif.ts';
import { jpegSegment, pngChunk } from '../support/fixtures/raw-pictures.ts';

const TURNED = exifBlock({ image: { 0x010f: 'Cam', 0x0112: 6 } });
const SIGNATURE_BYTES = 6;
const TURNED_TIFF = TURNED.subarray(SIGNATURE_BYTES);
const EMPTY_TIFF = Buffer.from('MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1');
const EMPTY = Buffer.concat([Buffer.from('Exif\0\0'), EMPTY_TIFF]);
/** Signature, and IHDR with its length, type and checksum. */
const PNG_HEAD_BYTES = 8 + 25;
const END_BYTES = 12;

/** White above black; on its side, the halves are next to each other. */
function halves(): ReturnType<typeof sharp> {
  const black = { create: { width: 96, height: 64, channels: 3 as const, background: '#000000' } };
  const white = { create: { width: 96, height: 32, channels: 3 as const, background: '#ffffff' } };
  return sharp(black).composite([{ input: white, left: 0, top: 0 }]);
}

async function png(...chunks: readonly Buffer[]): Promise<Buffer> {
  return withChunks(await halves().png().toBuffer(), chunks);
}

async function pngWithChunksAfterPixels(...chunks: readonly Buffer[]): Promise<Buffer> {
  const file = await png();
  return Buffer.concat([file.subarray(0, -END_BYTES), ...chunks, file.subarray(-END_BYTES)]);
}

/** A chunk with another checksum. */
function damaged(chunk: Buffer): Buffer {
  return Buffer.concat([chunk.subarray(0, -4), Buffer.alloc(4)]);
}

async function jpeg(...blocks: readonly Buffer[]): Promise<Buffer> {
  return withSegments(
    await halves().jpeg().toBuffer(),
    blocks.map((block) => jpegSegment(0xe1, block)),
  );
}

async function uprightFacts(make: typeof png): Promise<Inspected> {
  return await uploadOutcome(await make());
}

describe('The orientation of a picture', () => {
  const exif = (content: Buffer): Buffer => pngChunk('eXIf', content);
  const TWO_BLOCKS: ReadonlyArray<readonly [what: string, file: () => Promise<Buffer>]> = [
    ['a PNG whose first block is no EXIF', () => png(exif(Buffer.from('abcd')), exif(TURNED_TIFF))],
    ['a PNG whose first block has one byte', () => png(exif(Buffer.from('M')), exif(TURNED_TIFF))],
    ['a PNG whose first block is empty', () => png(exif(EMPTY_TIFF), exif(TURNED_TIFF))],
    ['a PNG whose first block has a wrong checksum', () => png(damaged(exif(EMPTY_TIFF)), exif(TURNED_TIFF))],
    ['a JPEG whose first block is empty', () => jpeg(EMPTY, TURNED)],
    ['a JPEG with a segment that only libvips takes for EXIF', () => jpeg(Buffer.alloc(40, 'Exif'), TURNED)],
    ['a JPEG with 100 blocks', () => jpeg(...Array<Buffer>(100).fill(TURNED))],
  ];
  for (const [what, file] of TWO_BLOCKS) {
    it(`turns both the record and the pixels of ${what}`, async () => {
      const [upright, once, facts] = [
        await uprightFacts(what.startsWith('a PNG') ? png : jpeg),
        await uploadOutcome(await (what.startsWith('a PNG') ? png(exif(TURNED_TIFF)) : jpeg(TURNED))),
        await uploadOutcome(await file()),
      ];

      expect(facts).to.deep.include({ width: 64, height: 96, hashes: once.hashes });
      expect(facts.hashes).to.not.deep.equal(upright.hashes);
      expect(facts.embedded.capture.make).to.equal('Cam');
    });
  }

  it('is upright if the only block with an orientation is the ninth', async () => {
    const facts = await uploadOutcome(await jpeg(...Array<Buffer>(8).fill(EMPTY), TURNED));

    expect(facts).to.deep.include({ width: 96, height: 64, hashes: (await uprightFacts(jpeg)).hashes });
  });
});

describe('orientationFor', () => {
  const structure = {
    ...NOTHING_FOUND,
    width: 96,
    height: 64,
    bytesPerPixel: 3,
    heldBytes: 0,
    hasExif: true,
  };

  it('is the orientation of the file for an upload', () => {
    expect(orientationFor({ ...structure, orientation: 6 })).to.equal(6);
    expect(orientationFor(structure)).to.equal(1);
  });

  it('is the orientation of the file if the record has the size of the turned picture', () => {
    expect(orientationFor({ ...structure, orientation: 8 }, { width: 64, height: 96 })).to.equal(8);
    expect(orientationFor({ ...structure, orientation: 3 }, { width: 96, height: 64 })).to.equal(3);
  });

  it('is upright if the record has the size of the picture in the file', () => {
    expect(orientationFor({ ...structure, orientation: 6 }, { width: 96, height: 64 })).to.equal(1);
  });

  it('is the orientation of the file if the record has neither size', () => {
    expect(orientationFor({ ...structure, orientation: 6 }, { width: 5, height: 5 })).to.equal(6);
  });
});

describe('readPngBlocks', () => {
  const packet = (keyword: string): Buffer =>
    Buffer.from(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>${keyword}</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF>`,
    );
  const KEYWORD = 'XML:com.adobe.xmp';

  for (const kind of ['iTXt', 'compressed iTXt'] as const) {
    it(`finds keywords in XMP in front of the pixels and after them, as ${kind}`, async () => {
      const chunk = textChunk(kind, KEYWORD, packet('tabby'));
      for (const file of [await png(chunk), await pngWithChunksAfterPixels(chunk)]) {
        expect((await uploadOutcome(file)).embedded.keywords).to.deep.equal(['tabby']);
      }
    });
  }

  it('ignores a packet that inflates to more than is read', async () => {
    const bomb = textChunk('compressed iTXt', KEYWORD, Buffer.alloc(20_000_000, ' '));

    expect(readPngBlocks(await pngWithChunksAfterPixels(bomb)).xmp).to.equal(undefined);
  });

  it('ignores chunks whose checksum is wrong', async () => {
    const chunks = [pngChunk('eXIf', TURNED_TIFF), textChunk('iTXt', KEYWORD, packet('tabby'))];

    expect(readPngBlocks(await png(...chunks.map(damaged)))).to.deep.equal({ exif: [], xmp: undefined });
  });

  it('takes at most 8 blocks of EXIF of a million chunks, and the packet behind them', async () => {
    const file = await pngWithChunksAfterPixels(
      Buffer.alloc(12 * 500_000, pngChunk('eXIf')),
      Buffer.alloc(12 * 500_000, pngChunk('iTXt')),
      textChunk('iTXt', KEYWORD, packet('tabby')),
    );
    const { exif, xmp } = readPngBlocks(file);

    expect(exif).to.have.length(8);
    expect(Buffer.from(xmp as Uint8Array)).to.deep.equal(packet('tabby'));
  });

  it('reads as far as the structure is right', async () => {
    const chunk = pngChunk('eXIf', TURNED_TIFF);
    const file = await png(chunk);
    for (let end = 0; end <= file.length; end += 1) {
      const isThere = end >= PNG_HEAD_BYTES + chunk.length;
      expect(readPngBlocks(file.subarray(0, end)).exif.length, String(end)).to.equal(isThere ? 1 : 0);
    }
  });
});
