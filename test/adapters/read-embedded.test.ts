import { expect } from 'chai';
import sharp from 'sharp';
import { type EmbeddedBlocks, readEmbedded } from '../../src/decoder/embedded/read-embedded.ts';
import { exifBlock, withExif, withSegment } from '../support/fixtures/exif.ts';

const XMP_NAMESPACES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/elements/1.1/"';

function xmp(subjects: string, before = ''): Buffer {
  const description = `<rdf:Description><d:subject><rdf:Bag>${subjects}</rdf:Bag></d:subject></rdf:Description>`;
  return Buffer.from(`${before}<rdf:RDF ${XMP_NAMESPACES}>${description}</rdf:RDF>`);
}

function dataSet(id: number, value: Uint8Array): Buffer {
  const header = Buffer.from([0x1c, id >> 8, id & 0xff, value.length >> 8, value.length & 0xff]);
  return Buffer.concat([header, value]);
}

function photoshopBlock(records: Uint8Array): Buffer {
  const header = Buffer.from('Photoshop 3.0\x008BIM\x04\x25\0\0\0\0\0\x01x\x008BIM\x04\x04\0\0', 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(records.length);
  return Buffer.concat([header, size, records]);
}

/** As libvips finds them. */
async function blocksOf(file: Buffer): Promise<EmbeddedBlocks> {
  const { exif, ...others } = await sharp(file).metadata();
  return { ...others, exif: exif && [exif] };
}

const keyword = (text: string | Uint8Array): Buffer => dataSet(0x0219, Buffer.from(text as string));

describe('readEmbedded', () => {
  it('reads the camera, the lens and the exposure', () => {
    const exif = exifBlock({
      image: { 0x010f: 'NIKON', 0x0110: ' COOLPIX P6000 ' },
      photo: { 0x829a: [0.004], 0x829d: [5.9], 0x8827: 64, 0x920a: [24], 0xa434: 'Zoom 6–24' },
    });

    const { capture } = readEmbedded({ exif: [exif] });

    expect(capture).to.include({ make: 'NIKON', model: 'COOLPIX P6000', lens: 'Zoom 6–24' });
    expect(capture).to.include({ iso: 64, fNumber: 5.9, exposureSeconds: 0.004, focalLengthMm: 24 });
  });

  it('reads the time with its offset', () => {
    const exif = exifBlock({ photo: { 0x9003: '2026:01:31 12:00:00', 0x9291: '5', 0x9011: '+02:00' } });

    expect(readEmbedded({ exif: [exif] }).capture.takenAt).to.equal('2026-01-31T12:00:00.500+02:00');
  });

  it('ignores the time of the last change and its offset', () => {
    const exif = exifBlock({ image: { 0x0132: '2026:01:31 12:00:00' }, photo: { 0x9010: '+02:00' } });

    expect(readEmbedded({ exif: [exif] }).capture.takenAt).to.equal(null);
  });

  it('reads the position in signed degrees', () => {
    const gps = { 1: 'S', 2: [43, 28, 2.814], 3: 'E', 4: [11, 53, 6.456] };

    const { capture } = readEmbedded({ exif: [exifBlock({ gps })] });

    expect(capture).to.include({ latitude: -43.467_448_3, longitude: 11.885_126_7 });
  });

  it('knows no position if one half is missing or impossible', () => {
    const half = readEmbedded({ exif: [exifBlock({ gps: { 1: 'N', 2: [43, 0, 0] } })] });
    const far = readEmbedded({ exif: [exifBlock({ gps: { 1: 'N', 2: [91, 0, 0], 3: 'E', 4: [1, 0, 0] } })] });

    expect(half.capture).to.not.have.property('latitude');
    expect(far.capture).to.not.have.property('latitude');
  });

  it('removes control characters and bad UTF-8, and cuts texts to 200 characters', () => {
    const bad = Buffer.from([0x43, 0x1b, 0x61, 0xff, 0x74, 0]);
    const { capture } = readEmbedded({
      exif: [exifBlock({ image: { 0x010f: bad, 0x0110: '🐈'.repeat(201) } })],
    });

    expect(capture.make).to.equal('Cat');
    expect(capture.model).to.equal('🐈'.repeat(200));
  });

  it('takes blank texts and zeros as unknown', () => {
    const exif = exifBlock({ image: { 0x010f: '   ' }, photo: { 0x8827: 0, 0x829d: [0] } });

    expect(readEmbedded({ exif: [exif] }).capture).to.include({
      make: null,
      iso: null,
      fNumber: null,
    });
  });

  it('survives every truncation and every changed byte of a block', () => {
    const block = exifBlock({
      image: { 0x010f: 'NIKON' },
      photo: { 0x9003: '2026:01:31 12:00:00', 0x829d: [5.9] },
      gps: { 1: 'N', 2: [1, 2, 3], 3: 'E', 4: [1, 2, 3] },
    });
    for (let index = 0; index < block.length; index += 1) {
      readEmbedded({ exif: [block.subarray(0, index)] });
      const changed = Buffer.from(block);
      changed[index] = 0xff;
      expect(readEmbedded({ exif: [changed] })).to.have.property('capture');
    }
  });

  it('reads the blocks that libvips finds in a JPEG and in a PNG', async () => {
    const exif = exifBlock({ image: { 0x010f: 'NIKON' } });
    const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: 'grey' } });
    const jpeg = withSegment(
      withExif(await plain.clone().jpeg().toBuffer(), exif),
      0xed,
      photoshopBlock(keyword('tabby')),
    );
    const png = await plain
      .clone()
      .withExif({ IFD0: { Make: 'NIKON' } })
      .png()
      .toBuffer();

    expect(readEmbedded(await blocksOf(jpeg))).to.deep.include({ keywords: ['tabby'] });
    expect(readEmbedded(await blocksOf(jpeg)).capture.make).to.equal('NIKON');
    expect(readEmbedded(await blocksOf(png)).capture.make).to.equal('NIKON');
  });
});

