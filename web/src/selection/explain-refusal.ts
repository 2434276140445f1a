import { texts } from '../languages/texts.ts';
import type { Notices } from '../notices/notices.ts';
import { MAX_SELECTED, type RangeRefusal } from './selection.ts';

/** Says why a range was not selected. */
export function explainRefusal(refusal: RangeRefusal | undefined, notices: Pick<Notices, 'show'>): void {
  if (refusal === 'too-many') notices.show(texts.selection.tooMany(MAX_SELECTED));
  if (refusal === 'failed') notices.show(texts.selection.failed, { tone: 'error' });
}
