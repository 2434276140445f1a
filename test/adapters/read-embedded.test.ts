import { expect } from 'chai';
import sharp from 'sharp';
import { type EmbeddedBlocks, readEmbedded } from '../../src/decoder/embedded/read-embedded.ts';
import { exifBlock, withExif, withSegment } from '../support/fixtures/exif.ts';
import { HOSTILE_IPTC, HOSTILE_XMP } from '../support/fixtures/hostile-texts.ts';
import { dataSet, photoshopBlock, xmpList, xmpPacket } from '../support/fixtures/written-blocks.ts';

const XMP_NAMESPACES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/elements/1.1/"';

function xmp(subjects: string, before = ''): Buffer {
  const description = `<rdf:Description><d:subject><rdf:Bag>${subjects}</rdf:Bag></d:subject></rdf:Description>`;
  return Buffer.from(`${before}<rdf:RDF ${XMP_NAMESPACES}>${description}</rdf:RDF>`);
}

/** As libvips finds them. */
async function blocksOf(file: Buffer): Promise<EmbeddedBlocks> {
  const { exif, ...others } = await sharp(file).metadata();
  return { ...others, exif: exif && [exif] };
}

const keyword = (text: string | Uint8Array): Buffer => dataSet(0x0219, text);

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
    const iptc = photoshopBlock(...Array.from({ length: 2_001 }, (_, index) => keyword(`k${index}`)));

    const { keywords } = readEmbedded({ iptc });

    expect([keywords.length, keywords.at(-1)]).to.deep.equal([2_000, 'k1999']);
  });

  it('reads keywords of IPTC before those of XMP', () => {
    const iptc = photoshopBlock(keyword('tabby'));

    const { keywords } = readEmbedded({ iptc, xmp: xmp('<rdf:li>black &amp; white</rdf:li>') });

    expect(keywords).to.deep.equal(['tabby', 'black & white']);
  });

  it('decodes IPTC as UTF-8 if it is, otherwise as Windows-1252', () => {
    const utf8 = Buffer.concat([dataSet(0x015a, '\u001b%G'), keyword('Kätzchen')]);
    const latin = keyword(Buffer.from('Kätzchen', 'latin1'));

    expect(readEmbedded({ iptc: utf8 }).keywords).to.deep.equal(['Kätzchen']);
    expect(readEmbedded({ iptc: keyword('Kätzchen') }).keywords).to.deep.equal(['Kätzchen']);
    expect(readEmbedded({ iptc: latin }).keywords).to.deep.equal(['Kätzchen']);
  });

  it('survives every truncation of an IPTC block', () => {
    const block = photoshopBlock(keyword('one'), keyword('two'));
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

const [UTF8, TITLE, CREATOR, CREDIT, COPYRIGHT, CAPTION] = [0x015a, 0x0205, 0x0250, 0x026e, 0x0274, 0x0278];

/** All texts that the service reads, by field. */
function textsOf(blocks: EmbeddedBlocks): Record<string, string | null | undefined> {
  const { capture, texts } = readEmbedded(blocks);
  const { creator, copyright, credit, usageTerms } = capture;
  return { ...texts, creator, copyright, credit, usageTerms };
}

const LISTS: Readonly<Record<string, string>> = {
  title: xmpList('dc:title', 'Alt', ['Chelsea']),
  description: xmpList('dc:description', 'Alt', ['On the sofa,\nasleep']),
  alt: xmpList('Iptc4xmpCore:AltTextAccessibility', 'Alt', ['A tabby &amp; a sofa']),
  creator: xmpList('dc:creator', 'Seq', ['Ann', ' ', 'Bo']),
  copyright: xmpList('dc:rights', 'Alt', ['© Ann']),
  credit: '<photoshop:Credit><![CDATA[Ann/Reuters]]></photoshop:Credit>',
  usageTerms: xmpList('xmpRights:UsageTerms', 'Alt', ['Ask <!-- Bo --> first']),
};
const OF_LISTS = {
  title: 'Chelsea',
  description: 'On the sofa,\nasleep',
  alt: 'A tabby & a sofa',
  creator: 'Ann, Bo',
  copyright: '© Ann',
  credit: 'Ann/Reuters',
  usageTerms: 'Ask  first',
};

describe('readEmbedded for texts', () => {
  it('reads each property of XMP as an element with a list', () => {
    expect(textsOf({ xmp: xmpPacket(Object.values(LISTS).join('\n')) })).to.deep.equal(OF_LISTS);
  });

  it('reads each property of XMP as an attribute, and as a plain element', () => {
    const names = [
      'dc:title',
      'dc:description',
      'Iptc4xmpCore:AltTextAccessibility',
      'dc:creator',
      'dc:rights',
    ];
    const all = [...names, 'photoshop:Credit', 'xmpRights:UsageTerms'];
    const attributes = all.map((name) => `${name}="${name} &lt;1&gt;"`).join(' ');
    const elements = all.map((name) => `<${name}>${name} &lt;1&gt;</${name}>`).join('');

    const expected = Object.fromEntries(Object.keys(OF_LISTS).map((field, at) => [field, `${all[at]} <1>`]));
    expect(textsOf({ xmp: xmpPacket('', attributes) })).to.deep.equal(expected);
    expect(textsOf({ xmp: xmpPacket(elements) })).to.deep.equal(expected);
  });

  it('prefers the default of a language alternative, then the first that is not blank', () => {
    const title = (items: string): string => `<dc:title><rdf:Alt>${items}</rdf:Alt></dc:title>`;
    const german = '<rdf:li xml:lang="de">Katze</rdf:li>';
    const titleOf = (items: string): unknown => textsOf({ xmp: xmpPacket(title(items)) }).title;

    expect(titleOf(`${german}<rdf:li xml:lang="X-Default">Cat</rdf:li>`)).to.equal('Cat');
    expect(titleOf(`<rdf:li xml:lang="en"> </rdf:li>${german}`)).to.equal('Katze');
    expect(titleOf(`${german}<rdf:li xml:lang="x-default"/>`)).to.equal('Katze');
    const qualified =
      '<rdf:li xml:lang="x-default" rdf:parseType="Resource"><rdf:value>Cat</rdf:value></rdf:li>';
    expect(titleOf(german + qualified)).to.equal('Cat');
  });

  it('reads values with qualifiers, and addresses of rights as resources', () => {
    const title = `<dc:title rdf:parseType="Resource"><rdf:value>Cat</rdf:value><dc:format>x</dc:format></dc:title>`;
    const statement = '<xmpRights:WebStatement rdf:resource="https://example.com/rights"/>';

    const { title: found, usageTerms } = textsOf({ xmp: xmpPacket(title + statement) });

    expect([found, usageTerms]).to.deep.equal(['Cat', 'https://example.com/rights']);
  });

  it('leaves out the properties of other pictures within the packet, and of other namespaces', () => {
    const part = `<dc:relation><rdf:Bag><rdf:li><rdf:Description dc:title="part">${LISTS.creator}</rdf:Description></rdf:li></rdf:Bag></dc:relation>`;
    const foreign = '<x:title>foreign</x:title>';

    expect(Object.values(textsOf({ xmp: xmpPacket(part + foreign) })).filter(Boolean)).to.deep.equal([]);
  });

  for (const charset of [Buffer.alloc(0), dataSet(UTF8, '\u001b%G')]) {
    it(`reads each data set of IPTC ${charset.length === 0 ? 'without' : 'with'} the UTF-8 marker`, () => {
      const iptc = photoshopBlock(
        charset,
        dataSet(TITLE, 'Kätzchen'),
        dataSet(CREATOR, 'Ann'),
        dataSet(CREATOR, 'Bö'),
        dataSet(CREDIT, 'Reuters'),
        dataSet(COPYRIGHT, '© Ann'),
        dataSet(CAPTION, 'Eins\r\nZwei\rDrei'),
      );

      expect(textsOf({ iptc })).to.deep.equal({
        title: 'Kätzchen',
        description: 'Eins\nZwei\nDrei',
        alt: null,
        creator: 'Ann, Bö',
        copyright: '© Ann',
        credit: 'Reuters',
        usageTerms: null,
      });
    });
  }

  it('reads IPTC in Windows-1252 if it is not UTF-8', () => {
    const iptc = dataSet(CAPTION, Buffer.from('K\u00e4tzchen', 'latin1'));

    expect(textsOf({ iptc }).description).to.equal('Kätzchen');
  });

  it('prefers XMP to IPTC, and IPTC to EXIF, unless it is blank', () => {
    const blank = xmpPacket(
      ['dc:title', 'dc:description', 'dc:creator', 'dc:rights', 'photoshop:Credit', 'xmpRights:UsageTerms']
        .map((name) => xmpList(name, 'Alt', [' \n&#x9;']))
        .join('') + '<xmpRights:WebStatement>https://example.com</xmpRights:WebStatement>',
    );
    const full = xmpPacket(Object.values(LISTS).join(''));
    const iptc = photoshopBlock(
      ...[TITLE, CREATOR, CREDIT, COPYRIGHT, CAPTION].map((id) => dataSet(id, `iptc ${id}`)),
    );
    const exif = [exifBlock({ image: { 0x013b: 'Artist', 0x8298: 'Copyright' } })];

    expect(textsOf({ exif, iptc, xmp: full })).to.deep.equal(OF_LISTS);
    expect(textsOf({ exif, iptc, xmp: blank })).to.deep.equal({
      title: `iptc ${TITLE}`,
      description: `iptc ${CAPTION}`,
      alt: null,
      creator: `iptc ${CREATOR}`,
      copyright: `iptc ${COPYRIGHT}`,
      credit: `iptc ${CREDIT}`,
      usageTerms: 'https://example.com',
    });
    expect(textsOf({ exif, iptc: photoshopBlock(dataSet(CREATOR, ' ')) })).to.include({
      creator: 'Artist',
      copyright: 'Copyright',
      title: null,
    });
  });
});

describe('readEmbedded for long and hostile texts', () => {
  it('cuts texts, composed, to what their fields hold', () => {
    const cats = '🐈'.repeat(5_001);
    const decomposed = 'a\u0308'.repeat(201);
    const xmp = xmpPacket(
      xmpList('dc:title', 'Alt', [decomposed]) + xmpList('dc:description', 'Alt', [cats]),
    );
    const exif = [exifBlock({ image: { 0x013b: cats, 0x8298: `${' '.repeat(9)}c` } })];

    expect(textsOf({ xmp, exif })).to.deep.include({
      title: 'ä'.repeat(200),
      description: '🐈'.repeat(5_000),
      creator: '🐈'.repeat(500),
      copyright: 'c',
    });
  });

  it('turns line feeds into blanks except in descriptions, and removes other control characters', () => {
    const text = ' a\u0001&#xd;&#xa;b\u007f\u0085c&#9;\ufffd ';
    const xmp = xmpPacket(xmpList('dc:title', 'Alt', [text.replace('\u0001', '')]));
    const iptc = photoshopBlock(dataSet(CAPTION, 'a\u0001\r\nb\tc'), dataSet(CREDIT, 'a\u0001\r\nb\tc'));

    expect(textsOf({ xmp, iptc })).to.include({ title: 'a bc', description: 'a\nbc', credit: 'a bc' });
  });

  for (const [kind, blocks] of [
    ['xmp', HOSTILE_XMP],
    ['iptc', HOSTILE_IPTC],
  ] as const) {
    for (const [name, block] of Object.entries(blocks)) {
      it(`reads ${kind} with ${name} without an error, up to the limits of the fields`, () => {
        const { description, creator } = textsOf({ [kind]: block });

        expect(description?.length ?? 0).to.be.at.most(5_000);
        expect(creator?.length ?? 0).to.be.at.most(500);
      });
    }
  }

  it('composes no long run of marks, which would take quadratic time', () => {
    const text = `a${'\u0316\u0301'.repeat(6_000)}b`;
    const lists = ['dc:title', 'dc:description'].map((name) => xmpList(name, 'Alt', [text]));

    const { title, description } = textsOf({ xmp: xmpPacket(lists.join('')) });

    const bounded = `a${'\u0316\u0301'.repeat(15)}b`.normalize('NFC');
    expect([title, description]).to.deep.equal([bounded, bounded]);
  });
});
