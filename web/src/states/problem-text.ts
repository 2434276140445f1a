import type { SignInProblem } from '../session/sign-in-problem.ts';
import { texts } from '../texts.ts';

export function problemText({ kind, message }: SignInProblem): string {
  return kind === 'refused' ? texts.states.problem.refused(message ?? kind) : texts.states.problem[kind];
}
