import { Button } from '../controls/button.tsx';
import { texts } from '../languages/texts.ts';
import { PlainHeader } from './plain-header.tsx';
import { StatePage } from './state-page.tsx';
import './states.css';

/** Until the gallery knows its service and its session. The text appears if that takes longer than a second. */
export function Loading(): React.JSX.Element {
  return (
    <>
      <PlainHeader />
      <main>
        <output className="loading-text">{texts.app.loading}</output>
      </main>
    </>
  );
}

export function LoadingFailed({ retry }: { readonly retry: () => void }): React.JSX.Element {
  return (
    <StatePage icon="offline" title={texts.app.failed} hint={texts.app.failedHint} alert>
      <Button data-kind="primary" onClick={retry}>
        {texts.app.retry}
      </Button>
    </StatePage>
  );
}
