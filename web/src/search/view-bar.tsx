import { FilterList } from './filter-list.tsx';
import { ResultCount } from './result-count.tsx';
import { SortMenu } from './sort-menu.tsx';
import './view-bar.css';

/** What the pictures below are: how many, which, in which order. */
export function ViewBar(): React.JSX.Element {
  return (
    <div className="view-bar">
      <ResultCount />
      <FilterList />
      <div className="view-bar-order">
        <SortMenu />
      </div>
    </div>
  );
}
