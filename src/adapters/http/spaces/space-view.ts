import * as z from 'zod';
import { EXAMPLE_USAGE, usageFields } from '../usage/usage-schemas.ts';

/** One space, for callers that may act in all of them. */
export const spaceStatus = z
  .object({
    space: z.string().describe('The name of the space; it may be empty.'),
    ...usageFields,
  })
  .meta({ id: 'Space' });

export const EXAMPLE_SPACE = { space: 'acme', ...EXAMPLE_USAGE };
