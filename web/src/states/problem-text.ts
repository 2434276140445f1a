import type { SignInProblem } from '../session/sign-in-problem.ts';
import { statesTexts } from './states-texts.ts';

export function problemText({ kind, message }: SignInProblem): string {
  return kind === 'refused' ? statesTexts().problem.refused(message ?? kind) : statesTexts().problem[kind];
}