describe('readEmbedded for unusual EXIF', () => {
  it('reads pointers of the types SLONG and IFD, and texts of the type UNDEFINED', () => {
    const block = exifBlock({ image: { 0x010f: 'NIKON' }, photo: { 0x829d: [5.9] } });
    const typeAt = (tag: string): number => block.indexOf(Buffer.from(tag, 'hex')) + 3;
    block[typeAt('010f0002')] = 7;

    for (const type of [9, 13]) {
      block[block.indexOf(Buffer.from('8769', 'hex')) + 3] = type;
      expect(readEmbedded({ exif: [block] }).capture).to.include({ make: 'NIKON', fNumber: 5.9 });
    }
  });

  it('reads the first block that is not empty, with every signature that exiftool reads', () => {
    const empty = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0', 'latin1');
    const block = exifBlock({ image: { 0x010f: 'NIKON' } });

    for (const signature of ['Exif\0\0', 'Exif\0\xff', 'EXIF\0\0', 'junkExif\0\0']) {
      const signed = Buffer.concat([Buffer.from(signature, 'latin1'), block.subarray(6)]);
      expect(readEmbedded({ exif: [empty, signed] }).capture.make, signature).to.equal('NIKON');
    }
  });

  it('reads dates with hyphens', () => {
    const { capture } = readEmbedded({
      exif: [
        exifBlock({
          photo: { 0x9003: '2026-01-31 12:00:00' },
          gps: { 7: [10, 0, 0], 0x1d: '2026-01-31' },
        }),
      ],
    });

    expect(capture.takenAt).to.equal('2026-01-31T12:00:00.000+02:00');
  });
});

describe('readEmbedded for keywords', () => {
  it('reads the first 2,000 keywords of IPTC', () => {
    const iptc = photoshopBlock(
      Buffer.concat(Array.from({ length: 2_001 }, (_, index) => keyword(`k${index}`))),
    );

    const { keywords } = readEmbedded({ iptc });

    expect([keywords.length, keywords.at(-1)]).to.deep.equal([2_000, 'k1999']);
  });

  it('reads keywords of IPTC before those of XMP', () => {
    const iptc = photoshopBlock(keyword('tabby'));

    const { keywords } = readEmbedded({ iptc, xmp: xmp('<rdf:li>black &amp; white</rdf:li>') });

    expect(keywords).to.deep.equal(['tabby', 'black & white']);
  });

  it('decodes IPTC as UTF-8 if it is, otherwise as Windows-1252', () => {
    const utf8 = Buffer.concat([dataSet(0x015a, Buffer.from('\u001b%G')), keyword('Kätzchen')]);
    const latin = keyword(Buffer.from('Kätzchen', 'latin1'));

    expect(readEmbedded({ iptc: utf8 }).keywords).to.deep.equal(['Kätzchen']);
    expect(readEmbedded({ iptc: keyword('Kätzchen') }).keywords).to.deep.equal(['Kätzchen']);
    expect(readEmbedded({ iptc: latin }).keywords).to.deep.equal(['Kätzchen']);
  });

  it('survives every truncation of an IPTC block', () => {
    const block = photoshopBlock(Buffer.concat([keyword('one'), keyword('two')]));
    for (let length = 0; length < block.length; length += 1) {
      expect(readEmbedded({ iptc: block.subarray(0, length) }).keywords.length).to.be.at.most(2);
    }
  });

  for (const [title, packet] of [
    ['with a document type', xmp('<rdf:li>cat</rdf:li>', '<!DOCTYPE x [<!ENTITY a "cat">]>')],
    ['with an unknown entity', xmp('<rdf:li>&cat;</rdf:li>')],
    ['that is cut off', xmp('<rdf:li>cat</rdf:li>').subarray(0, -5)],
    ['nested deeper than 64 elements', xmp('<x>'.repeat(65) + '</x>'.repeat(65))],
    ['of more than 64 KiB', xmp(`<rdf:li>${'c'.repeat(65_536)}</rdf:li>`)],
    ['that is not UTF-8', Buffer.concat([xmp('<rdf:li>cat</rdf:li>'), Buffer.from([0xff])])],
  ] as const) {
    it(`takes no keywords from an XMP packet ${title}`, () => {
      expect(readEmbedded({ xmp: packet }).keywords).to.deep.equal([]);
    });
  }

  it('reads an XMP packet that is padded with NUL', () => {
    const padded = Buffer.concat([xmp('<rdf:li>cat</rdf:li>'), Buffer.alloc(10)]);

    expect(readEmbedded({ xmp: padded }).keywords).to.deep.equal(['cat']);
  });
});
