import * as z from 'zod';
import { wholeNumber } from '../request/read-query.ts';

const MAX_PAGE = 1000;

/** The parameter `limit` of a listing in pages. */
export function pageLimit(description: string) {
  return wholeNumber(1, MAX_PAGE, description);
}

/** The header `Link`. */
export function nextPageLink(example: string): z.ZodOptional<z.ZodString> {
  const description = 'The next page (RFC 8288), relative to the address of the request.';
  return z
    .string()
    .optional()
    .meta({ description, pattern: '^<[^>]+>; rel="next"$', examples: [example] });
}
