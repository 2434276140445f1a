import type { Session } from '../session/session.ts';
import { problemText } from '../states/problem-text.ts';
import { statesTexts } from '../states/states-texts.ts';
import type { FirstState } from './first-page.ts';

/** Without a session. */
export function signedOutState(session: Session): FirstState {
  const { noClient, noClientHint, signedOut, signedOutHint, signIn } = statesTexts();
  const state = session.state.get();
  if (state.kind === 'no-client') return { icon: 'lock', title: noClient, hint: noClientHint };
  const problem = 'problem' in state ? state.problem : undefined;
  return {
    icon: 'image',
    title: signedOut,
    hint: problem === undefined ? signedOutHint : problemText(problem),
    action: { label: signIn, run: session.signIn },
  };
}
