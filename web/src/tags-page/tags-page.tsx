import { useEffect, useRef } from 'react';
import { IconButton } from '../controls/icon-button.tsx';
import { texts } from '../languages/texts.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { FailureView } from '../states/failure-view.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { TagCard } from './tag-card.tsx';
import { MAX_LISTED, type TagList, type TagOrder, useTagList } from './use-tag-list.ts';

/** All tags of the catalog, each with the number of its pictures and the newest of them. */
function Page(): React.JSX.Element {
  const addressBar = useAddressBar();
  const list = useTagList();
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = (): void => addressBar.push({ page: 'pictures' });
  useEffect(() => {
    // What had the focus is gone with the pictures.
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  useShortcut('Escape', leave);
  return (
    <div className="tags-page">
      <div className="tags-page-bar">
        <IconButton icon="back" label={texts.tagsPage.back} onClick={leave} />
        <h2 ref={heading} className="tags-page-title" tabIndex={-1}>
          {texts.tagsPage.title}
        </h2>
        <output className="tags-page-count">
          {list.tags !== undefined && texts.tagsPage.count(list.tags.length, list.tags.length < MAX_LISTED)}
        </output>
        <ViewLink className="button" view={{ ...NO_FILTERS, tagged: false }}>
          {texts.tagsPage.untagged}
        </ViewLink>
        <Controls list={list} />
      </div>
      <Cards list={list} />
    </div>
  );
}

function Controls({ list }: { readonly list: TagList }): React.JSX.Element {
  return (
    <div className="tags-page-controls">
      <input
        type="search"
        className="tags-page-find"
        aria-label={texts.tagsPage.find}
        placeholder={texts.tagsPage.find}
        autoComplete="off"
        value={list.prefix}
        onChange={({ target }) => list.find(target.value)}
      />
      <select
        className="tags-page-order"
        aria-label={texts.tagsPage.order}
        value={list.order}
        onChange={({ target }) => list.sort(target.value as TagOrder)}
      >
        <option value="count">{texts.tagsPage.orders.count}</option>
        <option value="name">{texts.tagsPage.orders.name}</option>
      </select>
    </div>
  );
}

function Cards({ list }: { readonly list: TagList }): React.JSX.Element {
  const { tags, error, retry, prefix } = list;
  if (tags === undefined && error !== null) return <FailureView error={error} retry={retry} />;
  if (tags === undefined) return <output className="tags-page-waiting">{texts.tagsPage.loading}</output>;
  if (tags.length === 0) return <Empty isFiltered={prefix.trim() !== ''} />;
  return (
    <ul className="tags-page-cards">
      {tags.map(({ tag, count }) => (
        <TagCard key={tag} tag={tag} count={count} />
      ))}
    </ul>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }): React.JSX.Element {
  const rights = useRights();
  return (
    <div className="tags-page-empty">
      <h3>{isFiltered ? texts.tagsPage.noMatch : texts.tagsPage.none}</h3>
      {!isFiltered && rights.write && <p>{texts.tagsPage.noneHint}</p>}
    </div>
  );
}

export const TagsPage = withQueries(Page);
