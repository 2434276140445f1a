import { failureOf } from '../states/failure.ts';
import { isOutage } from '../states/is-outage.ts';
import { refusalText } from '../states/refusal-text.ts';
import { deletionTexts } from './deletion-texts.ts';

/** Why a picture was not deleted, in a sentence. */
export function deletionRefusal(error: unknown): string {
  const failure = failureOf(error, true);
  if (failure === undefined) return deletionTexts().signedOut;
  return isOutage(failure) ? deletionTexts().unreachable : refusalText(failure);
}
