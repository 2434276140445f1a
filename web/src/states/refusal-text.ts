import { statesTexts } from './states-texts.ts';
import type { Refusal } from './trouble.ts';

export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'updated':
      return statesTexts().updated;
    case 'read_only':
      return statesTexts().readOnly;
    case 'space_missing':
      return `${statesTexts().spaceMissing}.`;
    case 'forbidden':
      return statesTexts().forbidden(refusal.scope);
    case 'unauthorized':
      return statesTexts().refused(refusal.message);
    case 'failed':
      return statesTexts().failed(failedText(refusal), refusal.requestId);
  }
}

/** The service speaks English: its codes have words in each language, its other sentences are quoted. */
function failedText({ code, message }: Extract<Refusal, { kind: 'failed' }>): string {
  const { codes, said } = statesTexts();
  return isKnown(code) ? codes[code] : said(message);
}

function isKnown(code: string | undefined): code is keyof typeof statesTexts.english.codes {
  return code !== undefined && Object.hasOwn(statesTexts().codes, code);
}
