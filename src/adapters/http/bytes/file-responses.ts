import * as z from 'zod';
import { MEDIA_TYPES } from '../../../domain/image/media-type.ts';
import { cacheControl, etag, httpDate, ifMatch, ifNoneMatch } from '../route/headers.ts';
import type { Operation } from '../route/operation.ts';

export const IMAGE_TYPES = [...MEDIA_TYPES, 'image/avif'] as const;

export const fileConditions = z.object({
  'If-Match': ifMatch,
  'If-None-Match': ifNoneMatch,
  'If-Modified-Since': httpDate.optional(),
  'If-Unmodified-Since': httpDate.optional(),
  'If-Range': z
    .string()
    .optional()
    .meta({
      description: 'An entity tag or an HTTP date; if it does not fit, `Range` is ignored.',
      examples: ['"596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb"'],
    }),
  Range: z
    .string()
    .optional()
    .meta({
      description: 'One range of bytes. If there are several, the response is the whole file.',
      examples: ['bytes=0-1023'],
    }),
});

const validators = z.object({
  ETag: etag,
  'Last-Modified': httpDate
    .optional()
    .describe('Not of a crop if the metadata, and so the focus, may have changed.'),
  'Cache-Control': cacheControl('private, max-age=300'),
  'Cross-Origin-Resource-Policy': z.enum(['cross-origin', 'same-site']).describe('Fits the configured CORS.'),
});

export const bytesHeaders = validators.extend({
  'Accept-Ranges': z.literal('bytes').describe('Single ranges are served.'),
  'Content-Disposition': z.string().meta({
    description: '`inline`, or `attachment` with `download=true`, and the file name (RFC 6266).',
    pattern: '^(inline|attachment); filename=.+',
    examples: ['inline; filename="chelsea.png"'],
  }),
  'X-Content-Type-Options': z.literal('nosniff').describe('The bytes are untrusted.'),
  'Content-Security-Policy': z.literal("default-src 'none'; sandbox").describe('The bytes are untrusted.'),
  'Repr-Digest': z
    .string()
    .optional()
    .meta({
      description: 'Of an original: its SHA-256 (RFC 9530).',
      pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
      examples: ['sha-256=:uRPErt7dY+UCK9tSUnJwzXszwCXWnLrXNfXRsmKqaPw=:'],
    }),
});

const contentRange = z.string().meta({
  description: 'The range of the response and the size of the file.',
  pattern: '^bytes \\d+-\\d+/\\d+$',
  examples: ['bytes 0-1023/240512'],
});

export const fileResponses = {
  200: { description: 'The bytes.', headers: bytesHeaders, bytes: IMAGE_TYPES },
  206: {
    description: 'The range of bytes.',
    headers: bytesHeaders.extend({ 'Content-Range': contentRange }),
    bytes: IMAGE_TYPES,
  },
  304: { description: 'The client has these bytes already.', headers: validators },
} as const satisfies Operation['responses'];

/** With `S3_DELIVERY=redirect`. */
export const redirect = {
  307: {
    description: 'The original is at this short-lived address of the store.',
    headers: z.object({
      Location: z.string().meta({ format: 'uri', description: 'Valid for a short time, for this client.' }),
      'Cache-Control': cacheControl('no-store'),
      'Cross-Origin-Resource-Policy': validators.shape['Cross-Origin-Resource-Policy'],
      'X-Content-Type-Options': bytesHeaders.shape['X-Content-Type-Options'],
      'Content-Security-Policy': bytesHeaders.shape['Content-Security-Policy'],
    }),
  },
} as const satisfies Operation['responses'];

export const FILE_ERRORS = [
  'image_not_found',
  'not_acceptable',
  'precondition_failed',
  'range_not_satisfiable',
  'invalid_image',
  'overloaded',
] as const;
