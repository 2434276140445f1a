import { Button } from '../controls/button.tsx';
import { useSession } from '../session/use-session.ts';
import { statesTexts } from './states-texts.ts';

export function SignInButton(): React.JSX.Element {
  const session = useSession();
  return (
    <Button data-kind="primary" onClick={() => void session.signIn()}>
      {statesTexts().signIn}
    </Button>
  );
}
