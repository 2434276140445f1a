/** Secrets that were made with `echo` end with a line feed, and copied ones with blanks. `\s` includes the byte order mark. */
const ENDS = /^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu;

/** The value of a variable without white space and control characters at its ends. */
export function trimmed(value: string): string {
  return value.replace(ENDS, '');
}
