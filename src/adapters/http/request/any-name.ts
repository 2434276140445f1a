import * as z from 'zod';
import { NAME_PATTERN, NAME_RULE, type Name, parseName } from '../../../domain/name/name.ts';

export const NAME_FORM = `a name: ${NAME_RULE}`;

/** Of a query or a body. */
export const anyName = z
  .string(NAME_FORM)
  .refine((text) => parseName(text) !== undefined, NAME_FORM)
  .transform((text) => text as Name)
  .meta({ wire: { type: 'string', pattern: NAME_PATTERN.source } });
