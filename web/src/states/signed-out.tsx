import { useStore } from '../base/use-store.ts';
import { useSession } from '../session/use-session.ts';
import { problemText } from './problem-text.ts';
import { SignInButton } from './sign-in-button.tsx';
import { StatePage } from './state-page.tsx';
import { statesTexts } from './states-texts.ts';

/** The whole page without a session. */
export function SignedOut(): React.JSX.Element {
  const state = useStore(useSession().state);
  const { noClient, noClientHint, signedOut, signedOutHint } = statesTexts();
  if (state.kind === 'no-client') return <StatePage icon="lock" title={noClient} hint={noClientHint} />;
  const problem = 'problem' in state ? state.problem : undefined;
  return (
    <StatePage
      icon="image"
      title={signedOut}
      hint={problem === undefined ? signedOutHint : problemText(problem)}
    >
      <SignInButton />
    </StatePage>
  );
}
