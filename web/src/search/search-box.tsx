import { lazy, Suspense } from 'react';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import './search.css';

const SearchField = lazy(async () => {
  const { SearchField } = await import('./search-field.tsx');
  return { default: SearchField };
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
    <div className="search" aria-hidden="true">
      <div className="search-field">
        <Icon name="search" />
        <span className="search-input">{texts.search.placeholder}</span>
      </div>
    </div>
  );
}
