import { Icon } from '../controls/icon.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { searchBoxTexts } from './search-box-texts.ts';
import './search.css';

/** Words, tags and dates. It comes after the first pictures. */
export const SearchBox = lazyPart(
  () => import('./search-field.tsx'),
  ({ SearchField }) => SearchField,
  ComingField,
);

/** Has the size of the field, so that nothing moves. */
function ComingField(): React.JSX.Element {
  return (
    <div className="search" aria-hidden="true">
      <div className="search-field">
        <Icon name="search" />
        <span className="search-input">{searchBoxTexts().placeholder}</span>
      </div>
    </div>
  );
}
