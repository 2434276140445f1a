import {
  type Box,
  type RenditionFit,
  type RenditionFormat,
  renditionBox,
} from '../../src/domain/image/rendition.ts';
import { type CostBounds, inspectionBounds, REFUSAL_BOUNDS } from '../support/fixtures/costly-files.ts';
import { anyOf, type CostlyPicture, shownSize } from './costly-pictures.ts';

/** The required result of a request. */
export interface Expected extends CostBounds {
  readonly status: number;
  /** The code of an error. */
  readonly code?: string;
  /** Text that the message of an error contains. */
  readonly names?: string;
  /** The media type of bytes. */
  readonly mediaType?: string;
}

// Limits of an upload.
const MAX_PIXELS = 50_000_000;
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
  if (isWithin) return { status: 201, ...inspectionBounds(width * height) };
  return { status: 422, code: 'invalid_image', ...REFUSAL_BOUNDS };
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

export function expectedOfRendition(made: CostlyPicture, query: RenditionQuery): Expected {
  const original = made.kind === 'png' ? 'png' : 'jpeg';
  const { accept, format = original, fit = 'inside', ...rest } = query;
  const box = renditionBox(shownSize(made), { ...rest, fit, format: original, quality: 75 });
  if (format !== 'auto' && !holds(format, box))
    return { status: 400, code: 'invalid_request', names: 'width', ...REFUSAL_BOUNDS };
  const chosen = format === 'auto' ? bestOf(accept, original, box) : format;
  return { status: 200, mediaType: `image/${chosen}`, ...RENDITION_BOUNDS };
}

function bestOf(accept: string, original: RenditionFormat, box: Box): RenditionFormat {
  const wanted = (['avif', 'webp'] as const).filter((format) => accept.includes(`image/${format}`));
  return wanted.find((format) => holds(format, box)) ?? original;
}

function holds(format: RenditionFormat, { width, height }: Box): boolean {
  const { maxPixels, maxSide } = OUTPUT_LIMITS[format];
  return width * height <= maxPixels && Math.max(width, height) <= maxSide;
}
