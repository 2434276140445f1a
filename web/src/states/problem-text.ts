import { texts } from '../languages/texts.ts';
import type { SignInProblem } from '../session/sign-in-problem.ts';

export function problemText({ kind, message }: SignInProblem): string {
  return kind === 'refused' ? texts.states.problem.refused(message ?? kind) : texts.states.problem[kind];
}
