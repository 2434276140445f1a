import { Button } from '../button.tsx';
import { useView } from '../contexts/view.ts';
import { StateView } from '../states/state-view.tsx';
import { texts } from '../texts.ts';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { focusResultCount } from './result-count.tsx';

/** In the place of the pictures, if the filters leave none. */
export function NoMatches(): React.JSX.Element {
  const { addressBar } = useView();
  const clear = (): void => {
    focusResultCount();
    addressBar.push(NO_FILTERS);
  };
  return (
    <StateView icon="search" title={texts.search.noMatches}>
      <Button onClick={clear}>{texts.search.clearFilters}</Button>
    </StateView>
  );
}
