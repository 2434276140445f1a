import { texts } from '../languages/texts.ts';
import type { Refusal } from './trouble.ts';

export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'updated':
      return texts.states.updated;
    case 'read_only':
      return texts.states.readOnly;
    case 'space_missing':
      return `${texts.states.spaceMissing}.`;
    case 'forbidden':
      return texts.states.forbidden(refusal.scope);
    case 'unauthorized':
      return texts.states.refused(refusal.message);
    case 'failed':
      return texts.states.failed(failedText(refusal), refusal.requestId);
  }
}

/** The service speaks English: its codes have words in each language, its other sentences are quoted. */
function failedText({ code, message }: Extract<Refusal, { kind: 'failed' }>): string {
  const { codes, said } = texts.states;
  return isKnown(code) ? codes[code] : said(message);
}

function isKnown(code: string | undefined): code is keyof typeof texts.states.codes {
  return code !== undefined && Object.hasOwn(texts.states.codes, code);
}
