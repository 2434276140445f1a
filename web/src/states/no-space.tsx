import { Button } from '../controls/button.tsx';
import { texts } from '../languages/texts.ts';
import { useSession } from '../session/use-session.ts';
import { StatePage } from './state-page.tsx';

/** The whole page if the token names no space. Only another token can, so nothing is asked for again. */
export function NoSpace(): React.JSX.Element {
  const session = useSession();
  return (
    <StatePage icon="lock" title={texts.states.spaceMissing} hint={texts.states.spaceMissingHint} alert>
      <div className="state-buttons">
        <Button data-kind="primary" onClick={() => void session.signIn()}>
          {texts.states.signInAgain}
        </Button>
        <Button onClick={() => void session.signOut()}>{texts.header.signOut}</Button>
      </div>
    </StatePage>
  );
}
