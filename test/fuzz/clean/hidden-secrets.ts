import { deflateSync } from 'node:zlib';
import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { colourProfile, harmlessTags } from '../../support/fixtures/colour-profiles.ts';
import {
  profileChunk,
  profileSegment,
  profileSegments,
  textChunk,
} from '../../support/fixtures/embedded-chunks.ts';
import { exifBlock } from '../../support/fixtures/exif.ts';
import { jpegSegment, pngChunk } from '../../support/fixtures/raw-pictures.ts';
import {
  dataSet,
  photoshopBlock,
  XMP_SIGNATURE,
  xmpList,
  xmpPacket,
} from '../../support/fixtures/written-blocks.ts';
import {
  gifApplication,
  gifComment,
  gifExtension,
  gifPlainText,
  subBlocks,
} from '../../support/kinds/gif-blocks.ts';
import { anmf, flatVp8l, webpChunk } from '../../support/kinds/webp-chunks.ts';
import { anyOf, integer, type Random } from '../random-choices.ts';

type Hide = (secret: Buffer, random: Random) => Buffer;

const PROFILE = colourProfile(harmlessTags());

export interface Hidden {
  readonly part: Buffer;
  readonly isColouring: boolean;
}

/** A part with the secret, of a kind or in a form that a clean file does not have. */
export function hiddenSecret(format: InputFormat, secret: Buffer, random: Random): Hidden {
  const isColouring = COLOURING[format].length > 0 && random() < 0.1;
  return { part: anyOf((isColouring ? COLOURING : HIDDEN)[format], random)(secret, random), isColouring };
}

function latin1(text: string, ...rest: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(text, 'latin1'), ...rest]);
}

function exif(secret: Buffer): Buffer {
  const image = { 0x010e: secret, 0x013b: secret, 0x8298: secret };
  return exifBlock({ image, photo: { 0x927c: secret }, gps: { 1: 'N', 2: [52, 31, 0] } });
}

/** The secret is in each property that the service reads. */
function xmp(secret: Buffer): Buffer {
  const text = secret.toString('latin1');
  const simple = ['photoshop:Credit', 'xmpRights:WebStatement'].map((name) => `${name}="${text}"`);
  return xmpPacket(XMP_LISTS.map((name) => xmpList(name, 'Alt', [text])).join(''), simple.join(' '));
}

const XMP_LISTS = [
  'dc:subject',
  'dc:title',
  'dc:description',
  'dc:creator',
  'dc:rights',
  'xmpRights:UsageTerms',
  'Iptc4xmpCore:AltTextAccessibility',
];
const IPTC_TEXTS = [0x0205, 0x0219, 0x0250, 0x026e, 0x0274, 0x0278];

const segmentOf =
  (marker: number, head: string): Hide =>
  (secret) =>
    jpegSegment(marker, latin1(head, secret));

