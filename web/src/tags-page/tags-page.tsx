import { commonTexts } from '../languages/common-texts.ts';
import { useRights } from '../session/use-rights.ts';
import { SubPage } from '../states/sub-page.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { TagCard } from './tag-card.tsx';
import { tagsPageTexts } from './tags-page-texts.ts';
import { MAX_LISTED, type TagList, type TagOrder, useTagList } from './use-tag-list.ts';

/** All tags of the catalog, each with the number of its pictures and the newest of them. */
function Page(): React.JSX.Element {
  const list = useTagList();
  const bar = (
    <>
      <output className="tags-page-count">
        {list.tags !== undefined && tagsPageTexts().count(list.tags.length, list.tags.length < MAX_LISTED)}
      </output>
      <ViewLink className="button" view={{ ...NO_FILTERS, tagged: false }}>
        {tagsPageTexts().untagged}
      </ViewLink>
      <Controls list={list} />
    </>
  );
  return (
    <SubPage title={commonTexts().tags} bar={bar}>
      <Cards list={list} />
    </SubPage>
  );
}

function Controls({ list }: { readonly list: TagList }): React.JSX.Element {
  return (
    <div className="tags-page-controls">
      <input
        type="search"
        className="tags-page-find"
        aria-label={tagsPageTexts().find}
        placeholder={tagsPageTexts().find}
        autoComplete="off"
        value={list.prefix}
        onChange={({ target }) => list.find(target.value)}
      />
      <select
        className="tags-page-order"
        aria-label={tagsPageTexts().order}
        value={list.order}
        onChange={({ target }) => list.sort(target.value as TagOrder)}
      >
        <option value="count">{tagsPageTexts().orders.count}</option>
        <option value="name">{tagsPageTexts().orders.name}</option>
      </select>
    </div>
  );
}

function Cards({ list }: { readonly list: TagList }): React.JSX.Element {
  const { tags, error, retry, prefix } = list;
  if (tags === undefined) return <Waiting error={error} retry={retry} />;
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
      <h3>{isFiltered ? tagsPageTexts().noMatch : tagsPageTexts().none}</h3>
      {!isFiltered && rights.write && <p>{tagsPageTexts().noneHint}</p>}
    </div>
  );
}

export const TagsPage = withQueries(Page);
