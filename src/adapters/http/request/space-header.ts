import type { Context } from 'koa';
import * as z from 'zod';
import type { Space } from '../../../domain/space/space.ts';
import { RequestError } from '../errors/request-error.ts';
import { SPACE_FORM, spaceNamed } from './any-space.ts';

/** For the document. */
export const spaceHeader = z.object({
  Space: z
    .string()
    .optional()
    .meta({
      description:
        'The space in which the request acts, percent-encoded, instead of the space of the token; empty: the space without a name. For tokens with the scope for all spaces (`SCOPE_ALL_SPACES`); others get 403.',
      pattern: '^[!-~]*$',
      examples: ['acme'],
    }),
});

/** Whether the request names its space itself. */
export function namesSpace({ req }: Context): boolean {
  return req.headers['space'] !== undefined;
}

/** @throws {RequestError} */
export function spaceInHeader({ req }: Context): Space {
  // `headers` joins the values of several headers with a comma.
  const [text = '', ...others] = req.headersDistinct['space'] ?? [];
  if (others.length > 0) {
    throw new RequestError('invalid_request', 'The header Space is given more than once');
  }
  const decoded = decodeVisible(text);
  const space = decoded === undefined ? undefined : spaceNamed(decoded);
  if (space !== undefined) return space;
  throw new RequestError(
    'invalid_request',
    `The header Space must be the name of a space in percent-encoded UTF-8: ${SPACE_FORM}`,
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
