import { withExtension } from './file-name.ts';
import type { NewImage } from './image.ts';

export type RenditionFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** `inside`: fits into the box. `cover`: fills the box, cropped. `contain`: fits into the box, padded. */
export type RenditionFit = 'inside' | 'cover' | 'contain';

/** A resized or re-encoded copy of an original. */
export interface Rendition {
  /** Pixels. A missing side follows from the other, or from the original. `cover` and `contain` have both. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: RenditionFit;
  readonly format: RenditionFormat;
  /** 5, 10, … 100; ignored for PNG, which is lossless. */
  readonly quality: number;
}

export interface Box {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

const MEDIA_TYPES = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
} as const satisfies Record<RenditionFormat, string>;

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' } as const satisfies Record<
  RenditionFormat,
  string
>;

export function renditionMediaType(format: RenditionFormat): string {
  return MEDIA_TYPES[format];
}

/** The format of the original. */
export function originalFormat(image: NewImage): RenditionFormat {
  return image.mediaType === 'image/png' ? 'png' : 'jpeg';
}

/** Replaces the extension of the original name by that of the rendition. */
export function renditionFileName(image: NewImage, format: RenditionFormat): string {
  return withExtension(image.originalName.replace(/(?<=.)\.[^.]*$/s, ''), EXTENSIONS[format]);
}

/**
 * Computes the size of a rendition in pixels. Nothing is enlarged: a larger box shrinks in proportion, so its aspect ratio, which
 * a page may rely on, stays.
 */
export function renditionBox(image: Box, { width, height, fit }: Rendition): Box {
  const box = { width: width ?? Number.POSITIVE_INFINITY, height: height ?? Number.POSITIVE_INFINITY };
  const scales = [box.width / image.width, box.height / image.height];
  if (fit === 'inside') return scaled(image, Math.min(...scales, 1));
  // The scale at which the picture fills the box (`cover`), or fits into it (`contain`).
  const scale = fit === 'cover' ? Math.max(...scales) : Math.min(...scales);
  return scaled(box, 1 / Math.max(scale, 1));
}

function scaled({ width, height }: Box, scale: number): Box {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export interface FormatLimits {
  readonly maxPixels: number;
  /** Pixels. */
  readonly maxSide: number;
}

/**
 * The largest output of each format. WebP allows sides of 16,383 pixels, libjpeg writes 65,500. The other limits bound the time
 * and memory of an encode.
 */
const FORMAT_LIMITS: Readonly<Record<RenditionFormat, FormatLimits>> = {
  jpeg: { maxPixels: Number.POSITIVE_INFINITY, maxSide: 65_500 },
  png: { maxPixels: Number.POSITIVE_INFINITY, maxSide: Number.POSITIVE_INFINITY },
  webp: { maxPixels: 16_800_000, maxSide: 16_383 },
  avif: { maxPixels: 8_300_000, maxSide: 16_383 },
};

export function renditionLimits(format: RenditionFormat): FormatLimits {
  return FORMAT_LIMITS[format];
}

export function fitsFormat(image: Box, rendition: Rendition): boolean {
  const { width, height } = renditionBox(image, rendition);
  const { maxPixels, maxSide } = FORMAT_LIMITS[rendition.format];
  return width * height <= maxPixels && Math.max(width, height) <= maxSide;
}

/** Names a rendition: equal names mean equal renditions. Safe as a file name. */
export function renditionName({ width, height, fit, format, quality }: Rendition): string {
  const box = `${width ?? 'auto'}x${height ?? 'auto'}`;
  // With one side, or none, every fit gives the same result. Quality does not apply to PNG.
  return `${box}-${width && height ? fit : 'inside'}-${format === 'png' ? 'lossless' : `q${quality}`}.${EXTENSIONS[format]}`;
}
