import * as z from 'zod';

/** Of a JSON body. */
export function wholeNumberField(min: number, max: number): z.ZodInt {
  const rule = `a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
}
