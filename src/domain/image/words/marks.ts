/** Normalizing takes quadratic time in the length of a run of marks. */

/**
 * No text has longer runs (Unicode Standard Annex #15, section 12.1). The halfwidth voiced sound marks are letters that become marks.
 */
const LONG_RUN = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

export function shortenMarks(text: string): string {
  return text.replace(LONG_RUN, '$1');
}

/** Whether marks alone make the composed text longer than `maxLength` code points. A letter takes up three marks at most. */
export function hasMoreMarks(text: string, maxLength: number): boolean {
  return (text.match(/(?<=\p{M}{3})\p{M}/gu)?.length ?? 0) > maxLength;
}
