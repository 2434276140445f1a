import { readFileSync } from 'node:fs';
import { sharp } from '../../../src/decoder/decoder-options.ts';
import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { ACCEPTED } from '../../support/fixtures/corpus.ts';
import { FOREIGN_FILES } from '../../support/kinds/foreign-files.ts';
import { gif, gifFrame, gifHead, gifLoop, graphicControl } from '../../support/kinds/gif-blocks.ts';
import { anyOf, flipBytes, integer, type Random, randomBytes } from '../random-choices.ts';

/** Small enough for some thousand decodes in a minute. */
const MAX_BYTES = 60_000;

const BOX = { width: 60, height: 45 };

/** Intact pictures of a kind: of the corpora, and generated ones. */
export async function intactPictures(format: InputFormat): Promise<readonly Buffer[]> {
  const mediaType = `image/${format}`;
  const foreign = await Promise.all(
    FOREIGN_FILES.filter((file) => file.mediaType === mediaType).map(async ({ read }) => await read()),
  );
  const corpus = ACCEPTED.filter((file) => file.mediaType === mediaType).map(({ path }) =>
    readFileSync(path),
  );
  const small = [...foreign, ...corpus].filter(({ length }) => length < MAX_BYTES);
  return [...small, ...(await generatedPictures(format))];
}

async function generatedPictures(format: InputFormat): Promise<readonly Buffer[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = sharp({ create: { ...BOX, channels: 3, background: '#888888', noise } });
  switch (format) {
    case 'jpeg':
      return await Promise.all([
        picture.clone().jpeg().toBuffer(),
        picture.clone().jpeg({ progressive: true }).toBuffer(),
        picture.clone().greyscale().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer(),
      ]);
    case 'png':
      return await Promise.all([
        picture.clone().png().toBuffer(),
        picture.clone().png({ progressive: true, palette: true }).withMetadata({ orientation: 6 }).toBuffer(),
      ]);
    case 'webp':
      return await Promise.all([
        picture.clone().webp().toBuffer(),
        picture.clone().webp({ lossless: true }).toBuffer(),
      ]);
    case 'gif':
      return [
        gif(BOX, [
          gifLoop(0),
          graphicControl(1),
          gifFrame(BOX),
          graphicControl(2),
          gifFrame({ width: 9, height: 8 }),
        ]),
        Buffer.concat([gifHead(BOX), gifFrame(BOX), Buffer.of(0x3b)]),
      ];
  }
}

type Damage = (file: Buffer, random: Random, other: Buffer) => Buffer;

const ENDS: Readonly<Record<InputFormat, Buffer>> = {
  jpeg: Buffer.of(0xff, 0xd9),
  png: Buffer.from('0000000049454e44ae426082', 'hex'),
  webp: Buffer.of(),
  gif: Buffer.of(0x3b),
};

const DAMAGES: readonly ((end: Buffer) => Damage)[] = [
  () => (file, random) => file.subarray(0, 12 + integer(random, file.length - 12)),
  (end) => (file, random) => Buffer.concat([file.subarray(0, 12 + integer(random, file.length - 12)), end]),
  () => (file, random) => without(file, random, 1 + integer(random, 2_000)),
  () => (file, random) => zeroed(file, random, 1 + integer(random, 2_000)),
  () => (file, random) => flipBytes(Buffer.from(file), 1 + integer(random, 4), random),
  () => (file, random) => inserted(file, random, randomBytes(1 + integer(random, 40), random)),
  (end) => (file, random, other) => {
    const at = 12 + integer(random, file.length - 12);
    return Buffer.concat([file.subarray(0, at), other, end]);
  },
  () => (file, random, other) => inserted(file, random, other.subarray(integer(random, other.length))),
  () => (file, random) => Buffer.concat([file, randomBytes(integer(random, 50), random)]),
];

/** A file that was damaged in a way that happens: cut, with bytes lost, changed or in between, or joined with another. */
export function damagedFile(format: InputFormat, pictures: readonly Buffer[], random: Random): Buffer {
  const damage = anyOf(DAMAGES, random)(ENDS[format]);
  return damage(anyOf(pictures, random), random, anyOf(pictures, random));
}

function without(file: Buffer, random: Random, count: number): Buffer {
  const at = 12 + integer(random, file.length - 12);
  return Buffer.concat([file.subarray(0, at), file.subarray(at + count)]);
}

function zeroed(file: Buffer, random: Random, count: number): Buffer {
  const at = 12 + integer(random, file.length - 12);
  return Buffer.from(file).fill(0, at, Math.min(file.length, at + count));
}

function inserted(file: Buffer, random: Random, bytes: Buffer): Buffer {
  const at = 12 + integer(random, file.length - 12);
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}
