import { useView } from '../contexts/view.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import { isFiltered } from '../view-state/view-state.ts';
import { ResultCount } from './result-count.tsx';
import { SortMenu } from './sort-menu.tsx';
import './view-bar.css';

const FilterList = lazyPart(async () => (await import('./filter-list.tsx')).FilterList, ComingFilters);

/** Has the height of the filters, so that nothing moves. */
function ComingFilters(): React.JSX.Element {
  return <div className="search-filters" />;
}

/** What the pictures below are: how many, which, in which order. */
export function ViewBar(): React.JSX.Element {
  const view = useStore(useView().addressBar.view);
  return (
    <section className="view-bar" aria-label={texts.search.view}>
      <ResultCount />
      {isFiltered(view) && <FilterList />}
      <div className="view-bar-order">
        <SortMenu />
      </div>
    </section>
  );
}
