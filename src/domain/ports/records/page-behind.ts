import { TWO_DIGITS } from './sweep-slices.ts';

/** The page behind it; empty behind the last one. */
export function pageBehind(page: string): string {
  return page === '' ? '' : (TWO_DIGITS[TWO_DIGITS.indexOf(page) + 1] ?? '');
}
