import { Button } from '../button.tsx';
import { useService } from '../contexts/service.ts';
import { texts } from '../texts.ts';

export function SignInButton(): React.JSX.Element {
  const { session } = useService();
  return (
    <Button data-kind="primary" onClick={() => void session.signIn()}>
      {texts.states.signIn}
    </Button>
  );
}
