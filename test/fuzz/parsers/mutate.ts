import { anyOf, integer, type Random } from '../random-choices.ts';

export interface Material {
  readonly random: Random;
  readonly tokens: readonly Uint8Array[];
  /** Not empty. */
  readonly corpus: readonly Uint8Array[];
  readonly maxBytes: number;
}

type Mutation = (input: Buffer, material: Material) => Uint8Array;

const MAX_STEPS = 5;

/** Another input, made of one of the corpus by some random steps. Shorter ones of the corpus, which run faster, are chosen more often. */
export function mutate(material: Material): Uint8Array {
  const { random, corpus, maxBytes } = material;
  const [one, other] = [anyOf(corpus, random), anyOf(corpus, random)];
  let input = one.length < other.length ? one : other;
  for (let steps = 1 + integer(random, MAX_STEPS); steps > 0; steps -= 1) {
    input = anyOf(MUTATIONS, random)(Buffer.from(input), material).subarray(0, maxBytes);
  }
  return Uint8Array.from(input);
}

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  setByte,
  setNumber,
  changeDigit,
  insertBytes,
  insertToken,
  insertToken,
  overwriteWithToken,
  removeBytes,
  copyBytes,
  repeatBytes,
  repeatToken,
  crossOver,
];

function flipBit(input: Buffer, { random }: Material): Uint8Array {
  const at = integer(random, input.length);
  if (input.length > 0) input[at] = (input[at] ?? 0) ^ (1 << integer(random, 8));
  return input;
}

function setByte(input: Buffer, { random }: Material): Uint8Array {
  const value = anyOf([0, 1, 0x20, 0x7f, 0x80, 0xff, integer(random, 256)], random);
  if (input.length > 0) input[integer(random, input.length)] = value;
  return input;
}

const NUMBERS = [0, 1, 2, 7, 8, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** Lengths, counts and offsets of binary formats. */
function setNumber(input: Buffer, { random }: Material): Uint8Array {
  const bytes = anyOf([2, 4], random);
  if (input.length < bytes) return input;
  const at = integer(random, input.length - bytes + 1);
  const old = input.readUIntBE(at, bytes);
  const value = anyOf([...NUMBERS, old + 1, old - 1, input.length, input.length - at], random);
  const masked = (value >>> 0) % 2 ** (8 * bytes);
  if (random() < 0.5) input.writeUIntBE(masked, at, bytes);
  else input.writeUIntLE(masked, at, bytes);
  return input;
}

function changeDigit(input: Buffer, { random }: Material): Uint8Array {
  const start = integer(random, input.length + 1);
  const at = input.subarray(start).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
  if (at !== -1) input[start + at] = 0x30 + integer(random, 10);
  return input;
}

function insertBytes(input: Buffer, { random }: Material): Uint8Array {
  const bytes = Uint8Array.from({ length: 1 + integer(random, 8) }, () => integer(random, 256));
  return replaced(input, integer(random, input.length + 1), 0, bytes);
}

function insertToken(input: Buffer, { random, tokens }: Material): Uint8Array {
  return replaced(input, integer(random, input.length + 1), 0, anyToken(tokens, random));
}

function overwriteWithToken(input: Buffer, { random, tokens }: Material): Uint8Array {
  const token = anyToken(tokens, random);
  return replaced(input, integer(random, input.length + 1), token.length, token);
}

function anyToken(tokens: readonly Uint8Array[], random: Random): Uint8Array {
  return tokens.length === 0 ? new Uint8Array([integer(random, 256)]) : anyOf(tokens, random);
}

function removeBytes(input: Buffer, { random }: Material): Uint8Array {
  return replaced(input, integer(random, input.length + 1), 1 + someLength(input, random));
}

function copyBytes(input: Buffer, { random }: Material): Uint8Array {
  return replaced(input, integer(random, input.length + 1), 0, somePart(input, random));
}

/** What takes quadratic time shows itself in long runs. */
function repeatBytes(input: Buffer, material: Material): Uint8Array {
  return repeated(input, somePart(input, material.random), material);
}

function repeatToken(input: Buffer, material: Material): Uint8Array {
  return repeated(input, anyToken(material.tokens, material.random), material);
}

function repeated(input: Buffer, part: Uint8Array, { random, maxBytes }: Material): Uint8Array {
  const room = Math.max(0, maxBytes - input.length);
  const times = Math.floor(Math.min(2 ** (14 * random() ** 3), room / Math.max(1, part.length)));
  return replaced(input, integer(random, input.length + 1), 0, Buffer.alloc(times * part.length, part));
}

function crossOver(input: Buffer, { random, corpus }: Material): Uint8Array {
  const other = Buffer.from(anyOf(corpus, random));
  return replaced(
    input,
    integer(random, input.length + 1),
    someLength(input, random),
    somePart(other, random),
  );
}

function somePart(input: Buffer, random: Random): Uint8Array {
  const start = integer(random, input.length + 1);
  return input.subarray(start, start + 1 + someLength(input, random));
}

/** Small ones more often. */
function someLength(input: Buffer, random: Random): number {
  return Math.floor(input.length * random() ** 3);
}

function replaced(input: Buffer, at: number, length: number, by: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.concat([input.subarray(0, at), by, input.subarray(at + length)]);
}
