import { crc32 } from 'node:zlib';
import type { InputFormat } from '../../src/domain/image/media-type.ts';
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
import { profileChunk, profileSegments, textChunk } from '../support/fixtures/embedded-chunks.ts';
import { exifOrientation, pngChunk, rawJpeg, rawPng } from '../support/fixtures/raw-pictures.ts';
import { GIF_TRAILER, gifFrame, gifHead, graphicControl } from '../support/kinds/gif-blocks.ts';
import {
  ANIMATION,
  anim,
  anmf,
  flatVp8l,
  PROFILE,
  vp8x,
  type WebpBox,
  webp,
  webpChunk,
} from '../support/kinds/webp-chunks.ts';
import { hiddenSecret } from './clean/hidden-secrets.ts';
import { pictureParts } from './picture-parts.ts';
import { anyOf, flipBytes, integer, logUniform, type Random, randomBytes } from './random-choices.ts';

type Parts = readonly Buffer[];

/** A small valid file with something unusual in it. It may be accepted or refused. */
export interface MutatedFile {
  readonly format: InputFormat;
  readonly kind: Kind;
  readonly bytes: Buffer;
  /** Of all frames before the mutation. */
  readonly pixels: number;
  /** That were added. */
  readonly texts?: Texts;
}

const KINDS = {
  jpeg: ['profile', 'soup', 'shuffle', 'flips', 'cut'],
  png: ['profile', 'texts', 'soup', 'shuffle', 'flips', 'cut'],
  webp: ['profile', 'soup', 'shuffle', 'flips', 'cut'],
  gif: ['soup', 'shuffle', 'flips', 'cut'],
} as const satisfies Readonly<Record<InputFormat, readonly string[]>>;

type Kind = (typeof KINDS)[InputFormat][number];

export function mutatedFile(format: InputFormat, random: Random): MutatedFile {
  const kind = anyOf<Kind>(KINDS[format], random);
  const { parts, pixels } = anyStem(format, random);
  const texts = kind === 'texts' ? { texts: anyTexts(random) } : {};
  const added = texts.texts === undefined ? [] : textChunks(texts.texts, random);
  const bytes =
    kind === 'texts' ? joined(format, behindTheFirst(parts, added)) : MUTATIONS[kind](format, parts, random);
  return { format, kind, bytes, pixels, ...texts };
}

/** Small, so that the mutation is what costs. */
function anyStem(format: InputFormat, random: Random): { readonly parts: Parts; readonly pixels: number } {
  const isAnimated = format === 'webp' || format === 'gif';
  const side = (): number => Math.round(logUniform(random, 1, isAnimated ? 500 : 1_500));
  const box = { width: side(), height: side() };
  const frames = isAnimated ? Math.round(logUniform(random, 1, 40)) : 1;
  return { parts: STEMS[format](box, frames), pixels: box.width * box.height * frames };
}

const STEMS: Readonly<Record<InputFormat, (box: WebpBox, frames: number) => Parts>> = {
  jpeg: (box) => pictureParts('jpeg', rawJpeg({ ...box, components: 3, scans: 6 })),
  png: (box) => pictureParts('png', rawPng({ ...box, colourType: 'rgb', bitDepth: 8, noise: 1 })),
  webp: (box, frames) => [
    vp8x(box, ANIMATION | PROFILE),
    anim(),
    ...Array<Buffer>(frames).fill(anmf(box, [flatVp8l(box)])),
  ],
  gif: (box, frames) => [
    gifHead(box),
    ...Array.from({ length: frames }, () => [graphicControl(1), gifFrame(box)]).flat(),
  ],
};

const ENDS = { jpeg: Buffer.of(0xff, 0xd9), png: pngChunk('IEND'), gif: GIF_TRAILER } as const;

function joined(format: InputFormat, parts: Parts): Buffer {
  return format === 'webp' ? webp(parts) : Buffer.concat([...parts, ENDS[format]]);
}

function behindTheFirst([first = Buffer.of(), ...others]: Parts, added: Parts): Parts {
  return [first, ...added, ...others];
}

const MUTATIONS: Readonly<
  Record<Exclude<Kind, 'texts'>, (format: InputFormat, parts: Parts, random: Random) => Buffer>
> = {
  profile: (format, parts, random) =>
    joined(format, behindTheFirst(parts, PROFILE_PARTS[format](anyProfile(random)))),
  soup: (format, parts, random) => joined(format, withSoup(format, parts, random)),
  shuffle: (format, parts, random) => joined(format, shuffled(parts, random)),
  flips: (format, parts, random) => flipped(format, joined(format, parts), random),
  // The signature stays, so that the file is of its kind.
  cut: (format, parts, random) => {
    const whole = joined(format, parts);
    return whole.subarray(0, 12 + integer(random, whole.length - 12));
  },
};

/** Parts of any kind, with random content. */
function withSoup(format: InputFormat, parts: Parts, random: Random): Parts {
  const soup = [...parts];
  for (let left = Math.round(logUniform(random, 1, 3_000)); left > 0; left -= 1) {
    const content = randomBytes(Math.round(logUniform(random, 1, 5_000)), random);
    soup.splice(1 + integer(random, soup.length), 0, hiddenSecret(format, content, random).part);
  }
  return soup;
}

