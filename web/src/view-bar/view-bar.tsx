import { useStore } from '../base/use-store.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { Icon } from '../controls/icon.tsx';
import { useGrid } from '../grid/use-grid.ts';
import { ResultCount } from '../images/result-count.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { SlideshowButton } from '../slideshow/slideshow-button.tsx';
import { StarFilter } from '../star/star-filter.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { isFiltered, NO_FILTERS } from '../view-state/view-state.ts';
import { SortMenu } from './sort-menu.tsx';
import { viewBarTexts } from './view-bar-texts.ts';
import './view-bar.css';

const FilterList = lazyPart(() => import('./filter-list.tsx'), 'FilterList', ComingFilters);

/** Has the height of the filters, so that nothing moves. */
function ComingFilters(): React.JSX.Element {
  return <div className="search-filters" />;
}

/** What the pictures below are: how many, which, in which order. */
export function ViewBar(): React.JSX.Element {
  const addressBar = useAddressBar();
  const grid = useGrid();
  const hasFilters = isFiltered(useStore(addressBar.view));
  const hasNoPictures = useStoreValue(grid.frame, (frame) => frame?.count === 0);
  return (
    <section className="view-bar" aria-label={viewBarTexts().view}>
      <ResultCount />
      {hasFilters && <FilterList />}
      {(hasFilters || !hasNoPictures) && <Order />}
    </section>
  );
}

/** Not offered by an empty catalog. */
function Order(): React.JSX.Element {
  return (
    <div className="view-bar-order">
      <StarFilter />
      <TagsButton />
      <SlideshowButton />
      <SortMenu />
    </div>
  );
}

/** To the page of all tags. */
function TagsButton(): React.JSX.Element {
  return (
    <ViewLink
      className="button view-bar-button"
      data-kind="quiet"
      view={{ ...NO_FILTERS, page: 'tags' }}
      title={commonTexts().tags}
    >
      <Icon name="tag" />
      <span className="view-bar-label">{commonTexts().tags}</span>
    </ViewLink>
  );
}
