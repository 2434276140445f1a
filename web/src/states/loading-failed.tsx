import { Button } from '../controls/button.tsx';
import { StatePage } from './state-page.tsx';
import { statesTexts } from './states-texts.ts';

export function LoadingFailed({ retry }: { readonly retry: () => void }): React.JSX.Element {
  return (
    <StatePage
      icon="offline"
      title={statesTexts().loadingFailed}
      hint={statesTexts().loadingFailedHint}
      alert
    >
      <Button data-kind="primary" onClick={retry}>
        {statesTexts().retry}
      </Button>
    </StatePage>
  );
}
