import * as z from 'zod';
import { COMMON_SPACE, parseSpace, type Space } from '../../../domain/space/space.ts';

export const SPACE_FORM = '0 to 255 characters, without control characters';

/** `undefined` if the text is not the name of a space. The empty text is the space of a service without `SPACE_CLAIM`. */
export function parseAnySpace(text: string): Space | undefined {
  return text === COMMON_SPACE ? COMMON_SPACE : parseSpace(text);
}

/** The name of a space in a query. */
export const anySpace = z
  .string(SPACE_FORM)
  .refine((text) => parseAnySpace(text) !== undefined, SPACE_FORM)
  .transform((text) => text as Space)
  .meta({
    wire: { type: 'string', minLength: 0, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  });
