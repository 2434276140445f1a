import { Button } from '../controls/button.tsx';
import { useSession } from '../session/use-session.ts';
import { StatePage } from './state-page.tsx';
import { statesTexts } from './states-texts.ts';

/** The whole page if the token names no space. Only another token can, so nothing is asked for again. */
export function NoSpace(): React.JSX.Element {
  const session = useSession();
  return (
    <StatePage icon="lock" title={statesTexts().spaceMissing} hint={statesTexts().spaceMissingHint} alert>
      <div className="state-buttons">
        <Button data-kind="primary" onClick={() => void session.signIn()}>
          {statesTexts().signInAgain}
        </Button>
        <Button onClick={() => void session.signOut()}>{statesTexts().signOut}</Button>
      </div>
    </StatePage>
  );
}
