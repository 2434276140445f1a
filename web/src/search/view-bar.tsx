import { lazy, Suspense } from 'react';
import { useView } from '../contexts/view.ts';
import { StarFilter } from '../star/star-filter.tsx';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import { isFiltered } from '../view-state/view-state.ts';
import { ResultCount } from './result-count.tsx';
import { SortMenu } from './sort-menu.tsx';
import './view-bar.css';

const FilterList = lazy(async () => {
  const { FilterList } = await import('./filter-list.tsx');
  return { default: FilterList };
});

/** What the pictures below are: how many, which, in which order. */
export function ViewBar(): React.JSX.Element {
  const view = useStore(useView().addressBar.view);
  return (
    <section className="view-bar" aria-label={texts.search.view}>
      <ResultCount />
      {isFiltered(view) && (
        <Suspense fallback={<div className="search-filters" />}>
          <FilterList />
        </Suspense>
      )}
      <div className="view-bar-order">
        <StarFilter />
        <SortMenu />
      </div>
    </section>
  );
}
