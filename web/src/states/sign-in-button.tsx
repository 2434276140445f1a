import { Button } from '../controls/button.tsx';
import { texts } from '../languages/texts.ts';
import { useSession } from '../session/use-session.ts';

export function SignInButton(): React.JSX.Element {
  const session = useSession();
  return (
    <Button data-kind="primary" onClick={() => void session.signIn()}>
      {texts.states.signIn}
    </Button>
  );
}
