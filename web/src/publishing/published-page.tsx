import type { NamedImage } from '@image-catalog/client';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../controls/button.tsx';
import { BackButton } from '../states/back-button.tsx';
import { StateView } from '../states/state-view.tsx';
import { focusHeading, SubPage } from '../states/sub-page.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { PublishedRow } from './published-row.tsx';
import { publishingTexts } from './publishing-texts.ts';
import { type PublishedList, usePublishedList } from './use-published-list.ts';
import { useUnpublish } from './use-unpublish.ts';

/** All published names of the catalog. */
function Page(): React.JSX.Element {
  const list = usePublishedList();
  return (
    <SubPage title={publishingTexts().title} bar={null}>
      <Names list={list} />
    </SubPage>
  );
}

function Names({ list }: { readonly list: PublishedList }): React.JSX.Element {
  const { names, error, retry, showMore } = list;
  const rows = useRef<HTMLUListElement>(null);
  const unpublish = useFocusAfter(rows, useUnpublish(list));
  if (names === undefined) return <Waiting error={error} retry={retry} />;
  if (names.length === 0 && showMore === undefined) {
    return (
      <StateView icon="globe" title={publishingTexts().empty} hint={publishingTexts().emptyHint}>
        <BackButton />
      </StateView>
    );
  }
  return (
    <>
      <p className="publishing-hint">{publishingTexts().hint}</p>
      <ul ref={rows} className="publishing-names" aria-label={publishingTexts().title}>
        {names.map((named) => (
          <PublishedRow key={named.name} named={named} onUnpublish={unpublish} />
        ))}
      </ul>
      {showMore !== undefined && (
        <Button className="button trash-more" onClick={showMore}>
          {publishingTexts().more}
        </Button>
      )}
    </>
  );
}

/** The focus goes on with the next name when the row that had it is gone. */
function useFocusAfter(
  rows: React.RefObject<HTMLUListElement | null>,
  unpublish: (named: NamedImage) => Promise<void>,
): (named: NamedImage) => Promise<void> {
  return async (named) => {
    const buttons = (): readonly HTMLElement[] => [
      ...(rows.current?.querySelectorAll<HTMLElement>('.publishing-end') ?? []),
    ];
    const position = buttons().findIndex((button) => button === document.activeElement);
    await unpublish(named);
    // What was changed is drawn.
    flushSync(() => undefined);
    if (position === -1 || document.activeElement !== document.body) return;
    const next = buttons()[position] ?? buttons().at(-1);
    if (next === undefined) focusHeading();
    else next.focus();
  };
}

export const PublishedPage = withQueries(Page);
