/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | readonly Html[] | string | number;

/** Escapes every value that is not `Html`. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(literals.reduce((text, literal, at) => text + textOf(values[at - 1] ?? '') + literal));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
