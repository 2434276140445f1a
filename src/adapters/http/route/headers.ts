import * as z from 'zod';

/** The header fields of requests and responses, for the table of operations. */

export const etag = z.string().meta({
  description: 'A strong entity tag (RFC 9110, section 8.8.3).',
  pattern: '^"[^"]+"$',
  examples: ['"17307b1207eb6487d7908e9d154890b46e3d2e0192369cfd3f4c33d5a5af4035"'],
});

/** @param values the possible values; duplicates are ignored */
export function cacheControl<const Value extends string>(...values: readonly Value[]): z.ZodLiteral<Value> {
  const others = values.length > 1 && new Set(values).size > 1 ? ' `no-store` with the header `Space`.' : '';
  return z.literal([...new Set(values)]).describe(`What caches may do with the response.${others}`);
}

export const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    description: 'Entity tags that the client has; 304 if one of them is that of the response.',
    examples: ['"17307b1207eb6487d7908e9d154890b46e3d2e0192369cfd3f4c33d5a5af4035"'],
  });

export const ifMatch = z
  .string()
  .optional()
  .meta({
    description:
      'Entity tags, compared strongly; 412 `precondition_failed` if none of them is the present one.',
    examples: ['"17307b1207eb6487d7908e9d154890b46e3d2e0192369cfd3f4c33d5a5af4035"'],
  });

/** `ifMatch` of routes that compare with `matchesJson`. */
export const ifMatchOfJson = ifMatch.meta({
  description:
    'Entity tags; 412 `precondition_failed` if none of them is the present one. What a proxy that compresses makes of a tag (`W/`, `-gzip`, `-br`, `-zstd`, `;gzip`, `--gzip`) does not count.',
  examples: ['"m2"'],
});

export const httpDate = z.string().meta({
  description: 'An HTTP date (RFC 9110, section 5.6.7).',
  examples: ['Sat, 31 Jan 2026 12:00:00 GMT'],
});
