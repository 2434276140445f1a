import { hasMoreMarks, shortenMarks } from './marks.ts';
import { withoutOuterSpace } from './without-outer-space.ts';

/** What a field holds. */
export interface TextForm {
  /** Code points. */
  readonly maxLength: number;
  /** Whether line feeds stay. Elsewhere they become blanks. */
  readonly hasLines?: boolean;
}

/** Bad UTF-8 decodes to U+FFFD. */
const REMOVED = /(?!\n)[\p{Cc}\p{Cs}\uFFFD]/gu;

/** A text that people wrote into a file, in the form in which its field holds it; null if nothing is left. */
export function fileText(text: string, { maxLength, hasLines = false }: TextForm): string | null {
  // Older programs end lines with CR alone.
  const printable = text.replace(/\r\n?|\n/g, hasLines ? '\n' : ' ').replace(REMOVED, '');
  // Such a text is cut in any case.
  const bounded = hasMoreMarks(printable, maxLength) ? shortenMarks(printable) : printable;
  const composed = withoutOuterSpace(bounded.normalize('NFC'));
  const cut = withoutOuterSpace(Array.from(composed).slice(0, maxLength).join(''));
  return cut === '' ? null : cut;
}
