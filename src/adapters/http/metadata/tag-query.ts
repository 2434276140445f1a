import * as z from 'zod';
import { wholeNumber } from '../request/read-query.ts';

const MAX_TAGS_LISTED = 1000;
const PREFIX = '1 to 64 characters';

export const tagQuery = z.strictObject({
  prefix: z
    .string()
    .regex(/^[^]{1,64}$/u, PREFIX)
    .optional()
    .describe('The beginning of the tags, without regard to case and accents.'),
  limit: wholeNumber(1, MAX_TAGS_LISTED, 'The tags of the response at most.', 100),
  order: z.enum(['name', 'count'], 'name or count').optional().meta({
    description: '`count`: those with the most images first.',
    default: 'name',
  }),
});
