import { Button } from '../controls/button.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { useRights } from '../session/use-rights.ts';
import { BackButton } from '../states/back-button.tsx';
import { StateView } from '../states/state-view.tsx';
import { SubPage } from '../states/sub-page.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { MAX_LISTED } from './max-listed.ts';
import { TagCard } from './tag-card.tsx';
import { tagsPageTexts } from './tags-page-texts.ts';
import { type TagList, type TagOrder, useTagList } from './use-tag-list.ts';

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
  if (tags.length === 0) {
    return <Empty isFiltered={prefix.trim() !== ''} onAll={() => list.find('')} />;
  }
  return (
    <ul className="tags-page-cards">
      {tags.map(({ tag, count }) => (
        <TagCard key={tag} tag={tag} count={count} />
      ))}
    </ul>
  );
}

interface EmptyProps {
  readonly isFiltered: boolean;
  readonly onAll: () => void;
}

function Empty({ isFiltered, onAll }: EmptyProps): React.JSX.Element {
  const rights = useRights();
  const { noMatch, all, none, noneHint } = tagsPageTexts();
  if (isFiltered) {
    return (
      <StateView icon="tag" title={noMatch}>
        <Button onClick={onAll}>{all}</Button>
      </StateView>
    );
  }
  return (
    <StateView icon="tag" title={none} hint={rights.write ? noneHint : undefined}>
      <BackButton />
    </StateView>
  );
}

export const TagsPage = withQueries(Page);
