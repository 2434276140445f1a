import type { Box } from '../../src/domain/image/box.ts';
import type { PixelLimits } from '../../src/domain/image/pixel-limits.ts';
import { type RenditionFit, type RenditionFormat, renditionBox } from '../../src/domain/image/rendition.ts';
import { type CostBounds, inspectionBounds, REFUSAL_BOUNDS } from '../support/fixtures/costly-files.ts';
import { fileStructure } from '../support/fixtures/file-structure.ts';
import type { CostlyPicture } from './costly-pictures.ts';
import type { CostlyAnimation } from './kinds/costly-animations.ts';
import type { MutatedFile } from './mutated-files.ts';
import { anyOf } from './random-choices.ts';

/** The required result of a request. */
export interface Expected extends CostBounds {
  readonly statuses: readonly number[];
  /** Text that the message of an error contains. */
  readonly names?: string;
  /** The media type of bytes. */
  readonly mediaType?: string;
  /** It is refused before a decoder gets it. */
  readonly isRefusedEarly: boolean;
}

// Limits of an upload.
const MAX_PIXELS = 65_000_000;
const MAX_FRAME_PIXELS = 250_000_000;
const LIMITS: PixelLimits = { maxPixels: MAX_PIXELS, maxFramePixels: MAX_FRAME_PIXELS };
const MAX_SIDE = 65_535;
/** libjpeg decodes and encodes no more, although the format allows 65,535. */
const MAX_JPEG_SIDE = 65_500;
const MAX_SCANS = 100;
const MAX_SCANNED_PIXELS = 2_000_000_000;

const RENDITION_BOUNDS: CostBounds = { maxCpuSeconds: 10, maxGrowthMb: 800 };

export function expectedOfUpload(made: CostlyPicture): Expected {
  const { width, height } = made.picture;
  const scans = made.kind === 'jpeg of many scans' ? made.picture.scans : 1;
  const isWithin =
    width * height <= MAX_PIXELS &&
    Math.max(width, height) <= (made.kind === 'png' ? MAX_SIDE : MAX_JPEG_SIDE) &&
    scans <= MAX_SCANS &&
    width * height * scans <= MAX_SCANNED_PIXELS;
  if (isWithin) return { statuses: [201], isRefusedEarly: false, ...inspectionBounds(width * height) };
  return { statuses: [422], isRefusedEarly: true, ...REFUSAL_BOUNDS };
}

const MAX_FRAMES = 2_000;

/** Frames with more pixels in all may take more CPU time than an inspection may. */
const SURE_FRAME_PIXELS = 50_000_000;

/** Each frame costs as much CPU time as the whole canvas, and the memory of one canvas is held. */
export function expectedOfAnimation({ picture }: CostlyAnimation, bytes: Buffer): Expected {
  const canvas = picture.width * picture.height;
  const pixels = canvas * picture.frames;
  const isWithin = canvas <= MAX_PIXELS && (picture.frames === 1 || pixels <= MAX_FRAME_PIXELS);
  if (picture.frames <= MAX_FRAMES && isWithin) {
    const statuses = pixels <= SURE_FRAME_PIXELS ? [201] : [201, 422];
    return { statuses, isRefusedEarly: false, ...inspectionBounds(canvas, bytes.length) };
  }
  return { statuses: [422], isRefusedEarly: true, ...refusalBounds(bytes) };
}

/** Texts of more bytes are refused whatever the size of the picture; some are accepted with every picture. */
const TOO_MANY_TEXT_BYTES = 12 * 1024 * 1024;
const ACCEPTED_TEXT_BYTES = 1_000_000;
const ACCEPTED_TEXTS = 50;

export async function expectedOfMutated(file: MutatedFile): Promise<Expected> {
  const { texts, bytes } = file;
  // Inflated.
  const textBytes = texts === undefined ? 0 : texts.count * texts.bytes;
  if (textBytes > TOO_MANY_TEXT_BYTES) {
    return { statuses: [422], isRefusedEarly: true, ...refusalBounds(bytes) };
  }
  const isUsual =
    texts?.keyword === 'Comment' && texts.count <= ACCEPTED_TEXTS && textBytes <= ACCEPTED_TEXT_BYTES;
  const pixels = Math.max(file.pixels, await framedPixelsOf(file));
  const statuses = isUsual ? [201] : statusesOf(file);
  return { statuses, isRefusedEarly: false, ...inspectionBounds(pixels, bytes.length) };
}

