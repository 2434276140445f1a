import { Button } from '../controls/button.tsx';
import { texts } from '../languages/texts.ts';
import { StatePage } from './state-page.tsx';

export function LoadingFailed({ retry }: { readonly retry: () => void }): React.JSX.Element {
  return (
    <StatePage icon="offline" title={texts.app.failed} hint={texts.app.failedHint} alert>
      <Button data-kind="primary" onClick={retry}>
        {texts.app.retry}
      </Button>
    </StatePage>
  );
}
