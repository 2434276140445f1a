import type { Context } from 'koa';
import { z } from 'zod';
import type { Image } from '../../../domain/image/image.ts';
import {
  DEFAULT_QUALITY,
  fitsFormat,
  originalFormat,
  type Rendition,
  type RenditionFormat,
  renditionBox,
  renditionLimits,
  renditionMediaType,
} from '../../../domain/image/rendition.ts';
import { RequestError } from '../request-error.ts';

const QUALITIES = Array.from({ length: 20 }, (_, index) => (index + 1) * 5);

export function fileQuery(sizes: readonly number[]) {
  const query = z.strictObject({
    download: z
      .enum(['true', 'false'], 'true or false')
      .optional()
      .meta({ description: '`true`: browsers save the file.', wire: { type: 'boolean', default: false } }),
    width: oneOf(sizes)
      .optional()
      .meta({ description: 'In pixels.', wire: { type: 'integer', enum: sizes } }),
    height: oneOf(sizes)
      .optional()
      .meta({ description: 'In pixels.', wire: { type: 'integer', enum: sizes } }),
    fit: z.enum(['inside', 'cover', 'contain'], 'inside, cover or contain').optional().meta({
      description:
        '`inside` keeps the proportions; `cover` crops, and `contain` pads, to exactly the box of `width` and `height`, which both are needed then.',
      default: 'inside',
    }),
    format: z.enum(['jpeg', 'png', 'webp', 'avif', 'auto'], 'jpeg, png, webp, avif or auto').optional().meta({
      description: 'Default: that of the original. `auto`: AVIF, then WebP, if `Accept` names them.',
    }),
    quality: oneOf(QUALITIES)
      .optional()
      .meta({
        description: 'Of JPEG, WebP and AVIF.',
        wire: { type: 'integer', enum: QUALITIES, default: DEFAULT_QUALITY },
      }),
  });
  return query.refine(
    ({ fit = 'inside', width, height }) => fit === 'inside' || (width !== undefined && height !== undefined),
    { path: ['fit'], error: 'inside where width or height is not given' },
  );
}

export type FileQuerySchema = ReturnType<typeof fileQuery>;

export type FileQuery = z.output<FileQuerySchema>;

function oneOf(numbers: readonly number[]): z.ZodType<number, string> {
  const allowed = new Map(numbers.map((number) => [String(number), number]));
  return z.string().transform((text, check): number => {
    const number = allowed.get(text);
    if (number !== undefined) return number;
    check.issues.push({ code: 'custom', message: `one of ${numbers.join(', ')}`, input: text });
    return z.NEVER;
  });
}

export function mediaTypesOf(image: Image, { format }: FileQuery): readonly string[] {
  if (format === undefined) return [image.mediaType];
  if (format === 'auto') return ['image/avif', 'image/webp', image.mediaType];
  return [renditionMediaType(format)];
}

/**
 * `undefined` for the original.
 *
 * @throws {RequestError}
 */
export function renditionOf(ctx: Context, image: Image, query: FileQuery): Rendition | undefined {
  const { width, height, fit, format, quality } = query;
  if ([width, height, fit, format, quality].every((value) => value === undefined)) return undefined;
  const inFormat = (chosen: RenditionFormat): Rendition => ({
    width,
    height,
    fit: fit ?? 'inside',
    format: chosen,
    quality: quality ?? DEFAULT_QUALITY,
  });
  if (format === 'auto') return acceptedRendition(ctx, image, inFormat);
  const rendition = inFormat(format ?? originalFormat(image));
  if (!fitsFormat(image, rendition)) throw tooLarge(image, rendition);
  return rendition;
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
  image: Image,
  inFormat: (format: RenditionFormat) => Rendition,
): Rendition {
  ctx.vary('Accept');
  const named = ctx.accepts() as readonly string[];
  const formats = (['avif', 'webp', originalFormat(image)] as const).filter((format) =>
    fitsFormat(image, inFormat(format)),
  );
  const format =
    formats.find((candidate) => named.includes(renditionMediaType(candidate))) ??
    formats.toReversed().find((candidate) => ctx.accepts(renditionMediaType(candidate)) !== false);
  if (format !== undefined) return inFormat(format);
  throw new RequestError(
    'not_acceptable',
    `Only image/avif, image/webp and ${image.mediaType} can be served`,
  );
}