function statusesOf({ kind, format }: MutatedFile): readonly number[] {
  // Without its head, a file is of no kind.
  if (kind === 'flips' || kind === 'shuffle') return [201, 415, 422];
  return kind === 'cut' && (format === 'webp' || format === 'gif') ? [422] : [201, 422];
}

/** Of the structure after the mutation; 0 if it is refused. */
async function framedPixelsOf({ format, bytes }: MutatedFile): Promise<number> {
  try {
    const { width, height } = await fileStructure(bytes, `image/${format}`, LIMITS);
    return width * height;
  } catch {
    return 0;
  }
}

/** Of a refusal, for each million bytes that are received. */
const RECEIVING_CPU_SECONDS = 0.02;

function refusalBounds({ length }: Buffer): CostBounds {
  const fileMb = length / 1e6;
  return {
    maxCpuSeconds: REFUSAL_BOUNDS.maxCpuSeconds + RECEIVING_CPU_SECONDS * fileMb,
    maxGrowthMb: REFUSAL_BOUNDS.maxGrowthMb + fileMb,
  };
}

export interface RenditionQuery {
  readonly width?: number;
  readonly height?: number;
  readonly fit?: RenditionFit;
  readonly format?: RenditionFormat | 'auto';
  readonly quality?: number;
  /** The header; not part of the query. */
  readonly accept: string;
}

const SIDES = [16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];
const ACCEPTS = ['image/avif,image/webp,*/*', 'image/webp,*/*', '*/*'];

/** Any rendition; large ones more often. */
export function renditionQuery(random: () => number): RenditionQuery {
  const side = (): number => (random() < 0.5 ? anyOf(SIDES, random) : anyOf(SIDES.slice(-4), random));
  const sides = anyOf([{}, { width: side() }, { height: side() }, { width: side(), height: side() }], random);
  const format = anyOf(['jpeg', 'png', 'webp', 'avif', 'avif', 'auto', undefined] as const, random);
  const quality = anyOf([undefined, 5, 50, 100, 100], random);
  return {
    ...sides,
    ...('width' in sides &&
      'height' in sides && { fit: anyOf(['inside', 'cover', 'contain'] as const, random) }),
    ...(format !== undefined && { format }),
    // Without a parameter the response would be the original.
    ...(quality !== undefined || (format === undefined && Object.keys(sides).length === 0)
      ? { quality: quality ?? 75 }
      : {}),
    accept: anyOf(ACCEPTS, random),
  };
}

/** The largest output of each format. */
const OUTPUT_LIMITS: Readonly<Record<RenditionFormat, { maxPixels: number; maxSide: number }>> = {
  jpeg: { maxPixels: Number.POSITIVE_INFINITY, maxSide: MAX_JPEG_SIDE },
  png: { maxPixels: Number.POSITIVE_INFINITY, maxSide: Number.POSITIVE_INFINITY },
  webp: { maxPixels: 16_800_000, maxSide: 16_383 },
  avif: { maxPixels: 8_300_000, maxSide: 16_383 },
};

/** The default format of renditions. */
export function originalFormat({ kind }: CostlyPicture | CostlyAnimation): RenditionFormat {
  if (kind === 'webp') return 'webp';
  return kind === 'png' || kind === 'gif' ? 'png' : 'jpeg';
}

export function expectedOfRendition(shown: Box, original: RenditionFormat, query: RenditionQuery): Expected {
  const { accept, format = original, fit = 'inside', ...rest } = query;
  const box = renditionBox(shown, { ...rest, fit, format: original, quality: 75 });
  const chosen = format === 'auto' ? bestOf(accept, original, box) : format;
  if (!holds(chosen, box)) {
    return { statuses: [400], names: 'width', isRefusedEarly: true, ...REFUSAL_BOUNDS };
  }
  return { statuses: [200], mediaType: `image/${chosen}`, isRefusedEarly: false, ...RENDITION_BOUNDS };
}

/** Of a mutated file that was accepted: its profile may cost more than a rendition may. */
export const EXPECTED_OF_MUTATED_RENDITION: Expected = {
  statuses: [200, 400, 422],
  isRefusedEarly: false,
  ...RENDITION_BOUNDS,
};

function bestOf(accept: string, original: RenditionFormat, box: Box): RenditionFormat {
  const wanted = (['avif', 'webp'] as const).filter((format) => accept.includes(`image/${format}`));
  return wanted.find((format) => holds(format, box)) ?? original;
}

function holds(format: RenditionFormat, { width, height }: Box): boolean {
  const { maxPixels, maxSide } = OUTPUT_LIMITS[format];
  return width * height <= maxPixels && Math.max(width, height) <= maxSide;
}
