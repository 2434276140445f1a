import { Icon } from '../controls/icon.tsx';
import { searchBoxTexts } from './search-box-texts.ts';
import './search.css';

/** Has the size of the field, so that nothing moves. */
export function ComingSearch(): React.JSX.Element {
  return (
    <div className="search" aria-hidden="true">
      <div className="search-field">
        <Icon name="search" />
        <span className="search-input">{searchBoxTexts().placeholder}</span>
      </div>
    </div>
  );
}
