import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import sharp, { type KernelEnum, type WebpOptions } from 'sharp';
import { describeMachine } from './support/machine.ts';
import { makePhoto, PHOTO_SHAPES } from './support/make-photos.ts';
import { dissimilarity, type Luma, lanczosLuma } from './support/picture-quality.ts';
import { writeResults } from './support/results.ts';
import { mean } from './support/statistics.ts';

/**
 * Prints, and writes as JSON, what the options of a rendition cost and gain: CPU time, size, and dissimilarity to an exact Lanczos3 reduction of all
 * pixels. Arguments: pictures to measure beside the generated photos.
 */

interface Variant {
  readonly name: string;
  readonly fastShrinkOnLoad: boolean;
  readonly kernel: keyof KernelEnum;
  /** Missing: the reduction alone, without loss. */
  readonly webp?: WebpOptions;
}

interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
  /** The exact reduction. */
  readonly reference: Luma;
}

/** Means over the pictures; ratios to the first variant are taken for each picture. */
interface Summary {
  readonly name: string;
  readonly cpuMs: number;
  readonly cpuRatio: number;
  readonly bytesRatio: number;
  readonly dissimilarity: number;
  readonly dissimilarityRatio: number;
}

interface Figures {
  readonly cpuMs: number;
  readonly bytes: number;
  readonly dissimilarity: number;
}

const WIDTH = 320;
const QUALITY = 75;
const REPEATS = 15;
const WHITE = '#ffffff';

/** Without loss; the first one is the service's. */
const REDUCTIONS: readonly Variant[] = (
  ['lanczos3', 'lanczos2', 'mitchell', 'cubic', 'linear'] as const
).flatMap((kernel) => [reductionWith(kernel, true), reductionWith(kernel, false)]);

/** The first one is the service's. */
const ENCODINGS: readonly Variant[] = [
  ...[4, 0, 1, 2, 3, 5, 6].map((effort) => encodingWith(effort, true)),
  ...[4, 2].map((effort) => encodingWith(effort, false)),
];

sharp.cache(false);
sharp.concurrency(1);

const pictures = await Promise.all([
  ...Object.entries(PHOTO_SHAPES).map(async ([name, shape]) =>
    measured(name, (await makePhoto(shape)).bytes),
  ),
  ...process.argv.slice(2).map(async (path) => measured(basename(path), await readFile(path))),
]);
console.log(`${WIDTH} pixels wide, quality ${QUALITY}; ${pictures.map(({ name }) => name).join(', ')}`);
const reductions = await measureAll(REDUCTIONS);
const encodings = await measureAll(ENCODINGS);
await writeResults('rendition-quality', undefined, { machine: describeMachine(), reductions, encodings });

function reductionWith(kernel: Variant['kernel'], fastShrinkOnLoad: boolean): Variant {
  return { name: withShrink(kernel, fastShrinkOnLoad), kernel, fastShrinkOnLoad };
}

function encodingWith(effort: number, fastShrinkOnLoad: boolean): Variant {
  const name = withShrink(`WebP, effort ${effort}`, fastShrinkOnLoad);
  return { name, kernel: 'lanczos3', fastShrinkOnLoad, webp: { quality: QUALITY, effort } };
}

function withShrink(name: string, fastShrinkOnLoad: boolean): string {
  return fastShrinkOnLoad ? name : `${name}, fastShrinkOnLoad off`;
}

async function measured(name: string, bytes: Buffer): Promise<Picture> {
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .flatten({ background: WHITE })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const height = Math.max(1, Math.round((info.height * WIDTH) / info.width));
  return { name, bytes, reference: lanczosLuma({ ...info, data }, { width: WIDTH, height }) };
}

/** Prints a table, one row after the other. */
async function measureAll(variants: readonly Variant[]): Promise<readonly Summary[]> {
  console.log(
    '\n| variant | CPU | to the first | bytes to the first | dissimilarity × 1000 | to the first |',
  );
  console.log('| --- | --- | --- | --- | --- | --- |');
  const summaries: Summary[] = [];
  let first: readonly Figures[] | undefined;
  for (const variant of variants) {
    const figures: Figures[] = [];
    for (const picture of pictures) figures.push(await figuresOf(variant, picture));
    first ??= figures;
    const summary = summarize(variant, figures, first);
    console.log(rowOf(summary));
    summaries.push(summary);
  }
  return summaries;
}

function summarize({ name }: Variant, figures: readonly Figures[], first: readonly Figures[]): Summary {
  const average = (of: (one: Figures) => number): number => mean(figures.map(of));
  const ratio = (of: (one: Figures) => number): number =>
    mean(figures.map((one, at) => of(one) / of(first[at] as Figures)));
  return {
    name,
    cpuMs: average(({ cpuMs }) => cpuMs),
    cpuRatio: ratio(({ cpuMs }) => cpuMs),
    bytesRatio: ratio(({ bytes }) => bytes),
    dissimilarity: average((one) => one.dissimilarity),
    dissimilarityRatio: ratio((one) => one.dissimilarity),
  };
}

function rowOf({ name, cpuMs, cpuRatio, bytesRatio, dissimilarity, dissimilarityRatio }: Summary): string {
  const cells = [
    name,
    `${cpuMs.toFixed(1)} ms`,
    cpuRatio.toFixed(2),
    bytesRatio.toFixed(2),
    (dissimilarity * 1_000).toFixed(1),
    dissimilarityRatio.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function figuresOf(variant: Variant, { bytes, reference }: Picture): Promise<Figures> {
  const rendition = await render(variant, bytes, reference.height);
  const loss = dissimilarity(await lumaOf(rendition), reference);
  const cpuMs = await leastCpuMs(() => render(variant, bytes, reference.height));
  return { cpuMs, bytes: rendition.length, dissimilarity: loss };
}

/** Of several runs: other work on the machine only adds to it. */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

async function render(
  { kernel, fastShrinkOnLoad, webp }: Variant,
  bytes: Buffer,
  height: number,
): Promise<Buffer> {
  const reduced = sharp(bytes, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: WIDTH, height, fit: 'fill', kernel, fastShrinkOnLoad })
    .flatten({ background: WHITE })
    .toColourspace('srgb');
  return await (webp === undefined ? reduced.png({ compressionLevel: 0 }) : reduced.webp(webp)).toBuffer();
}

async function lumaOf(rendition: Buffer): Promise<Luma> {
  const { data, info } = await sharp(rendition)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return lanczosLuma({ ...info, data }, info);
}
