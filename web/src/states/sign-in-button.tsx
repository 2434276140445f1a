import { useGallery } from '../gallery.tsx';
import { texts } from '../texts.ts';

export function SignInButton(): React.JSX.Element {
  const { session } = useGallery();
  return (
    <button type="button" className="button" data-kind="primary" onClick={() => void session.signIn()}>
      {texts.states.signIn}
    </button>
  );
}
