import { texts } from '../languages/texts.ts';
import { failureOf, isOutage } from '../states/failure.ts';
import { refusalText } from '../states/refusal-text.ts';

/** Why a picture was not deleted, in a sentence. */
export function deletionRefusal(error: unknown): string {
  const failure = failureOf(error, true);
  if (failure === undefined) return texts.deletion.signedOut;
  return isOutage(failure) ? texts.deletion.unreachable : refusalText(failure);
}
