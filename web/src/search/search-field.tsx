import { PHONE } from '../base/breakpoints.ts';
import { Icon } from '../controls/icon.tsx';
import { modKey } from '../shortcuts/mod-key.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { withQueries } from '../states/with-queries.tsx';
import { searchBoxTexts } from './search-box-texts.ts';
import { SearchOptions } from './search-options.tsx';
import { searchTexts } from './search-texts.ts';
import { useSearch } from './use-search.ts';

/** Words, tags and dates. */
function Field(): React.JSX.Element {
  const search = useSearch();
  useShortcut('/', search.focus);
  useShortcut('mod+k', search.focus, { typing: true });

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const isDone = search.submit();
    // There, the field covers the header as long as it has the focus.
    if (isDone && matchMedia(PHONE).matches) search.leave();
  }

  return (
    <form
      className="search"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> has no submit
      role="search"
      onSubmit={submit}
    >
      <div className="search-field">
        <Icon name="search" />
        <input
          {...search.combobox.field}
          className="search-input"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={searchBoxTexts().placeholder}
          aria-label={searchTexts().label}
        />
        {search.isEmpty ? <KeyHint /> : <ClearButton onClick={search.clear} />}
      </div>
      <SearchOptions {...search.combobox.list} />
      <output className="visually-hidden">{search.announcement}</output>
    </form>
  );
}

function KeyHint(): React.JSX.Element {
  return (
    <kbd className="search-key" aria-hidden="true">
      {`${modKey()}K`}
    </kbd>
  );
}

function ClearButton({ onClick }: { readonly onClick: () => void }): React.JSX.Element {
  return (
    <button type="button" className="search-clear" aria-label={searchTexts().clear} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}

export const SearchField = withQueries(Field);
