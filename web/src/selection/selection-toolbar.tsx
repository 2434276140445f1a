import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useChanges } from '../contexts/changes.ts';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { useView } from '../contexts/view.ts';

import { Icon, type IconName } from '../icons/icon.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { withQueries } from '../states/with-queries.tsx';
import { texts } from '../texts.ts';
import { SelectionActions } from './selection-actions.ts';
import { SelectionTags } from './selection-tags.tsx';
import './selection-toolbar.css';

interface Action {
  readonly name: 'tag' | 'download' | 'delete';
  readonly icon: IconName;
  readonly run: () => void;
}

/** Arrow keys move between its buttons: the toolbar pattern of the ARIA Authoring Practices Guide. */
function Toolbar({ count }: { readonly count: number }): React.JSX.Element {
  const { selection } = useView();
  const actions = useActions();
  const [isTagging, setTagging] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const remove = (): void => {
    flushSync(() => actions.delete());
    focusPictures();
  };
  const shown: readonly Action[] = [
    { name: 'tag', icon: 'tag', run: () => setTagging(true) },
    { name: 'download', icon: 'download', run: () => void actions.download() },
    { name: 'delete', icon: 'trash', run: remove },
  ];

  useShortcut('t', () => setTagging(true));
  useShortcut('d', () => void actions.download());
  useShortcut('Delete', remove);
  useShortcut('Escape', () => selection.clear());

  function onKeyDown(event: React.KeyboardEvent): void {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const place = buttons.findIndex((button) => button === document.activeElement);
    const target = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    buttons.at(target % buttons.length)?.focus();
  }

  return (
    <>
      <section className="selection-bar floating" aria-label={texts.selection.label}>
        <div
          ref={bar}
          className="selection-toolbar"
          role="toolbar"
          tabIndex={-1}
          aria-label={texts.selection.label}
          onKeyDown={onKeyDown}
        >
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-icon=""
            aria-label={texts.selection.clear}
            onClick={() => selection.clear()}
          >
            <Icon name="close" />
          </button>
          <output className="selection-count">{texts.selection.selected(count)}</output>
          {shown.map(({ name, icon, run: act }) => (
            <button
              key={name}
              type="button"
              className="button"
              data-kind={name === 'delete' ? 'danger' : 'quiet'}
              title={texts.selection.actions[name]}
              onClick={act}
            >
              <Icon name={icon} />
              <span className="selection-action">{texts.selection.actions[name]}</span>
            </button>
          ))}
        </div>
      </section>
      {isTagging && <SelectionTags count={count} actions={actions} onClose={() => setTagging(false)} />}
    </>
  );
}

export const SelectionToolbar = withQueries(Toolbar);

function useActions(): SelectionActions {
  const { catalog, links } = useService();
  const { images, selection } = useView();
  const { deletions } = useChanges();
  const { notices, trouble } = usePage();
  const [actions] = useState(
    () => new SelectionActions({ catalog, links, images, selection, deletions, notices, trouble }),
  );
  return actions;
}

/** What had the focus is gone: a deleted picture, or the bar. */
function focusPictures(): void {
  if (document.activeElement !== document.body) return;
  const pictures = document.querySelectorAll<HTMLElement>('main [role="option"]');
  [...pictures].find(({ tabIndex }) => tabIndex === 0)?.focus({ preventScroll: true });
}