/** Removed, repeated or in another place. */
function shuffled(parts: Parts, random: Random): Parts {
  const changed = [...parts];
  for (let left = 1 + integer(random, 5); left > 0; left -= 1) {
    const [from, to] = [integer(random, changed.length), integer(random, changed.length)];
    const part = changed[from] ?? Buffer.of();
    const choice = random();
    if (choice < 0.6) changed.splice(from, 1);
    if (choice > 0.3) changed.splice(to, 0, part);
  }
  return changed;
}

const HEAD_BYTES = 1_000;

/** In half of the files, of the head alone; in half of the PNGs, with checksums that are right again. */
function flipped(format: InputFormat, bytes: Buffer, random: Random): Buffer {
  const end = random() < 0.5 ? Math.min(HEAD_BYTES, bytes.length) : bytes.length;
  flipBytes(bytes, 1 + integer(random, 50), random, end);
  if (format === 'png' && random() < 0.5) repairChecksums(bytes);
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

// ---------------------------------------------------------------- colour profiles

const PROFILE_PARTS: Readonly<Record<InputFormat, (profile: Buffer) => Parts>> = {
  jpeg: profileSegments,
  png: (profile) => [profileChunk(profile)],
  webp: (profile) => [webpChunk('ICCP', profile)],
  gif: () => [],
};

const ELEMENT_TAGS = ['D2B0', 'D2B0', 'D2B0', 'D2B1', 'B2D0', 'A2B0'];
const MAX_GRID_POINTS = 40;

function anyProfile(random: Random): Buffer {
  const times = Math.round(logUniform(random, 1, 50_000));
  const detail = Math.round(logUniform(random, 2, 3_000));
  const grid = 2 + (detail % MAX_GRID_POINTS);
  const chainOf = (element: Buffer): Buffer =>
    colourProfile([
      ...harmlessTags(),
      { name: anyOf(ELEMENT_TAGS, random), data: elementChain(element, times) },
    ]);
  const chains = [
    () => chainOf(matrixElement()),
    () => chainOf(curvesElement(detail)),
    () => chainOf(tableElement(grid)),
  ];
  const others = [
    () => colourProfile([...harmlessTags().slice(0, 3), { name: 'A2B0', data: lookupTable(grid) }]),
    () => overlappingProfile(detail),
    () => colourProfile(numberedTags(1 + (times % 300))),
    () => colourProfile(randomTags(1 + (times % 30), random)),
  ];
  const profile = anyOf([...chains, ...chains, ...others], random)();
  return random() < 0.3 ? flipBytes(profile, 1 + integer(random, 20), random) : profile;
}

function overlappingProfile(detail: number): Buffer {
  return sharingProfile(
    [
      ['A2B0', 0, 300],
      ['A2B1', detail % 200, 200],
      ['desc', detail % 90, 90],
    ],
    lookupTable(4),
  );
}

function numberedTags(count: number): ProfileTag[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${1000 + index}`, data: lookupTable(2) }));
}

const TAG_NAMES = 'A2B0 A2B1 B2A0 rTRC gTRC bTRC rXYZ gXYZ bXYZ chad kTRC wtpt'.split(' ');
const TAG_TYPES = ['mft1', 'mft2', 'mAB ', 'mBA ', 'curv', 'para', 'XYZ ', 'sf32', 'mluc', 'ncl2'];

function randomTags(count: number, random: Random): ProfileTag[] {
  return Array.from({ length: count }, () => {
    const body = randomBytes(Math.round(logUniform(random, 8, 5_000)), random);
    const data = Buffer.concat([Buffer.from(anyOf(TAG_TYPES, random), 'latin1'), Buffer.alloc(4), body]);
    return { name: anyOf(TAG_NAMES, random), data };
  });
}

// ---------------------------------------------------------------- texts

interface Texts {
  readonly chunk: (typeof TEXT_CHUNKS)[number];
  readonly count: number;
  /** Of each, inflated. */
  readonly bytes: number;
  readonly keyword: string;
}

const COMPRESSED = ['zTXt', 'zTXt', 'compressed iTXt', 'compressed iTXt'] as const;
const TEXT_CHUNKS = ['tEXt', 'iTXt', 'sPLT', 'eXIf', ...COMPRESSED] as const;
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
  const isCompressed = (COMPRESSED as readonly string[]).includes(chunk);
  const total = logUniform(random, 1_000, isCompressed ? MAX_TEXT_BYTES : MAX_UNCOMPRESSED_BYTES);
  const count = Math.round(logUniform(random, 1, 300));
  return {
    chunk,
    count,
    bytes: Math.ceil(Math.min(total / count, 50_000_000)),
    keyword: anyOf(KEYWORDS, random),
  };
}

/** The text repeats itself, so that it is cheap to make and to compress. */
function textChunks({ chunk, count, bytes, keyword }: Texts, random: Random): Parts {
  const filling = anyOf(['A', Buffer.of(0xe9), '日本', randomBytes(1_000, random)], random);
  const made = textPart(chunk, keyword, Buffer.alloc(bytes, filling));
  return Array<Buffer>(count).fill(made);
}

function textPart(chunk: Texts['chunk'], keyword: string, text: Buffer): Buffer {
  if (chunk === 'eXIf') return pngChunk('eXIf', Buffer.concat([exifOrientation(1), text]));
  if (chunk !== 'sPLT') return textChunk(chunk, keyword, text);
  const entries = text.subarray(0, text.length - (text.length % 6));
  return pngChunk('sPLT', Buffer.concat([Buffer.from(`${keyword}\0\x08`), entries]));
}
