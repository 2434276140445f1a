import type { Box } from './box.ts';
import { type Focus, focusText } from './focus.ts';
import { formatOf } from './format-of.ts';
import type { CatalogImage, NewImage } from './image.ts';
import { withExtension } from './original-file-name.ts';

export const RENDITION_FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;

export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** `inside`: fits into the box. `cover`: fills the box, cropped. `contain`: fits into the box, padded. */
export const RENDITION_FITS = ['inside', 'cover', 'contain'] as const;

export type RenditionFit = (typeof RENDITION_FITS)[number];

export interface Rendition {
  /** Pixels. `cover` and `contain` have both. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: RenditionFit;
  readonly format: RenditionFormat;
  /** 5, 10, … 100; ignored for PNG. */
  readonly quality: number;
  /** Only crops have one: see `focusedOn`. The default is the middle. */
  readonly focus?: Focus | undefined;
}

export const DEFAULT_QUALITY = 75;

/** The original without its metadata. */
export const CLEAN = 'clean';

/** What is made of an original. */
export type Derivative = Rendition | typeof CLEAN;

export const METADATA_CHOICES = ['keep', 'none'] as const;

/** What a client asks for. Without any of them it asks for the original. */
export type RenditionParameters = {
  readonly [Name in Exclude<keyof Rendition, 'focus'>]?: Rendition[Name] | undefined;
} & {
  /** Of the original: renditions have none. */
  readonly metadata?: (typeof METADATA_CHOICES)[number] | undefined;
};

/** `undefined` for the original. A crop keeps the focus of the image. */
export function requestedRendition(
  image: NewImage & Pick<CatalogImage, 'focus'>,
  { format, metadata, ...others }: RenditionParameters,
): Derivative | undefined {
  const { width, height, fit, quality } = others;
  const isAsked = [width, height, fit, format, quality].some((value) => value !== undefined);
  if (!isAsked) return metadata === 'none' ? CLEAN : undefined;
  return focusedOn(renditionIn(format ?? defaultFormat(image), others), image.focus);
}

export function renditionIn(
  format: RenditionFormat,
  { width, height, fit = 'inside', quality = DEFAULT_QUALITY }: Omit<RenditionParameters, 'format'>,
): Rendition {
  return { width, height, fit, format, quality };
}

/** Other renditions than crops show all of the image. */
export function focusedOn(rendition: Rendition, focus: Focus | null): Rendition {
  return focus !== null && isCrop(rendition) ? { ...rendition, focus } : rendition;
}

/** With one side, or none, every fit gives the same result. */
export function isCrop({ fit, width, height }: Rendition): boolean {
  return fit === 'cover' && width !== undefined && height !== undefined;
}

export function renditionExtension(format: RenditionFormat): string {
  return format === 'jpeg' ? 'jpg' : format;
}

export function renditionMediaType(format: RenditionFormat): string {
  return `image/${format}`;
}

/** The format unless another is asked for. PNG loses nothing of a GIF. */
export function defaultFormat({ mediaType }: NewImage): RenditionFormat {
  const format = formatOf(mediaType);
  return format === 'gif' ? 'png' : format;
}

export function renditionFileName(image: NewImage, format: RenditionFormat): string {
  return withExtension(image.originalName.replace(/(?<=.)\.[^.]*$/s, ''), renditionExtension(format));
}

/** Nothing is enlarged: a larger box shrinks in proportion, so its aspect ratio stays. */
export function renditionBox(image: Box, { width, height, fit }: Rendition): Box {
  const box = { width: width ?? Number.POSITIVE_INFINITY, height: height ?? Number.POSITIVE_INFINITY };
  const scales = [box.width / image.width, box.height / image.height];
  if (fit === 'inside') return scaleBox(image, Math.min(...scales, 1));
  // The scale at which the image fills the box (`cover`), or fits into it (`contain`).
  const scale = fit === 'cover' ? Math.max(...scales) : Math.min(...scales);
  return scaleBox(box, 1 / Math.max(scale, 1));
}

function scaleBox({ width, height }: Box, scale: number): Box {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Encoded. Clean originals have no such limit. */
export const MAX_RENDITION_BYTES = 64 * 1024 * 1024;

export interface FormatLimits {
  readonly maxPixels: number;
  /** Pixels. */
  readonly maxSide: number;
}

/** WebP allows sides of 16,383 pixels, libjpeg 65,500. The other limits bound the time and memory of an encode. */
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

/** Equal names mean equal files. Safe as a file name. */
export function derivativeName(derivative: Derivative): string {
  if (derivative === CLEAN) return CLEAN;
  const { width, height, fit, focus, format, quality } = derivative;
  const box = `${width ?? 'auto'}x${height ?? 'auto'}`;
  // With one side, or none, every fit gives the same result. Quality does not apply to PNG.
  const crop = focus === undefined ? '' : `-${focusText(focus)}`;
  return `${box}-${width && height ? fit : 'inside'}${crop}-${format === 'png' ? 'lossless' : `q${quality}`}.${renditionExtension(format)}`;
}
