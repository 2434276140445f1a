import { useStore } from '../base/store.ts';
import { texts } from '../languages/texts.ts';
import type { SessionState } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { PlainHeader } from './plain-header.tsx';
import { problemText } from './problem-text.ts';
import { SignInButton } from './sign-in-button.tsx';
import { StateView } from './state-view.tsx';

/** The whole page without a session. */
export function SignedOut(): React.JSX.Element {
  const session = useSession();
  const state = useStore(session.state);
  return (
    <>
      <PlainHeader />
      <main className="state-page">
        {state.kind === 'no-client' ? <NoClient /> : <Invitation state={state} />}
      </main>
    </>
  );
}

function NoClient(): React.JSX.Element {
  return <StateView icon="lock" title={texts.states.noClient} hint={texts.states.noClientHint} />;
}

function Invitation({ state }: { readonly state: SessionState }): React.JSX.Element {
  const problem = 'problem' in state ? state.problem : undefined;
  const hint = problem === undefined ? texts.states.signedOutHint : problemText(problem);
  return (
    <StateView icon="image" title={texts.states.signedOut} hint={hint}>
      <SignInButton />
    </StateView>
  );
}
