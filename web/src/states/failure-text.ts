import { formats } from '../languages/formats.ts';
import type { Failure } from '../trouble/failure.ts';
import { statesTexts } from './states-texts.ts';

export function failureText(failure: Failure): string {
  switch (failure.kind) {
    case 'offline':
    case 'unreachable':
    case 'busy':
      return statesTexts()[failure.kind];
    case 'storage':
      return statesTexts().storage(failure.requestId);
    case 'updated':
      return statesTexts().updated;
    case 'read_only':
      return statesTexts().readOnly;
    case 'too_many_changes':
      return statesTexts().tooManyChanges(endOf(failure.retryAfterMs));
    case 'space_missing':
      return `${statesTexts().spaceMissing}.`;
    case 'forbidden':
      return statesTexts().forbidden(failure.scope);
    case 'unauthorized':
      return statesTexts().refused(failure.message);
    case 'failed':
      return statesTexts().failed(failedText(failure), failure.requestId);
  }
}

function endOf(retryAfterMs = 0): string {
  return formats().localMinute(new Date(Date.now() + retryAfterMs).toISOString());
}

/** The service speaks English: its codes have words in each language, its other sentences are quoted. */
function failedText({ code, message }: Extract<Failure, { kind: 'failed' }>): string {
  const { codes, said } = statesTexts();
  return isKnown(code) ? codes[code] : said(message);
}

function isKnown(code: string | undefined): code is keyof typeof statesTexts.english.codes {
  return code !== undefined && Object.hasOwn(statesTexts().codes, code);
}
