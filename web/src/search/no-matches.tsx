import { useGallery } from '../gallery.tsx';
import { texts } from '../texts.ts';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { focusResultCount } from './result-count.tsx';

/** In the place of the pictures, if the filters leave none. */
export function NoMatches(): React.JSX.Element {
  const { addressBar } = useGallery();
  const clear = (): void => {
    focusResultCount();
    addressBar.push(NO_FILTERS);
  };
  return (
    <div className="state">
      <p>{texts.search.noMatches}</p>
      <button type="button" className="button" onClick={clear}>
        {texts.search.clearFilters}
      </button>
    </div>
  );
}
