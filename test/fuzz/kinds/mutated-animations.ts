import {
  colourProfile,
  elementChain,
  harmlessTags,
  matrixElement,
} from '../../support/fixtures/colour-profiles.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { exifOrientation } from '../../support/fixtures/raw-pictures.ts';
import {
  GIF_TRAILER,
  gifApplication,
  gifComment,
  gifExtension,
  gifFrame,
  gifHead,
  gifPlainText,
  graphicControl,
  subBlocks,
} from '../../support/kinds/gif-blocks.ts';
import {
  ANIMATION,
  anim,
  anmf,
  flatVp8l,
  PROFILE,
  vp8x,
  webp,
  webpChunk,
} from '../../support/kinds/webp-chunks.ts';
import { anyOf, flipBytes, integer, logUniform, type Random, randomBytes } from '../random-choices.ts';
import type { AnimationFormat } from './costly-animations.ts';

interface Stem {
  readonly format: AnimationFormat;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** A small valid animation with something unusual in it, with all parameters, to repeat it manually. */
export type MutatedAnimation = { readonly stem: Stem; readonly seed: number } & (
  | { readonly kind: 'flips'; readonly count: number }
  /** Blocks or chunks that are added. */
  | { readonly kind: 'soup'; readonly count: number }
  /** Blocks or chunks that are removed, repeated or in another place. */
  | { readonly kind: 'shuffle'; readonly count: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'profile'; readonly times: number }
);

const KINDS = ['flips', 'flips', 'soup', 'shuffle', 'cut', 'profile'] as const;

export function mutatedAnimation(format: AnimationFormat, random: Random): MutatedAnimation {
  const side = (): number => Math.round(logUniform(random, 1, 500));
  const frames = Math.round(logUniform(random, 1, 40));
  const mutated = { stem: { format, width: side(), height: side(), frames }, seed: integer(random, 1e6) };
  const kind = anyOf(KINDS, random);
  switch (kind) {
    case 'flips':
      return { ...mutated, kind, count: 1 + integer(random, 50) };
    case 'soup':
      return { ...mutated, kind, count: Math.round(logUniform(random, 1, 3_000)) };
    case 'shuffle':
      return { ...mutated, kind, count: 1 + integer(random, 5) };
    case 'cut':
      return { ...mutated, kind };
    case 'profile':
      return format === 'gif'
        ? { ...mutated, kind: 'cut' }
        : { ...mutated, kind, times: Math.round(logUniform(random, 1, 50_000)) };
  }
}

export function bytesOfMutatedAnimation(file: MutatedAnimation): Buffer {
  const random = randomNumbers(file.seed);
  const { format } = file.stem;
  const parts = format === 'gif' ? gifParts(file.stem) : webpParts(file.stem);
  switch (file.kind) {
    case 'flips':
      return flipped(joined(format, parts), file.count, random);
    case 'soup':
      return joined(format, withSoup(parts, file.count, format === 'gif' ? anyBlock : anyChunk, random));
    case 'shuffle':
      return joined(format, shuffled(parts, file.count, random));
    case 'cut':
      return cut(joined(format, parts), random);
    case 'profile':
      return joined(format, [...parts.slice(0, 1), profile(file.times), ...parts.slice(1)]);
  }
}

/** What an upload may get. */
export function statusesOfMutated({ kind }: MutatedAnimation): readonly number[] {
  if (kind === 'cut') return [422];
  // Without its head, a file is of no kind.
  return kind === 'flips' || kind === 'shuffle' ? [201, 415, 422] : [201, 422];
}

function joined(format: AnimationFormat, parts: readonly Buffer[]): Buffer {
  return format === 'gif' ? Buffer.concat([...parts, GIF_TRAILER]) : webp(parts);
}

function gifParts({ width, height, frames }: Stem): readonly Buffer[] {
  const blocks = Array.from({ length: frames }, () => [graphicControl(1), gifFrame({ width, height })]);
  return [gifHead({ width, height }), ...blocks.flat()];
}

function webpParts({ width, height, frames }: Stem): readonly Buffer[] {
  const box = { width, height };
  const frame = anmf(box, [flatVp8l(box)]);
  return [vp8x(box, ANIMATION | PROFILE), anim(), ...Array<Buffer>(frames).fill(frame)];
}

/** The head stays the first. */
function withSoup(
  [head = Buffer.of(), ...parts]: readonly Buffer[],
  count: number,
  any: (random: Random) => Buffer,
  random: Random,
): readonly Buffer[] {
  const all = parts;
  const added = Array.from({ length: count }, () => any(random));
  const places = added.map(() => integer(random, all.length + 1));
  return [
    head,
    ...[...all, Buffer.of()].flatMap((part, index) => [
      ...added.filter((_, at) => places[at] === index),
      part,
    ]),
  ];
}

function anyBlock(random: Random): Buffer {
  const body = (): Buffer => randomBytes(Math.round(logUniform(random, 1, 5_000)), random);
  return anyOf(
    [
      () => gifComment(body()),
      () => gifPlainText('soup'),
      () => gifExtension(integer(random, 256), subBlocks(body(), 1 + integer(random, 255))),
      () => gifApplication('XMP DataXMP', subBlocks(body())),
      () => gifApplication('NETSCAPE2.0', subBlocks(body())),
      () => graphicControl(3, integer(random, 256)),
    ],
    random,
  )();
}

const CHUNK_TYPES = ['EXIF', 'XMP ', 'ICCP', 'ALPH', 'ANIM', 'VP8X', 'abcd', 'VP8 ', 'VP8L'];

function anyChunk(random: Random): Buffer {
  const type = anyOf(CHUNK_TYPES, random);
  const body = randomBytes(Math.round(logUniform(random, 1, 5_000)), random);
  return webpChunk(
    type,
    type === 'EXIF' ? Buffer.concat([exifOrientation(1 + integer(random, 9)), body]) : body,
  );
}

function shuffled(parts: readonly Buffer[], count: number, random: Random): readonly Buffer[] {
  const changed = [...parts];
  for (let change = 0; change < count; change += 1) {
    const [from, to] = [integer(random, changed.length), integer(random, changed.length)];
    const part = changed[from] ?? Buffer.of();
    const choice = random();
    if (choice < 0.6) changed.splice(from, 1);
    if (choice > 0.3) changed.splice(to, 0, part);
  }
  return changed;
}

/** In half of the files, of the head alone. */
function flipped(bytes: Buffer, count: number, random: Random): Buffer {
  return flipBytes(bytes, count, random, random() < 0.5 ? Math.min(100, bytes.length) : bytes.length);
}

/** The signature stays, so that the file is of its kind. */
function cut(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, 12 + integer(random, bytes.length - 12));
}

function profile(times: number): Buffer {
  const tags = [...harmlessTags(), { name: 'D2B0', data: elementChain(matrixElement(), times) }];
  return webpChunk('ICCP', colourProfile(tags));
}
