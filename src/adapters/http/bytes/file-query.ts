import type { Context } from 'koa';
import * as z from 'zod';
import type { CatalogImage, Image } from '../../../domain/image/image.ts';
import {
  DEFAULT_QUALITY,
  type Derivative,
  defaultFormat,
  fitsFormat,
  focusedOn,
  METADATA_CHOICES,
  RENDITION_FITS,
  RENDITION_FORMATS,
  type Rendition,
  type RenditionFormat,
  type RenditionParameters,
  renditionBox,
  renditionIn,
  renditionLimits,
  renditionMediaType,
  requestedRendition,
} from '../../../domain/image/rendition.ts';
import { RequestError } from '../errors/request-error.ts';
import { boundedAccept } from '../request/bounded-accept.ts';

export const QUALITIES = Array.from({ length: 20 }, (_, index) => (index + 1) * 5);

export function fileQuery(sizes: readonly number[]) {
  const query = z.strictObject({
    download: z
      .enum(['true', 'false'], 'true or false')
      .optional()
      .meta({ description: '`true`: browsers save the file.', wire: { type: 'boolean', default: false } }),
    ...boxFields(oneOf(sizes)),
    format: anyFormat(),
    quality: oneOf(QUALITIES)
      .optional()
      .meta({
        description: 'Of JPEG, WebP and AVIF.',
        wire: { type: 'integer', enum: QUALITIES, default: DEFAULT_QUALITY },
      }),
    metadata: metadataChoice(),
  });
  return query.refine(hasItsSides, { path: ['fit'], error: BOX_NEEDS_BOTH_SIDES });
}

/** What strangers may ask for of a public name. */
export function publicFileQuery(sizes: readonly number[]) {
  return z.strictObject({ width: oneOf(sizes).optional(), format: anyFormat() });
}

function anyFormat() {
  return z
    .enum([...RENDITION_FORMATS, 'auto'], 'jpeg, png, webp, avif or auto')
    .optional()
    .describe(
      'Default: that of the original, and PNG for a GIF. `auto`: AVIF, then WebP, if `Accept` names them.',
    );
}

/** @param side in pixels, as the request writes it */
export function boxFields<Side extends z.ZodType<number>>(side: Side) {
  const pixels = side.optional().describe('In pixels.');
  return {
    width: pixels,
    height: pixels,
    fit: z.enum(RENDITION_FITS, 'inside, cover or contain').optional().meta({
      description:
        '`inside` keeps the proportions; `cover` crops around the `focus` of the metadata, and `contain` pads, to exactly the box of `width` and `height`, which both are needed then.',
      default: 'inside',
    }),
  };
}

export function metadataChoice() {
  return z.enum(METADATA_CHOICES, 'keep or none').optional().meta({
    description:
      'Of the original. `none`: the same encoded picture with nothing beside it but colour profile, orientation, resolution and loop count. Renditions never have metadata.',
    default: 'keep',
  });
}

export const BOX_NEEDS_BOTH_SIDES = 'inside where width or height is not given';

export function hasItsSides({
  fit = 'inside',
  width,
  height,
}: Pick<RenditionParameters, 'fit' | 'width' | 'height'>): boolean {
  return fit === 'inside' || (width !== undefined && height !== undefined);
}

export type FileQuerySchema = ReturnType<typeof fileQuery>;

export type FileQuery = z.output<FileQuerySchema>;

function oneOf(numbers: readonly number[]) {
  const texts = numbers.map(String);
  return z
    .enum(texts, `one of ${numbers.join(', ')}`)
    .transform(Number)
    .meta({ wire: { type: 'integer', enum: numbers } });
}

export function mediaTypesOf(image: CatalogImage, { format, ...others }: FileQuery): readonly string[] {
  if (format === 'auto') return autoMediaTypes(image);
  return [mediaTypeOf(image, requestedRendition(image, { ...others, format }))];
}

export function mediaTypeOf(image: Image, derivative: Derivative | undefined): string {
  return typeof derivative === 'object' ? renditionMediaType(derivative.format) : image.mediaType;
}

/**
 * `undefined` for the original.
 *
 * @throws {RequestError}
 */
export function renditionOf(ctx: Context, image: CatalogImage, query: FileQuery): Derivative | undefined {
  const { format, ...others } = query;
  if (format === 'auto') return acceptedRendition(ctx, image, others);
  const rendition = requestedRendition(image, { ...others, format });
  requireFit(image, rendition);
  return rendition;
}

/** @throws {RequestError} if the format cannot hold the rendition of this image */
export function requireFit(image: Image, rendition: Derivative | undefined): void {
  if (typeof rendition === 'object' && !fitsFormat(image, rendition)) throw tooLarge(image, rendition);
}

function tooLarge(image: Image, rendition: Rendition): RequestError {
  const { maxPixels, maxSide } = renditionLimits(rendition.format);
  const { width, height } = renditionBox(image, rendition);
  const limits = Number.isFinite(maxPixels)
    ? `${maxPixels} pixels and sides of ${maxSide}`
    : `sides of ${maxSide} pixels`;
  return new RequestError(
    'invalid_request',
    `The query parameter width must be smaller: ${rendition.format} is limited to ${limits}, and this rendition has ${width}x${height}`,
  );
}

/**
 * AVIF, then WebP, if the client names it. A wildcard selects the original's format: clients that send only a wildcard
 * often lack AVIF and WebP.
 */
function acceptedRendition(
  ctx: Context,
  image: CatalogImage,
  parameters: Omit<RenditionParameters, 'format'>,
): Rendition {
  const inFormat = (format: RenditionFormat): Rendition =>
    focusedOn(renditionIn(format, parameters), image.focus);
  ctx.vary('Accept');
  const accepts = boundedAccept(ctx);
  const named = accepts() as readonly string[];
  const formats = (['avif', 'webp', defaultFormat(image)] as const).filter((format) =>
    fitsFormat(image, inFormat(format)),
  );
  const format =
    formats.find((candidate) => named.includes(renditionMediaType(candidate))) ??
    formats.toReversed().find((candidate) => accepts(renditionMediaType(candidate)) !== false);
  if (format !== undefined) return inFormat(format);
  if (formats.length === 0) throw tooLarge(image, inFormat(defaultFormat(image)));
  throw new RequestError('not_acceptable', `Only ${autoMediaTypes(image).join(', ')} can be served`);
}

function autoMediaTypes(image: Image): readonly string[] {
  const formats = new Set<RenditionFormat>(['avif', 'webp', defaultFormat(image)]);
  return [...formats].map(renditionMediaType);
}
