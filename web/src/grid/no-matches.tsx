import { Button } from '../controls/button.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { StateView } from '../states/state-view.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { gridTexts } from './grid-texts.ts';

const OtherReadings = lazyPart(
  () => import('../search/other-readings.tsx'),
  ({ OtherReadings }) => OtherReadings,
);

/** In the place of the pictures, if the filters leave none. */
export function NoMatches(): React.JSX.Element {
  const addressBar = useAddressBar();
  const clear = (): void => {
    focusResultCount();
    addressBar.push(NO_FILTERS);
  };
  return (
    <StateView icon="search" title={gridTexts().noMatches}>
      <Button onClick={clear}>{gridTexts().clearFilters}</Button>
      <OtherReadings />
    </StateView>
  );
}
