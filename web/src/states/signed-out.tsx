import { useGallery } from '../gallery.tsx';
import type { SessionState } from '../session/session.ts';
import { texts } from '../texts.ts';

const SENTENCE = {
  'signed-out': texts.states.signedOut,
  ended: texts.states.ended,
  'no-client': texts.states.noClient,
} as const;

/** What to do, in the place where the pictures would be. */
export function SignedOut({ kind }: { kind: Exclude<SessionState['kind'], 'signed-in'> }): React.JSX.Element {
  const { session } = useGallery();
  return (
    <main className="state">
      <p>{SENTENCE[kind]}</p>
      {kind !== 'no-client' && (
        <button type="button" className="button" data-kind="primary" onClick={() => void session.signIn()}>
          {texts.states.signIn}
        </button>
      )}
    </main>
  );
}
