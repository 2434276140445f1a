import { Button } from '../controls/button.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { BackButton } from '../states/back-button.tsx';
import { StateView } from '../states/state-view.tsx';
import { focusHeading, SubPage } from '../states/sub-page.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { TrashBar } from './trash-bar.tsx';
import { TrashCard } from './trash-card.tsx';
import { trashTexts } from './trash-texts.ts';
import { type TrashList, useTrashList } from './use-trash-list.ts';
import { type TrashWork, useTrashWork } from './use-trash-work.ts';

/** Deleted pictures, until they are erased. */
function Page(): React.JSX.Element {
  const rights = useRights();
  const list = useTrashList();
  const work = useTrashWork(list);
  const isSelecting = work.ids.length > 0;
  const bar = (
    <>
      <Count list={list} />
      <SelectAll list={list} work={work} />
    </>
  );
  return (
    <SubPage
      className="trash-page"
      title={commonTexts().trash}
      bar={bar}
      onEscape={() => {
        work.select([]);
        return isSelecting;
      }}
    >
      <Hint list={list} />
      <Pictures list={list} work={work} />
      {rights.delete && (isSelecting || work.progress !== undefined) && (
        <TrashBar work={work} onDone={focusHeading} />
      )}
    </SubPage>
  );
}

interface PartProps {
  readonly list: TrashList;
  readonly work: TrashWork;
}

function Count({ list: { pictures, showMore } }: Pick<PartProps, 'list'>): React.JSX.Element {
  const isKnown = pictures !== undefined && pictures.length > 0 && showMore === undefined;
  return <output className="tags-page-count">{isKnown && commonTexts().pictures(pictures.length)}</output>;
}

function SelectAll({ list: { pictures = [] }, work }: PartProps): React.JSX.Element | null {
  const rights = useRights();
  if (!rights.delete || pictures.length === 0) return null;
  return (
    <Button
      className="button trash-all"
      disabled={work.ids.length === pictures.length}
      onClick={() => work.select(pictures.map(({ image }) => image.id))}
    >
      {trashTexts().selectAll}
    </Button>
  );
}

/** How long they stay, and what cannot be done. */
function Hint({ list: { pictures = [], isOutdated, reload } }: Pick<PartProps, 'list'>): React.JSX.Element {
  const config = useConfig();
  const rights = useRights();
  return (
    <div className="trash-hint">
      {pictures.length > 0 && <p>{trashTexts().hint(config.trashDays)}</p>}
      {pictures.length > 0 && !rights.delete && <p>{trashTexts().noRight}</p>}
      <output>{isOutdated && <Button onClick={reload}>{trashTexts().news}</Button>}</output>
    </div>
  );
}

function Pictures({ list, work }: PartProps): React.JSX.Element {
  const config = useConfig();
  const { pictures, error, retry, showMore } = list;
  if (pictures === undefined) return <Waiting error={error} retry={retry} />;
  if (pictures.length === 0) {
    return (
      <StateView icon="trash" title={trashTexts().empty} hint={trashTexts().emptyHint(config.trashDays)}>
        <BackButton />
      </StateView>
    );
  }
  return (
    <>
      <ul className="tags-page-cards" aria-label={commonTexts().trash}>
        {pictures.map((picture) => (
          <TrashCard
            key={picture.image.id}
            picture={picture}
            now={list.readAt}
            isSelected={work.selected.has(picture.image.id)}
            isDisabled={work.progress !== undefined}
            onToggle={work.toggle}
          />
        ))}
      </ul>
      {showMore !== undefined && (
        <Button className="button trash-more" onClick={showMore}>
          {trashTexts().more}
        </Button>
      )}
    </>
  );
}

export const TrashPage = withQueries(Page);
