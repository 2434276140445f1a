import { crc32 } from 'node:zlib';
import {
  colourProfile,
  curvesElement,
  elementChain,
  harmlessTags,
  lookupTable,
  matrixElement,
  type ProfileTag,
  sharingProfile,
  tableElement,
} from '../support/fixtures/colour-profiles.ts';
import {
  profileChunk,
  profileSegments,
  textChunk,
  withChunks,
  withSegments,
} from '../support/fixtures/embedded-chunks.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { exifOrientation, jpegSegment, pngChunk, rawJpeg, rawPng } from '../support/fixtures/raw-pictures.ts';
import { anyOf, flipBytes, integer, logUniform, type Random, randomBytes } from './random-choices.ts';

/** The stem of a mutated file: small, so that the mutation is what costs. */
interface Stem {
  readonly format: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

interface Profile {
  readonly of: 'matrix' | 'curves' | 'table' | 'lookup table' | 'overlap' | 'many tags' | 'random tags';
  /** Of an element; or the number of tags. */
  readonly times: number;
  /** Formulas of a curve, or points of a grid. */
  readonly detail: number;
  readonly tag: string;
  /** Bytes of the profile that are changed. */
  readonly flips: number;
  readonly seed: number;
}

interface Texts {
  readonly chunk: 'tEXt' | 'zTXt' | 'iTXt' | 'compressed iTXt' | 'sPLT' | 'eXIf';
  readonly count: number;
  /** Of each, inflated. */
  readonly bytes: number;
  readonly filling: 'letters' | 'latin1' | 'chinese' | 'random';
  readonly keyword: string;
}

interface Soup {
  readonly count: number;
  readonly seed: number;
}

interface Flips {
  readonly count: number;
  /** Only among the first bytes. */
  readonly inHead: boolean;
  /** The checksums of a PNG are right again. */
  readonly repaired: boolean;
  readonly seed: number;
}

/** A small valid file with something unusual in it. It may be accepted or refused. All parameters are here, to repeat it manually. */
export type MutatedFile = { readonly stem: Stem } & (
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'texts'; readonly texts: Texts }
  | { readonly kind: 'soup'; readonly soup: Soup }
  | { readonly kind: 'flips'; readonly flips: Flips }
);

const KINDS = ['profile', 'texts', 'soup', 'flips'] as const;

export function mutatedFile(random: Random): MutatedFile {
  const format = anyOf(['png', 'jpeg'] as const, random);
  const side = (): number => Math.round(logUniform(random, 1, 1_500));
  const stem = { format, width: side(), height: side() };
  const kind = anyOf(KINDS, random);
  switch (kind) {
    case 'profile':
      return { stem, kind, profile: anyProfile(random) };
    case 'texts':
      return { stem: { ...stem, format: 'png' }, kind, texts: anyTexts(random) };
    case 'soup':
      return {
        stem,
        kind,
        soup: { count: Math.round(logUniform(random, 1, 3_000)), seed: integer(random, 1e6) },
      };
    case 'flips':
      return { stem, kind, flips: anyFlips(random) };
  }
}

export function bytesOfMutated(file: MutatedFile): Buffer {
  const plain = plainBytes(file.stem);
  const isPng = file.stem.format === 'png';
  switch (file.kind) {
    case 'profile': {
      const profile = profileBytes(file.profile);
      return isPng
        ? withChunks(plain, [profileChunk(profile)])
        : withSegments(plain, profileSegments(profile));
    }
    case 'texts':
      return withChunks(plain, textChunks(file.texts));
    case 'soup': {
      const random = randomNumbers(file.soup.seed);
      const parts = Array.from({ length: file.soup.count }, () =>
        isPng ? anyChunk(random) : anySegment(random),
      );
      return isPng ? withChunks(plain, parts) : withSegments(plain, parts);
    }
    case 'flips':
      return flipped(plain, file.flips, isPng);
  }
}

/** Inflated. */
export function textBytes({ count, bytes }: Texts): number {
  return count * bytes;
}

function plainBytes({ format, width, height }: Stem): Buffer {
  if (format === 'jpeg') return rawJpeg({ width, height, components: 3, scans: 6 });
  return rawPng({ width, height, colourType: 'rgb', bitDepth: 8, noise: 1 });
}

// ---------------------------------------------------------------- colour profiles

