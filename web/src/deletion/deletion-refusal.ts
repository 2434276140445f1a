import { texts } from '../languages/texts.ts';
import { failureOf } from '../states/failure.ts';
import { isOutage } from '../states/is-outage.ts';
import { refusalText } from '../states/refusal-text.ts';

/** Why a picture was not deleted, in a sentence. */
export function deletionRefusal(error: unknown): string {
  const failure = failureOf(error, true);
  if (failure === undefined) return texts.deletion.signedOut;
  return isOutage(failure) ? texts.deletion.unreachable : refusalText(failure);
}
