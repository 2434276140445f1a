import { formats } from '../languages/formats.ts';

/** As cameras show it: fractions below 0.3 s. */
export function formatExposure(seconds: number): string {
  const { number, decimal } = formats();
  if (seconds < 0.3) return `1/${number(1 / seconds)} s`;
  return `${decimal(seconds)} s`;
}