const ELEMENT_TAGS = ['D2B0', 'D2B0', 'D2B0', 'D2B1', 'B2D0', 'A2B0'];
/** Chains of elements more often. */
const PROFILES = [
  'matrix',
  'matrix',
  'curves',
  'curves',
  'table',
  'table',
  'lookup table',
  'overlap',
  'many tags',
  'random tags',
] as const;

function anyProfile(random: Random): Profile {
  return {
    of: anyOf(PROFILES, random),
    times: Math.round(logUniform(random, 1, 50_000)),
    detail: Math.round(logUniform(random, 2, 3_000)),
    tag: anyOf(ELEMENT_TAGS, random),
    flips: random() < 0.3 ? 1 + integer(random, 20) : 0,
    seed: integer(random, 1e6),
  };
}

const MAX_GRID_POINTS = 40;

function profileBytes(profile: Profile): Buffer {
  return flipBytes(unflippedProfile(profile), profile.flips, randomNumbers(profile.seed));
}

function unflippedProfile({ of, times, detail, tag, seed }: Profile): Buffer {
  const withElement = (element: Buffer): Buffer =>
    colourProfile([...harmlessTags(), { name: tag, data: elementChain(element, times) }]);
  const grid = 2 + (detail % MAX_GRID_POINTS);
  switch (of) {
    case 'matrix':
      return withElement(matrixElement());
    case 'curves':
      return withElement(curvesElement(detail));
    case 'table':
      return withElement(tableElement(grid));
    case 'lookup table':
      return colourProfile([...harmlessTags().slice(0, 3), { name: 'A2B0', data: lookupTable(grid) }]);
    case 'overlap':
      return sharingProfile(
        [
          ['A2B0', 0, 300],
          ['A2B1', detail % 200, 200],
          ['desc', detail % 90, 90],
        ],
        lookupTable(4),
      );
    case 'many tags':
      return colourProfile(numberedTags(1 + (times % 300)));
    case 'random tags':
      return colourProfile(randomTags(1 + (times % 30), randomNumbers(seed)));
  }
}

