import { z } from 'zod';

/** A query parameter without leading zeros. */
export function wholeNumber(min: number, max: number) {
  const message = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}
