const MAX_LENGTH = 2000;

/** A text of a service, for terminals and logs: it may contain anything, such as line feeds or what moves a cursor. */
export function oneLine(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/\p{Cc}+/gu, ' ');
}