function numberedTags(count: number): ProfileTag[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${1000 + index}`, data: lookupTable(2) }));
}

const TAG_NAMES = [
  'A2B0',
  'A2B1',
  'B2A0',
  'rTRC',
  'gTRC',
  'bTRC',
  'rXYZ',
  'gXYZ',
  'bXYZ',
  'chad',
  'kTRC',
  'wtpt',
];
const TAG_TYPES = ['mft1', 'mft2', 'mAB ', 'mBA ', 'curv', 'para', 'XYZ ', 'sf32', 'mluc', 'ncl2'];

function randomTags(count: number, random: Random): ProfileTag[] {
  return Array.from({ length: count }, () => {
    const body = randomBytes(Math.round(logUniform(random, 8, 5_000)), random);
    const data = Buffer.concat([Buffer.from(anyOf(TAG_TYPES, random), 'latin1'), Buffer.alloc(4), body]);
    return { name: anyOf(TAG_NAMES, random), data };
  });
}

// ---------------------------------------------------------------- texts

const TEXT_CHUNKS = [
  'tEXt',
  'zTXt',
  'zTXt',
  'iTXt',
  'compressed iTXt',
  'compressed iTXt',
  'sPLT',
  'eXIf',
] as const;
const KEYWORDS = [
  'Comment',
  'XML:com.adobe.xmp',
  'Raw profile type exif',
  'x',
  'x'.repeat(79),
  'x'.repeat(200),
  '',
];
const MAX_TEXT_BYTES = 300_000_000;
const MAX_UNCOMPRESSED_BYTES = 45_000_000;

function anyTexts(random: Random): Texts {
  const chunk = anyOf(TEXT_CHUNKS, random);
  const isCompressed = chunk === 'zTXt' || chunk === 'compressed iTXt';
  const total = logUniform(random, 1_000, isCompressed ? MAX_TEXT_BYTES : MAX_UNCOMPRESSED_BYTES);
  const count = Math.round(logUniform(random, 1, 300));
  const filling = anyOf(['letters', 'latin1', 'chinese', 'random'] as const, random);
  // Noise cannot be compressed.
  const most = filling === 'random' ? Math.min(total, MAX_UNCOMPRESSED_BYTES) : total;
  const bytes = Math.ceil(Math.min(most / count, 50_000_000));
  return { chunk, count, bytes, filling, keyword: anyOf(KEYWORDS, random) };
}

function textChunks({ chunk, count, bytes, filling, keyword }: Texts): readonly Buffer[] {
  const text = textOf(filling, bytes);
  return Array.from({ length: count }, () => {
    if (chunk === 'sPLT') {
      return pngChunk(
        'sPLT',
        Buffer.concat([Buffer.from(`${keyword}\0\x08`), text.subarray(0, bytes - (bytes % 6))]),
      );
    }
    if (chunk === 'eXIf') return pngChunk('eXIf', Buffer.concat([exifOrientation(1), text]));
    return textChunk(chunk, keyword, text);
  });
}

/** Noise repeats itself, so that it is cheap to make. */
const NOISE_BYTES = 60_000;

function textOf(filling: Texts['filling'], bytes: number): Buffer {
  switch (filling) {
    case 'letters':
      return Buffer.alloc(bytes, 'A');
    case 'latin1':
      return Buffer.alloc(bytes, 0xe9);
    case 'chinese':
      return Buffer.alloc(bytes, '日本');
    case 'random':
      return Buffer.alloc(bytes, randomBytes(NOISE_BYTES, randomNumbers(bytes)));
  }
}

// ---------------------------------------------------------------- chunks and segments

const CHUNK_LENGTHS: Readonly<Record<string, number>> = {
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  pHYs: 9,
  oFFs: 9,
  tIME: 7,
  bKGD: 6,
  tRNS: 6,
  sBIT: 3,
  hIST: 32,
  PLTE: 48,
  acTL: 8,
  fcTL: 26,
};
const LONG_CHUNKS = ['sPLT', 'pCAL', 'sCAL', 'eXIf', 'iCCP', 'fdAT', 'prVt', 'caBX'];

function anyChunk(random: Random): Buffer {
  const body = (): Buffer => randomBytes(Math.round(logUniform(random, 1, 20_000)), random);
  const choice = random();
  if (choice < 0.2) {
    return textChunk(anyOf(['tEXt', 'zTXt', 'iTXt', 'compressed iTXt'], random), 'Soup', body());
  }
  if (choice < 0.4) return pngChunk(anyOf(LONG_CHUNKS, random), body());
  const [type, length] = anyOf(Object.entries(CHUNK_LENGTHS), random);
  return pngChunk(type, randomBytes(length, random));
}

const [COM, APP0, DQT, DHT, DRI] = [0xfe, 0xe0, 0xdb, 0xc4, 0xdd] as const;
const SEGMENT_HEADS = [
  'JFIF\0',
  'Exif\0\0MM\0*\0\0\0\b',
  'Exif\0\0II*\0\b\0\0\0',
  'ICC_PROFILE\0\u0001\u0001',
  'Adobe\0',
  'MPF\0',
  'Photoshop 3.0\x008BIM\u0004\u0004',
  'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>',
];

function anySegment(random: Random): Buffer {
  const marker = anyOf(
    [COM, DQT, DHT, DRI, ...Array.from({ length: 16 }, (_, index) => APP0 + index)],
    random,
  );
  if (marker === DRI) return jpegSegment(DRI, [0, 0]);
  // A table that is there twice: the later one counts.
  if (marker === DQT) return jpegSegment(DQT, [0, ...randomBytes(64, random).map((byte) => byte | 1)]);
  if (marker === DHT) return jpegSegment(DHT, [3, 1, ...Array.from({ length: 15 }, () => 0), 0]);
  const head = random() < 0.6 ? Buffer.from(anyOf(SEGMENT_HEADS, random), 'latin1') : Buffer.alloc(0);
  return jpegSegment(
    marker,
    Buffer.concat([head, randomBytes(Math.round(logUniform(random, 1, 20_000)), random)]),
  );
}

// ---------------------------------------------------------------- changed bytes

const MAX_FLIPS = 50;
const HEAD_BYTES = 1_000;

function anyFlips(random: Random): Flips {
  return {
    count: 1 + integer(random, MAX_FLIPS),
    inHead: random() < 0.5,
    repaired: random() < 0.5,
    seed: integer(random, 1e6),
  };
}

function flipped(plain: Buffer, { count, inHead, repaired, seed }: Flips, isPng: boolean): Buffer {
  const end = inHead ? Math.min(HEAD_BYTES, plain.length) : plain.length;
  const bytes = flipBytes(Buffer.from(plain), count, randomNumbers(seed), end);
  if (repaired && isPng) repairChecksums(bytes);
  return bytes;
}

function repairChecksums(png: Buffer): void {
  const SIGNATURE_BYTES = 8;
  for (let at = SIGNATURE_BYTES; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length) return;
    png.writeUInt32BE(crc32(png.subarray(at + 4, end)), end);
    at = end + 4;
  }
}
