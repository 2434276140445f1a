import type { SignInProblem } from '../session/sign-in-problem.ts';
import { statesTexts } from './states-texts.ts';

export function problemText({ kind, message = kind }: SignInProblem): string {
  const { problem } = statesTexts();
  return kind === 'refused' || kind === 'blocked' ? problem[kind](message) : problem[kind];
}
