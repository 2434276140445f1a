import { lazy, Suspense } from 'react';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import './search.css';

const SearchField = lazy(async () => {
  const [{ SearchField }, { Queries }] = await Promise.all([
    import('./search-field.tsx'),
    import('../states/queries.tsx'),
  ]);
  const WithQueries = (): React.JSX.Element => (
    <Queries>
      <SearchField />
    </Queries>
  );
  return { default: WithQueries };
});

/** Words, tags and dates. It comes after the first pictures. */
export function SearchBox(): React.JSX.Element {
  return (
    <Suspense fallback={<ComingField />}>
      <SearchField />
    </Suspense>
  );
}

/** Has the size of the field, so that nothing moves. */
function ComingField(): React.JSX.Element {
  return (
    <>
      <span className="button search-opener" data-kind="quiet" data-icon="" aria-hidden="true">
        <Icon name="search" />
      </span>
      <div className="search" aria-hidden="true">
        <div className="search-field">
          <Icon name="search" />
          <span className="search-input">{texts.search.placeholder}</span>
        </div>
      </div>
    </>
  );
}
