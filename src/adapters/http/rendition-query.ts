import type { Context } from 'koa';
import { z } from 'zod';
import type { Image } from '../../domain/image/image.ts';
import {
  originalFormat,
  type Rendition,
  type RenditionFormat,
  renditionMediaType,
} from '../../domain/image/rendition.ts';
import { RequestError } from './request-error.ts';

const QUALITIES = Array.from({ length: 20 }, (_, index) => (index + 1) * 5);
const DEFAULT_QUALITY = 75;

/** The query parameters of the bytes of an image. */
export function fileQuery(sizes: readonly number[]) {
  return z.strictObject({
    download: z.enum(['true', 'false'], 'true or false').optional(),
    width: oneOf(sizes).optional(),
    height: oneOf(sizes).optional(),
    fit: z.enum(['inside', 'cover', 'contain'], 'inside, cover or contain').optional(),
    format: z.enum(['jpeg', 'png', 'webp', 'avif', 'auto'], 'jpeg, png, webp, avif or auto').optional(),
    quality: oneOf(QUALITIES).optional(),
  });
}

export type FileQuery = z.output<ReturnType<typeof fileQuery>>;

function oneOf(numbers: readonly number[]): z.ZodType<number, string> {
  const allowed = new Map(numbers.map((number) => [String(number), number]));
  return z.string().transform((text, check): number => {
    const number = allowed.get(text);
    if (number !== undefined) return number;
    check.issues.push({ code: 'custom', message: `one of ${numbers.join(', ')}`, input: text });
    return z.NEVER;
  });
}

/** The media types of the bytes that a query may lead to. */
export function mediaTypesOf(image: Image, { format }: FileQuery): readonly string[] {
  if (format === undefined) return [image.mediaType];
  if (format === 'auto') return ['image/avif', 'image/webp', image.mediaType];
  return [renditionMediaType(format)];
}

/**
 * The rendition that a query asks for; `undefined` where it asks for the original.
 *
 * @throws {RequestError} `invalid_request` where parameters do not go together, `not_acceptable`
 */
export function renditionOf(ctx: Context, image: Image, query: FileQuery): Rendition | undefined {
  const { width, height, fit, format, quality } = query;
  if ([width, height, fit, format, quality].every((value) => value === undefined)) return undefined;
  if (fit !== undefined && fit !== 'inside' && (width === undefined || height === undefined)) {
    throw new RequestError(
      'invalid_request',
      `Query parameter "fit" may be ${fit} only with both width and height`,
    );
  }
  return {
    width,
    height,
    fit: fit ?? 'inside',
    format: format === 'auto' ? acceptedFormat(ctx, image) : (format ?? originalFormat(image)),
    quality: quality ?? DEFAULT_QUALITY,
  };
}

/**
 * The smallest format that the client names. A wildcard does not count for AVIF and WebP: what sends only that, such as
 * curl or an old browser, often cannot show them.
 */
function acceptedFormat(ctx: Context, image: Image): RenditionFormat {
  ctx.vary('Accept');
  const named = ctx.accepts() as readonly string[];
  const format = (['avif', 'webp'] as const).find((candidate) =>
    named.includes(renditionMediaType(candidate)),
  );
  if (format !== undefined) return format;
  if (ctx.accepts(image.mediaType) !== false) return originalFormat(image);
  throw new RequestError(
    'not_acceptable',
    `Only image/avif, image/webp and ${image.mediaType} can be served`,
  );
}
