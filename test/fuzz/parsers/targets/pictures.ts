import { InvalidImage } from '../../../../src/domain/errors.ts';
import type { MediaType } from '../../../../src/domain/image/media-type.ts';
import { colourProfile, harmlessTags } from '../../../support/fixtures/colour-profiles.ts';
import {
  profileChunk,
  profileSegments,
  textChunk,
  withChunks,
  withSegments,
} from '../../../support/fixtures/embedded-chunks.ts';
import { fileStructure } from '../../../support/fixtures/file-structure.ts';
import { pixelLimits } from '../../../support/fixtures/pixel-limits.ts';
import { pngChunk, rawJpeg, rawPng } from '../../../support/fixtures/raw-pictures.ts';
import { declaringLater, guarantee, type ParserTarget } from './parser-target.ts';

const MAX_PIXELS = 50_000_000;
export const SOURCES = ['/byte-cursor.ts', '/read-structure.ts', '/inflated-size.ts', '/decode-excess.ts'];
export const PROFILE = colourProfile(harmlessTags());
/** Of ITU-R BT.2020. */
const PRIMARIES = Buffer.from('00007a2600008084000114900000721000004268000137540000332c000011f8', 'hex');

const PLAIN_PNG = rawPng({ width: 3, height: 2, colourType: 'palette', bitDepth: 2, isInterlaced: true });

export const png: ParserTarget = {
  tokens: [
    ...['IHDR', 'IDAT', 'IEND', 'eXIf', 'iCCP', 'iTXt', 'tEXt', 'zTXt', 'tRNS', 'sPLT'].map((type) =>
      pngChunk(type, Buffer.from('a\0\0')),
    ),
    profileChunk(PROFILE),
    textChunk('compressed iTXt', 'a', Buffer.alloc(20_000)),
    'A2B0',
    'D2B0',
    'TRC',
  ],
  seeds: [
    PLAIN_PNG,
    withChunks(PLAIN_PNG, [profileChunk(PROFILE), textChunk('zTXt', 'a', Buffer.from('text'))]),
    withChunks(PLAIN_PNG, [textChunk('compressed iTXt', 'a', Buffer.alloc(20_000)), pngChunk('tRNS')]),
    withChunks(PLAIN_PNG, [pngChunk('cICP', Buffer.of(12, 13, 0, 1)), pngChunk('sRGB', Buffer.of(0))]),
    withChunks(PLAIN_PNG, [pngChunk('cHRM', PRIMARIES), pngChunk('gAMA', Buffer.of(0, 1, 0x86, 0xa0))]),
  ],
  maxBytes: 8 * 1024,
  sources: [...SOURCES, '/png-structure.ts', '/png-colour-chunks.ts', '/colour-space.ts'],
  run: (input) => readPicture(input, 'image/png'),
};

const SCAN = Buffer.from('ffda000801010000003f00', 'hex');
const PLAIN_JPEG = rawJpeg({ width: 9, height: 8, components: 3, scans: 3, orientation: 6 });

export const jpeg: ParserTarget = {
  tokens: [
    ...[0xc0, 0xc2, 0xc4, 0xc9, 0xd0, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xed, 0xfe].map((marker) =>
      Uint8Array.of(0xff, marker),
    ),
    Buffer.from('ffc2000b080010001001011100', 'hex'),
    Buffer.from('ffc90011080010001003011100021100031100', 'hex'),
    SCAN,
    ...profileSegments(PROFILE),
    'Exif\0\0',
    'ICC_PROFILE\0\u0001\u0002',
    'A2B0',
    'D2B0',
  ],
  seeds: [PLAIN_JPEG, withSegments(PLAIN_JPEG, profileSegments(PROFILE, 100))],
  maxBytes: 8 * 1024,
  sources: [...SOURCES, '/jpeg-structure.ts'],
  run: (input) => readPicture(input, 'image/jpeg'),
};

export async function readPicture(input: Uint8Array, mediaType: MediaType): Promise<void> {
  await declaringLater([InvalidImage], async () => {
    const { png: _colours, ...structure } = await fileStructure(input, mediaType, pixelLimits(MAX_PIXELS));
    for (const [name, value] of Object.entries(structure)) guarantee(isExact(value), `${name} is exact`);
  });
}

/** Of the numbers in it. */
function isExact(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isExact);
  return value === undefined || typeof value === 'boolean' || Number.isSafeInteger(value);
}
