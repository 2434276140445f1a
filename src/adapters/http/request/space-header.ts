import type { Context } from 'koa';
import * as z from 'zod';
import type { Space } from '../../../domain/space/space.ts';
import { RequestError } from '../errors/request-error.ts';
import { parseAnySpace, SPACE_FORM } from './any-space.ts';

/** For the document. */
export const spaceHeader = z.object({
  Space: z
    .string()
    .optional()
    .meta({
      description:
        'The space in which the request acts, percent-encoded, instead of the space of the token; empty: the space without a name. For tokens with the scope for all spaces (`SCOPE_ALL_SPACES`); others get 403.',
      pattern: '^(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$',
      examples: ['acme'],
    }),
});

export function hasSpaceHeader({ req }: Context): boolean {
  return req.headers['space'] !== undefined;
}

/** @throws {RequestError} */
export function spaceInHeader(ctx: Context): Space {
  // Node.js joins the values of several headers with ", ", and a blank is ill-formed. `headersDistinct` would throw for a header
  // named `__proto__` in versions of Node.js before March 2026.
  const decoded = decodeVisible(ctx.get('Space'));
  const space = decoded === undefined ? undefined : parseAnySpace(decoded);
  if (space !== undefined) return space;
  throw new RequestError(
    'invalid_request',
    `The header Space must be given once, and be the name of a space in percent-encoded UTF-8: ${SPACE_FORM}`,
  );
}

/** Strict: if ill-formed bytes were replaced, the header would name another space. */
function decodeVisible(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
