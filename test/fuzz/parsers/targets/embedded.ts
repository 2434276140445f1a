import { readEmbedded } from '../../../../src/decoder/embedded/read-embedded.ts';
import { checkPatch, parseTags } from '../../../../src/domain/image/check-patch.ts';
import type { Capture } from '../../../../src/domain/image/image-metadata.ts';
import { formatCaptureTime } from '../../../../src/domain/image/time/capture-time.ts';
import { parseCaptureTime } from '../../../../src/domain/image/time/parse-capture-time.ts';
import { keywordTags } from '../../../../src/domain/image/words/tags.ts';
import { exifBlock } from '../../../support/fixtures/exif.ts';
import { dataSet, xmpList, xmpPacket } from '../../../support/fixtures/written-blocks.ts';
import { guarantee, guaranteeSame, type ParserTarget } from './parser-target.ts';

const TAGS_OF_EXIF = [
  0x010f, 0x0110, 0x013b, 0x8298, 0x8769, 0x8825, 0x829a, 0x829d, 0x8827, 0x9003, 0x9004, 0x9011, 0x9012,
  0x9291, 0x9292, 0x920a, 0xa434, 1, 2, 3, 4, 7, 0x1d,
];

export const exif: ParserTarget = {
  tokens: [
    ...TAGS_OF_EXIF.flatMap((tag) => [
      Uint8Array.of(tag >> 8, tag & 255),
      Uint8Array.of(tag & 255, tag >> 8),
    ]),
    ...[2, 3, 4, 5, 7, 9, 13, 129].flatMap((type) => [Uint8Array.of(0, type), Uint8Array.of(type, 0)]),
    'Exif\0\0II*\0\b\0\0\0',
    'Exif\0\0MM\0*\0\0\0\b',
    'Exif\0\xff',
    '2026:01:31 12:00:00\0',
    '2026-01-31\0',
    '+02:00\0',
    '-14:00\0',
    'N\0',
    'W\0',
  ],
  seeds: [
    exifBlock({
      image: { 0x010f: 'ACME', 0x0110: 'Camera 1', 0x013b: 'Ann', 0x8298: '© Ann' },
      photo: {
        0x9003: '2026:01:31 12:00:00',
        0x9291: '25',
        0x9011: '+02:00',
        0x829a: [0.008],
        0x829d: [2.8],
        0x8827: 200,
        0x920a: [50],
        0xa434: 'Lens',
      },
      gps: { 1: 'N', 2: [48, 8, 15.5], 3: 'E', 4: [11, 34, 30], 7: [10, 0, 0], 0x1d: '2026:01:31' },
    }),
    exifBlock({
      photo: { 0x9004: '2026:01:31 12:00:00', 0x9292: '5' },
      gps: { 7: [10, 2, 0], 0x1d: '2026:01:31' },
    }),
  ],
  maxBytes: 4 * 1024,
  sources: ['/read-exif.ts', '/byte-reader.ts', '/read-embedded.ts', '/camera-time.ts', '/capture-time.ts'],
  run: (input) => checkCapture(readEmbedded({ exif: [input] }).capture),
};

export const iptc: ParserTarget = {
  tokens: [
    'Photoshop 3.0\0',
    '8BIM\u0004\u0004\0\0\0\0\0\u0010',
    '8BIM',
    Buffer.from('1c015a00031b2547', 'hex'),
    Buffer.from('1c02190003636174', 'hex'),
    ...[0x0205, 0x0219, 0x0250, 0x026e, 0x0274, 0x0278].map((id) => dataSet(id, 'é')),
    '\r\n',
    Buffer.from('efbfbd', 'hex'),
    'é',
    ',',
  ],
  seeds: [
    Buffer.from('1c015a00031b25471c02190003636174', 'hex'),
    Buffer.concat([
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x08', 'latin1'),
      Buffer.from('1c02190003e96174', 'hex'),
    ]),
  ],
  maxBytes: 16 * 1024,
  sources: ['/read-iptc.ts', '/byte-reader.ts', '/tags.ts', '/fold.ts', '/file-text.ts', '/read-embedded.ts'],
  run: (input) => checkWritten(readEmbedded({ iptc: input })),
};

const PACKET = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>cat</rdf:li>
<rdf:li><![CDATA[a & b]]>&amp;</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>\0`;

const TEXTS = xmpPacket(
  ['dc:title', 'dc:description', 'dc:creator', 'dc:rights', 'xmpRights:UsageTerms']
    .map((name) => xmpList(name, 'Alt', ['a\u0301&#10;b', ' ']))
    .join('') + xmpList('Iptc4xmpCore:AltTextAccessibility', 'Alt', ['a']),
  'photoshop:Credit="c"',
);

export const xmp: ParserTarget = {
  tokens: [
    ...'<a> </a> <!-- &#x10ffff; &#0; &a; <dc:subject \0'.split(' '),
    ...((PACKET + TEXTS.toString()).match(/<[^>]+>/g) ?? []),
    ' rdf:resource="r"',
    '\u0316',
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<!DOCTYPE x [<!ENTITY a "aaaa">]>',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"',
  ],
  seeds: [PACKET, TEXTS],
  maxBytes: 8 * 1024,
  sources: [
    '/read-xmp.ts',
    '/node_modules/saxes/',
    '/tags.ts',
    '/fold.ts',
    '/file-text.ts',
    '/read-embedded.ts',
  ],
  run: (input) => checkWritten(readEmbedded({ xmp: input })),
};

/** What is stored and shown needs no more checks. */
function checkCapture(capture: Capture): void {
  const { takenAt, make, model, lens, iso, fNumber, exposureSeconds, focalLengthMm, latitude, longitude } =
    capture;
  const { creator, copyright, credit, usageTerms } = capture;
  for (const text of [make, model, lens]) checkText(text, 200);
  for (const text of [creator, copyright, credit, usageTerms]) checkText(text, 500);
  for (const number of [iso, fNumber, exposureSeconds, focalLengthMm]) {
    guarantee(number === null || (number > 0 && number < Number.POSITIVE_INFINITY), 'numbers are positive');
  }
  guarantee((latitude === undefined) === (longitude === undefined), 'a position has both parts');
  guarantee(Math.abs(latitude ?? 0) <= 90 && Math.abs(longitude ?? 0) <= 180, 'a position is on Earth');
  const time = parseCaptureTime(takenAt ?? '');
  guarantee(
    takenAt === null || (time !== undefined && formatCaptureTime(time) === takenAt),
    'a time is canonical',
  );
}

function checkText(text: string | null, maxLength: number): void {
  const isClean =
    text === null || (text !== '' && Array.from(text).length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(text));
  guarantee(isClean, 'texts are short and printable');
}

function checkWritten({ capture, keywords, texts }: ReturnType<typeof readEmbedded>): void {
  checkCapture(capture);
  const tags = keywordTags(keywords);
  guaranteeSame(parseTags(tags, 'tags'), tags, 'keywords are tags');
  const said = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
  guaranteeSame(checkPatch(said), said, 'texts are what a client could write');
  guarantee(!Object.values(said).includes(''), 'no text is empty');
}
