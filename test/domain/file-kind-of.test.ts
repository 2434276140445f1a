import { expect } from 'chai';
import * as fc from 'fast-check';
import { FILE_KIND_NAMES, type FileKind } from '../../src/domain/image/file-kind.ts';
import { fileKindOf } from '../../src/domain/image/file-kind-of.ts';
import { SIGNATURE_BYTES } from '../../src/domain/image/media-type-of.ts';
import { FIRST_BYTES } from '../support/kinds/first-bytes.ts';

/** What may stand in front of the first tag of an SVG, with the tag. */
const KIND_BYTES = 1024;

const KINDS: readonly string[] = [...Object.keys(FILE_KIND_NAMES), 'other'];

/** The box that a HEIF file begins with. */
function ftyp(brands: readonly string[], size = 8 + 4 * (brands.length + 1)): Buffer {
  const bytes = Buffer.from(`....ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1');
  bytes.writeUInt32BE(size);
  return bytes;
}

function kindOfText(text: string): FileKind {
  return fileKindOf(Buffer.from(text, 'latin1'));
}

describe('fileKindOf', () => {
  for (const { what, kind, bytes } of FIRST_BYTES) {
    it(`takes ${what} for ${kind}, whatever follows`, () => {
      expect(fileKindOf(bytes)).to.equal(kind);
      expect(fileKindOf(Buffer.concat([bytes, Buffer.alloc(3000, 0xff)]))).to.equal(kind);
    });
  }

  it('needs no more than SIGNATURE_BYTES of any kind but SVG', () => {
    const others = FIRST_BYTES.filter(({ kind }) => kind !== 'svg');
    const short = others.map(({ bytes }) => fileKindOf(bytes.subarray(0, SIGNATURE_BYTES)));
    expect(short).to.deep.equal(others.map(({ kind }) => kind));
  });

  it('knows no file after a leading byte, but an SVG after a leading space', () => {
    for (const { kind, bytes } of FIRST_BYTES) {
      expect(fileKindOf(Buffer.concat([Buffer.of(0x0d), bytes]))).to.equal(kindAfterSpace(kind, bytes));
    }
  });

  it('knows no empty file', () => {
    expect(fileKindOf(new Uint8Array())).to.equal('other');
  });

  it('returns a kind for any bytes', () => {
    const texts = fc
      .array(
        fc.constantFrom('<svg>', '<!--', '-->', '<?', '?>', ' ', '<', '>', '<!DOCTYPE ', 'a', 'svg', ':'),
      )
      .map((parts) => Buffer.from(parts.join('')));
    const boxes = fc
      .tuple(fc.nat({ max: 0xffff_ffff }), fc.uint8Array({ maxLength: 64 }))
      .map(([size, rest]) => Buffer.concat([ftyp([], size).subarray(0, 8), rest]));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 3000 }), texts, boxes), (bytes) =>
        KINDS.includes(fileKindOf(bytes)),
      ),
    );
  });
});

function kindAfterSpace(kind: FileKind, bytes: Buffer): FileKind {
  // A byte order mark is one at the beginning alone.
  return kind === 'svg' && bytes[0] === 0x3c ? 'svg' : 'other';
}

describe('fileKindOf, for a HEIF file,', () => {
  it('prefers AVIF to HEIC, whichever comes first', () => {
    expect(fileKindOf(ftyp(['mif1', 'heic', 'avif']))).to.equal('avif');
    expect(fileKindOf(ftyp(['heic', 'mif1', 'avis']))).to.equal('avif');
    expect(fileKindOf(ftyp(['avif', 'heic']))).to.equal('avif');
  });

  it('takes the brands of HEIF alone for HEIC', () => {
    for (const brand of ['mif1', 'msf1']) expect(fileKindOf(ftyp([brand, 'miaf']))).to.equal('heic');
  });

  it('finds a brand behind a foreign one', () => {
    expect(fileKindOf(ftyp(['isom', 'mp41', 'heic']))).to.equal('heic');
  });

  it('finds a brand at the end of a long box', () => {
    expect(fileKindOf(ftyp([...Array<string>(80).fill('mp41'), 'heic']))).to.equal('heic');
  });

  it('does not take the version for a brand, nor parts of two brands', () => {
    for (const brand of ['heic', 'avif']) {
      const version = ftyp(['isom', 'mp41']);
      version.write(brand, 12);
      expect(fileKindOf(version)).to.equal('other');
    }
    expect(fileKindOf(ftyp(['isom', '..he', 'ic..']))).to.equal('other');
  });

  it('does not look behind the box', () => {
    const box = ftyp(['mif1', 'heic']);
    expect(fileKindOf(Buffer.concat([box, Buffer.from('avif')]))).to.equal('heic');
    expect(fileKindOf(ftyp(['mif1', 'avif', 'heic'], box.length - 4))).to.equal('heic');
  });

  for (const size of [0, 1, 7, 8, 11, 0xffff_ffff]) {
    it(`finds the major brand if the size of the box is ${size}`, () => {
      expect(fileKindOf(ftyp(['heic', 'mif1'], size))).to.equal('heic');
      expect(fileKindOf(ftyp(['crx ', 'isom'], size))).to.equal('raw');
    });
  }

  it('finds no brand in a file that ends before one', () => {
    for (let length = 0; length < 12; length += 1) {
      expect(fileKindOf(ftyp(['heic', 'mif1']).subarray(0, length))).to.equal('other');
    }
  });
});

describe('fileKindOf, for a bitmap,', () => {
  const BMP = Buffer.from('424d3a0100000000000036000000', 'hex');

  for (const at of [6, 7, 8, 9]) {
    it(`wants a zero in byte ${at}`, () => {
      const bytes = Buffer.from(BMP);
      bytes[at] = 1;
      expect(fileKindOf(bytes)).to.equal('other');
    });
  }

  it('wants ten bytes', () => {
    expect([fileKindOf(BMP.subarray(0, 9)), fileKindOf(BMP.subarray(0, 10))]).to.deep.equal(['other', 'bmp']);
  });
});

describe('fileKindOf, for a TIFF,', () => {
  it('tells it from raw files by their own marks alone', () => {
    expect(kindOfText('II*\0\x10\0\0\0CR\x02\0')).to.equal('raw');
    expect(kindOfText('II*\0\x10\0\0\0C')).to.equal('tiff');
    expect(kindOfText('MM\0*\0\0\0\x10CR\x02\0')).to.equal('tiff');
    expect(kindOfText('II*\x01')).to.equal('other');
    expect(kindOfText('MM*\0')).to.equal('other');
  });
});

describe('fileKindOf, for XML,', () => {
  const SVGS = [
    '<svg>',
    '<svg/>',
    '<svg\twidth="1">',
    ' \t\r\n<svg >',
    '\xef\xbb\xbf<svg >',
    '<ns0:svg xmlns:ns0="http://www.w3.org/2000/svg">',
    '<!---->\n<!-- a > b, -- > c --><svg >',
    '<?xml version="1.0"?><?xml-stylesheet href="a.css"?><svg >',
    '<!DOCTYPE svg>',
  ];
  for (const text of SVGS) {
    it(`takes ${JSON.stringify(text)} for an SVG`, () => {
      expect(kindOfText(text)).to.equal('svg');
    });
  }

  const OTHERS = [
    '<svg',
    '<svgz >',
    '<SVG >',
    'svg',
    '<?xml version="1.0"?><html>',
    '<!DOCTYPE html><svg >',
    '<html><svg >',
    '<!-- <svg > ',
    '<? <svg > ',
    'text <svg >',
    '<!-- a --> text <svg >',
  ];
  for (const text of OTHERS) {
    it(`does not take ${JSON.stringify(text)} for an SVG`, () => {
      expect(kindOfText(text)).to.equal('other');
    });
  }

  it(`looks at the first ${KIND_BYTES} bytes`, () => {
    const tag = '<svg>';
    expect(kindOfText(`${' '.repeat(KIND_BYTES - tag.length)}${tag}`)).to.equal('svg');
    expect(kindOfText(`${' '.repeat(KIND_BYTES - tag.length + 1)}${tag}`)).to.equal('other');
  });

  it('needs no long time for comments and instructions without a tag', () => {
    for (const part of ['<!---->', '<?a?>', '<!--', '<?', ' ']) {
      expect(kindOfText(part.repeat(KIND_BYTES))).to.equal('other');
    }
  });
});
