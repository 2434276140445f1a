import { sharp } from '../../src/decoder/decoder-options.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import {
  MAX_SCANS_PER_COMPONENT,
  type Orientation,
  type PngColourType,
  type RawJpeg,
  type RawPng,
  rawJpeg,
  rawPng,
  withOrientation,
} from '../support/fixtures/raw-pictures.ts';
import { anyOf, integer, logUniform, type Random } from './random-choices.ts';

interface NoisyJpeg {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly quality: number;
  readonly noise: number;
  readonly orientation?: Orientation;
}

/** A generated picture whose size and cost are known, with all parameters, so that it can be repeated manually. */
export type CostlyPicture =
  | { readonly kind: 'png'; readonly picture: RawPng }
  | { readonly kind: 'jpeg of many scans'; readonly picture: RawJpeg }
  | { readonly kind: 'noisy jpeg'; readonly picture: NoisyJpeg };

interface Size {
  readonly width: number;
  readonly height: number;
}

const BIT_DEPTHS: Readonly<Record<PngColourType, readonly RawPng['bitDepth'][]>> = {
  grey: [1, 2, 4, 8, 16],
  rgb: [8, 16],
  palette: [1, 2, 4, 8],
  'grey+alpha': [8, 16],
  rgba: [8, 16],
};

// Limits of an upload and of renditions, and values just above them.
const NOTABLE_SIDES = [1, 16_383, 16_384, 65_500, 65_501, 65_535, 65_536, 1_000_000];
const NOTABLE_PIXELS = [8_300_000, 16_800_000, 50_000_000, 65_000_000];
const NOTABLE_SCANS = [100, 101];
const MAX_JPEG_SIDE = 65_535;
const MAX_SIDE = 10_000_000;
const MIN_PIXELS = 1_000;
const MAX_PIXELS = 110_000_000;
/** Noise must be encoded by the test itself. */
const MAX_NOISY_PIXELS = 8_300_000;

const KINDS = {
  png: ['png'],
  jpeg: ['jpeg of many scans', 'jpeg of many scans', 'noisy jpeg'],
} as const;

/** Any legal kind, within the limits of an upload or above them. */
export function costlyPicture(format: keyof typeof KINDS, random: Random): CostlyPicture {
  const orientation = random() < 0.5 ? {} : { orientation: (1 + integer(random, 8)) as Orientation };
  const kind = anyOf<CostlyPicture['kind']>(KINDS[format], random);
  switch (kind) {
    case 'png':
      return { kind, picture: { ...anySize(random, MAX_SIDE), ...anyPngKind(random), ...orientation } };
    case 'jpeg of many scans':
      return { kind, picture: { ...anyScans(random, anySize(random, MAX_JPEG_SIDE)), ...orientation } };
    case 'noisy jpeg':
      return { kind, picture: { ...anyNoise(random), ...orientation } };
  }
}

export async function bytesOf(made: CostlyPicture): Promise<Buffer> {
  switch (made.kind) {
    case 'png':
      return rawPng(made.picture);
    case 'jpeg of many scans':
      return rawJpeg(made.picture);
    case 'noisy jpeg':
      return await noisyJpeg(made.picture);
  }
}

/** The displayed size. */
export function shownSize({ picture: { width, height, orientation = 1 } }: CostlyPicture): Size {
  return orientation < 5 ? { width, height } : { width: height, height: width };
}

function anySize(random: Random, maxSide: number): Size {
  const isNotable = random() < 0.2;
  const pixels = isNotable ? anyOf(NOTABLE_PIXELS, random) : logUniform(random, MIN_PIXELS, MAX_PIXELS);
  const longer = random() < 0.5 ? logUniform(random, 1, pixels) : Math.sqrt(pixels) * (0.5 + random());
  const side = Math.min(maxSide, random() < 0.2 ? anyOf(NOTABLE_SIDES, random) : Math.ceil(longer));
  const other = Math.min(maxSide, Math.max(1, Math.floor(pixels / side) + integer(random, 2)));
  return random() < 0.5 ? { width: side, height: other } : { width: other, height: side };
}

function anyPngKind(random: Random): Pick<RawPng, 'colourType' | 'bitDepth' | 'isInterlaced' | 'noise'> {
  const colourType = anyOf(Object.keys(BIT_DEPTHS) as PngColourType[], random);
  return {
    colourType,
    bitDepth: anyOf(BIT_DEPTHS[colourType], random),
    isInterlaced: random() < 0.5,
    ...(random() < 0.7 && { noise: integer(random, 1_000) }),
  };
}

function anyScans(random: Random, size: Size): RawJpeg {
  const components = anyOf([1, 3, 4] as const, random);
  const atLimit = Math.floor(2_000_000_000 / (size.width * size.height)) + integer(random, 2);
  const chosen = [
    ...NOTABLE_SCANS,
    atLimit,
    Math.round(logUniform(random, components, components * MAX_SCANS_PER_COMPONENT)),
  ];
  const scans = Math.min(
    components * MAX_SCANS_PER_COMPONENT,
    Math.max(components, anyOf([...chosen, integer(random, 100)], random)),
  );
  return { ...size, components, scans };
}

function anyNoise(random: Random): NoisyJpeg {
  const pixels = logUniform(random, MIN_PIXELS, MAX_NOISY_PIXELS);
  const width = Math.min(MAX_JPEG_SIDE, Math.ceil(Math.sqrt(pixels) * logUniform(random, 0.1, 10)));
  return {
    width,
    height: Math.max(1, Math.round(pixels / width)),
    isProgressive: random() < 0.5,
    quality: 50 + integer(random, 51),
    noise: integer(random, 1_000),
  };
}

async function noisyJpeg({
  width,
  height,
  isProgressive,
  quality,
  noise,
  orientation,
}: NoisyJpeg): Promise<Buffer> {
  const random = randomNumbers(noise);
  const pixels = Uint8Array.from({ length: width * height * 3 }, () => random() * 256);
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, progressive: isProgressive })
    .toBuffer();
  return orientation === undefined ? jpeg : withOrientation(jpeg, orientation);
}
