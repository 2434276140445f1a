import { failureOf } from '../trouble/failure.ts';
import { failureText } from './failure-text.ts';
import { statesTexts } from './states-texts.ts';

/** Why something was not done, in a sentence. */
export function failureReason(error: unknown): string {
  const failure = failureOf(error, true);
  return failure === undefined ? statesTexts().ended : failureText(failure);
}
