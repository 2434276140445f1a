import { useStoreValue } from '../base/use-store-value.ts';
import { Button } from '../controls/button.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { useRights } from '../session/use-rights.ts';
import { isStar } from '../star/star-tag.ts';
import { lazyPart } from '../states/lazy-part.tsx';
import { StateView } from '../states/state-view.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { filtersOf, NO_FILTERS, type ViewState } from '../view-state/view-state.ts';
import { gridTexts } from './grid-texts.ts';

const OtherReadings = lazyPart(() => import('../search/other-readings.tsx'), 'OtherReadings');

/** In the place of the pictures, if the filters leave none. */
export function NoMatches(): React.JSX.Element {
  const addressBar = useAddressBar();
  const rights = useRights();
  const clear = (): void => {
    focusResultCount();
    addressBar.push(NO_FILTERS);
  };
  const isStarAlone = useStoreValue(addressBar.view, isOnlyStarred);
  const texts = gridTexts();
  if (isStarAlone) {
    return (
      <StateView icon="star" title={texts.noStars} hint={rights.write ? texts.noStarsHint : undefined}>
        <Button onClick={clear}>{texts.allPictures}</Button>
      </StateView>
    );
  }
  return (
    <StateView icon="search" title={texts.noMatches} hint={texts.noMatchesHint}>
      <Button onClick={clear}>{texts.clearFilters}</Button>
      <OtherReadings />
    </StateView>
  );
}

function isOnlyStarred(view: ViewState): boolean {
  return view.tags.every(isStar) && Object.keys(filtersOf(view)).join() === 'tags';
}
