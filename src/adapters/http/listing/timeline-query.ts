import * as z from 'zod';
import { FILTERS } from './filters.ts';

export const timelineQuery = z.strictObject({
  by: z.enum(['day', 'month', 'year'], 'day, month or year').describe('The length of a period.'),
  ...FILTERS,
});