const JPEG: readonly Hide[] = [
  segmentOf(0xfe, ''),
  segmentOf(0xe0, 'JFXX\0\x13'),
  segmentOf(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\x02\x02'),
  (secret) => jpegSegment(0xe0, latin1('JFIF\0', secret.subarray(0, 8))),
  (secret) => jpegSegment(0xe1, exif(secret)),
  segmentOf(0xe1, `${XMP_SIGNATURE}<x:xmpmeta>`),
  (secret) => jpegSegment(0xe1, latin1(XMP_SIGNATURE, xmp(secret))),
  (secret) => jpegSegment(0xed, photoshopBlock(...IPTC_TEXTS.map((id) => dataSet(id, secret)))),
  segmentOf(0xe1, 'http://ns.adobe.com/xmp/extension/\0'),
  segmentOf(0xe2, 'MPF\0MM\0*'),
  segmentOf(0xeb, 'JP\0\x01'),
  segmentOf(0xed, 'Photoshop 3.0\x008BIM\x04\x04'),
  segmentOf(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
  (secret) => jpegSegment(0xee, latin1('Adobe\0', secret.subarray(0, 5))),
  segmentOf(0xef, ''),
  (secret, random) => jpegSegment(0xe3 + integer(random, 12), secret),
  // Between parts. Right behind a scan, they would belong to its data.
  (secret) => Buffer.concat([jpegSegment(0xfe, Buffer.of(0)), secret]),
  (secret) => Buffer.concat([Buffer.of(0xff, 0x01), secret]),
];

/** Of types that are kept with another length. */
const KEPT_CHUNKS = [
  'PLTE',
  'gAMA',
  'cHRM',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'bKGD',
  'pHYs',
  'acTL',
  'fcTL',
];
const OTHER_CHUNKS = [
  'eXIf',
  'tIME',
  'sPLT',
  'hIST',
  'pCAL',
  'sCAL',
  'oFFs',
  'dSIG',
  'gIFx',
  'caBX',
  'prVt',
  'iDOT',
];

const PNG: readonly Hide[] = [
  (secret) => textChunk('tEXt', 'Comment', secret),
  (secret) => textChunk('iTXt', 'XML:com.adobe.xmp', secret),
  (secret, random) => {
    const kind = anyOf(['iTXt', 'compressed iTXt'] as const, random);
    return textChunk(kind, 'XML:com.adobe.xmp', xmp(secret));
  },
  (secret) => textChunk('zTXt', 'Comment', latin1('', secret, secret)),
  (secret) => pngChunk('tRNS', Buffer.alloc(300, secret)),
  (secret) => pngChunk('eXIf', exif(secret).subarray(6)),
  (secret, random) => pngChunk(anyOf(OTHER_CHUNKS, random), secret),
  (secret, random) => pngChunk(anyOf(KEPT_CHUNKS, random), secret),
  (secret) => damaged(pngChunk('pHYs', secret.subarray(0, 9))),
  // Only the first one is kept. A change of one byte leaves one of the two in front.
  (secret) => {
    const [first, later] = [
      pngChunk('cHRM', Buffer.alloc(32, 1)),
      pngChunk('cHRM', Buffer.alloc(32, secret)),
    ];
    return Buffer.concat([first, first, later]);
  },
];

/** In two bytes of its CRC: a change of one byte must not repair it. */
function damaged(chunk: Buffer): Buffer {
  for (const at of [1, 2]) chunk[chunk.length - at] = (chunk.at(-at) as number) ^ 1;
  return chunk;
}

const WEBP: readonly Hide[] = [
  (secret) => webpChunk('EXIF', exif(secret).subarray(6)),
  (secret) => webpChunk('XMP ', secret),
  (secret) => webpChunk('XMP ', xmp(secret)),
  (secret) => webpChunk('ANIM', latin1('\0\0\0\0\0\0', secret)),
  (secret) => webpChunk('prVt', secret),
  (secret) => anmf({ width: 11, height: 7 }, [webpChunk('prVt', secret), flatVp8l({ width: 11, height: 7 })]),
  (secret) => anmf({ width: 11, height: 7 }, [flatVp8l({ width: 11, height: 7 }), webpChunk('EXIF', secret)]),
];

const GIF: readonly Hide[] = [
  (secret) => gifComment(secret),
  (secret) => gifPlainText(secret.toString('latin1')),
  (secret) => gifApplication('XMP DataXMP', latin1('', secret, Buffer.of(1, 0))),
  (secret) => gifApplication('ICCRGBG1012', subBlocks(secret)),
  (secret) => gifApplication('NETSCAPE2.0', subBlocks(secret)),
  (secret) => gifApplication('NETSCAPE2.0', Buffer.concat([Buffer.of(3, 1, 2, 0), subBlocks(secret)])),
  (secret) => gifApplication(secret.toString('latin1', 0, 11), subBlocks(Buffer.of(1, 0, 0))),
  (secret, random) => gifExtension(integer(random, 0xf0), subBlocks(secret)),
];

const HIDDEN: Readonly<Record<InputFormat, readonly Hide[]>> = { jpeg: JPEG, png: PNG, webp: WEBP, gif: GIF };

/** Decoders may take them for the profile of the picture, or for a graphic control: then it has other colours than its clean form. */
const COLOURING: Readonly<Record<InputFormat, readonly Hide[]>> = {
  jpeg: [
    segmentOf(0xe2, 'ICC_PROFILE\0\x01\x01'),
    segmentOf(0xe2, 'ICC_PROFILE\0\x07\x09'),
    (secret) => profileSegment(1, 1, latin1('', PROFILE, secret)),
    (secret) => Buffer.concat([profileSegment(1, 1, secret), ...profileSegments(PROFILE)]),
  ],
  png: [
    (secret) => profileChunk(secret),
    (secret) => pngChunk('iCCP', latin1(secret.toString('latin1'), Buffer.of(0, 0), deflateSync(PROFILE))),
    (secret) => pngChunk('iCCP', latin1('name\0\0', deflateSync(PROFILE), secret)),
    (secret) => pngChunk('iCCP', latin1('name\0\0', deflateSync(latin1('', PROFILE, secret), { level: 0 }))),
    (secret) => pngChunk('iCCP', latin1('\0\0', secret)),
  ],
  webp: [(secret) => webpChunk('ICCP', secret), (secret) => webpChunk('ICCP', latin1('', PROFILE, secret))],
  gif: [
    (secret) => gifExtension(0xf9, subBlocks(secret)),
    (secret) => gifExtension(0xf9, Buffer.concat([Buffer.of(4, 0, 0, 0, 0), subBlocks(secret)])),
  ],
};
