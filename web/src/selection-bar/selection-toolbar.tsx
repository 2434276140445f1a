import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useArchive } from '../archive/use-archive.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Button } from '../controls/button.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useEdits } from '../edits/use-edits.ts';
import { useNotices } from '../notices/use-notices.ts';
import { useEndingAddresses } from '../publishing/use-ending-addresses.ts';
import { SelectionCount } from '../selection/selection-count.tsx';
import { selectionTexts } from '../selection/selection-texts.ts';
import { useSelection } from '../selection/use-selection.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useStars } from '../star/use-stars.ts';
import { ComingDialog } from '../states/coming-dialog.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { MAX_COMPARED } from '../view-state/view-state.ts';
import { SelectionActions } from './selection-actions.ts';
import { selectionBarTexts } from './selection-bar-texts.ts';
import { SelectionMenu } from './selection-menu.tsx';
import { SelectionTags } from './selection-tags.tsx';
import { useSelectAll } from './use-select-all.ts';

const ShareDialog = lazyPart(() => import('../sharing/share-dialog.tsx'), 'ShareDialog', ComingDialog);
const BulkEditDialog = lazyPart(
  () => import('../bulk-edit/bulk-edit-dialog.tsx'),
  'BulkEditDialog',
  ComingDialog,
);

/** Arrow keys move between its buttons: the toolbar pattern of the ARIA Authoring Practices Guide. */
function Toolbar({ count }: { readonly count: number }): React.JSX.Element {
  const selection = useSelection();
  const stars = useStars();
  const actions = useActions();
  const endings = useEndingAddresses();
  const rights = useRights();
  const selectAll = useSelectAll(count);
  const [open, setOpen] = useState<'tags' | 'share' | 'edit'>();
  const close = (): void => setOpen(undefined);
  const compare = useCompare(count);
  const tag = (): void => setOpen('tags');
  const download = (): void => void actions.download();
  const remove = (): void => {
    const ids = [...selection.ids.get()];
    endings.ask(ids, () => {
      flushSync(() => actions.delete(ids));
      focusPictures();
    });
  };
  useShortcut('t', tag, { enabled: rights.write });
  useShortcut('c', () => compare?.());
  useShortcut('d', download);
  useShortcut('Delete', remove, { enabled: rights.delete });
  // An open menu takes it.
  useShortcut('Escape', () => document.querySelector(':popover-open') === null && selection.clear());

  return (
    <>
      <section className="selection-bar floating" aria-label={selectionTexts().label}>
        <div
          className="selection-toolbar"
          role="toolbar"
          tabIndex={-1}
          aria-label={selectionTexts().label}
          onKeyDown={moveFocus}
        >
          <IconButton icon="close" aria-label={selectionTexts().clear} onClick={() => selection.clear()} />
          <SelectionCount count={count} />
          <ActionButton name="all" icon="check" onClick={selectAll} />
          {rights.write && (
            <ActionButton name="star" icon="star" onClick={() => stars.toggle([...selection.ids.get()])} />
          )}
          {rights.write && <ActionButton name="tag" icon="tag" onClick={tag} />}
          <ActionButton name="share" icon="link" onClick={() => setOpen('share')} />
          <ActionButton name="download" icon="download" onClick={download} />
          {rights.delete && <ActionButton name="delete" icon="trash" onClick={remove} />}
          <SelectionMenu
            onAll={selectAll}
            onCompare={compare}
            onShare={() => setOpen('share')}
            onEdit={rights.write ? () => setOpen('edit') : undefined}
          />
        </div>
      </section>
      {open === 'tags' && <SelectionTags count={count} actions={actions} onClose={close} />}
      {open === 'share' && <ShareDialog onClose={close} />}
      {open === 'edit' && <BulkEditDialog onClose={close} />}
    </>
  );
}

interface ActionButtonProps {
  readonly name: 'all' | 'star' | 'tag' | 'share' | 'download' | 'delete';
  readonly icon: IconName;
  /** Without, it cannot be done with these pictures. The button keeps the focus. */
  readonly onClick: (() => void) | undefined;
}

function ActionButton({ name, icon, onClick }: ActionButtonProps): React.JSX.Element {
  const label = selectionBarTexts().actions[name];
  return (
    <Button
      data-kind={name === 'delete' ? 'danger' : 'quiet'}
      data-action={name}
      title={label}
      aria-disabled={onClick === undefined || undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span className="selection-action">{label}</span>
    </Button>
  );
}

export const SelectionToolbar = withQueries(Toolbar);

function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')].filter(
    (button) => button.checkVisibility() && button.closest('[popover]') === null,
  );
  const place = buttons.findIndex((button) => button === document.activeElement);
  const target = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  buttons.at(target % buttons.length)?.focus();
}

/** `undefined` if they are too few or too many. */
function useCompare(count: number): (() => void) | undefined {
  const addressBar = useAddressBar();
  const selection = useSelection();
  if (count < 2 || count > MAX_COMPARED) return undefined;
  return () => addressBar.push({ compare: [...selection.ids.get()] });
}

function useActions(): SelectionActions {
  const edits = useEdits();
  const links = useLinks();
  const selection = useSelection();
  const deletions = useDeletions();
  const archive = useArchive();
  const notices = useNotices();
  const trouble = useTrouble();
  const [actions] = useState(
    () => new SelectionActions({ edits, links, selection, deletions, archive, notices, trouble }),
  );
  return actions;
}

/** What had the focus is gone: a deleted picture, or the bar. */
function focusPictures(): void {
  if (document.activeElement !== document.body) return;
  const pictures = document.querySelectorAll<HTMLElement>('main [role="option"]');
  [...pictures].find(({ tabIndex }) => tabIndex === 0)?.focus({ preventScroll: true });
}
