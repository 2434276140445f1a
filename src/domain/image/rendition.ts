import { withExtension } from './file-name.ts';
import type { NewImage } from './image.ts';

export type RenditionFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** `inside`: as large as fits into the box. `cover`: fills the box, cropped. `contain`: fits into the box, padded. */
export type RenditionFit = 'inside' | 'cover' | 'contain';

/** A resized or re-encoded copy of an original. */
export interface Rendition {
  /** Pixels. Without a side, or with neither, it follows from the other; `cover` and `contain` have both. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: RenditionFit;
  readonly format: RenditionFormat;
  /** 5, 10, … 100; means nothing for PNG, which is lossless. */
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

/** The format that keeps an image what it is. */
export function originalFormat(image: NewImage): RenditionFormat {
  return image.mediaType === 'image/png' ? 'png' : 'jpeg';
}

/** The original name with the rendition's extension in place of its own. */
export function renditionFileName(image: NewImage, format: RenditionFormat): string {
  return withExtension(image.originalName.replace(/(?<=.)\.[^.]*$/s, ''), EXTENSIONS[format]);
}

/**
 * The size of a rendition in pixels. Nothing is enlarged: a box that would need it is made smaller in proportion, so that
 * its shape, which a page may rely on, stays.
 */
export function renditionBox(image: Box, { width, height, fit }: Rendition): Box {
  const box = { width: width ?? Number.POSITIVE_INFINITY, height: height ?? Number.POSITIVE_INFINITY };
  const scales = [box.width / image.width, box.height / image.height];
  if (fit === 'inside') return scaled(image, Math.min(...scales, 1));
  // How much the picture is scaled to fill the box (`cover`), or to fit into it (`contain`).
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
 * The largest output of each format. WebP holds sides of 16,383 pixels, libjpeg writes 65,500; the others bound the time and
 * memory of an encode.
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

/** Whether the format of a rendition can hold it. */
export function fitsFormat(image: Box, rendition: Rendition): boolean {
  const { width, height } = renditionBox(image, rendition);
  const { maxPixels, maxSide } = FORMAT_LIMITS[rendition.format];
  return width * height <= maxPixels && Math.max(width, height) <= maxSide;
}

/** One text for each rendition that differs from the others; safe as a file name. */
export function renditionName({ width, height, fit, format, quality }: Rendition): string {
  const box = `${width ?? 'auto'}x${height ?? 'auto'}`;
  // With one side, or none, every fit gives the same; a quality means nothing where nothing is lost.
  return `${box}-${width && height ? fit : 'inside'}-${format === 'png' ? 'lossless' : `q${quality}`}.${EXTENSIONS[format]}`;
}
