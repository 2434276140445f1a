import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useView } from '../contexts/view.ts';
import { TagInput } from '../tags/tag-input.tsx';
import { texts } from '../texts.ts';
import { presentTags } from './present-tags.ts';
import type { SelectionActions } from './selection-actions.ts';

interface SelectionTagsProps {
  /** Pictures. */
  readonly count: number;
  readonly actions: SelectionActions;
  readonly onClose: () => void;
}

/** Adds and removes tags of all selected pictures. */
export function SelectionTags({ count, actions, onClose }: SelectionTagsProps): React.JSX.Element {
  const { images, selection } = useView();
  const queries = useQueryClient();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [present] = useState(() => presentTags(images.list.get(), selection.ids.get()));
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const [done, setDone] = useState<number>();
  const isRunning = done !== undefined;
  const offered = present.filter(({ tag }) => !remove.includes(tag));

  useEffect(() => dialog.current?.showModal(), []);

  async function apply(): Promise<void> {
    if (add.length + remove.length > 0) {
      setDone(0);
      await actions.tag({ add, remove }, { onProgress: setDone });
      void queries.invalidateQueries();
    }
    dialog.current?.close();
  }

  /** A first Enter adds the tag to the field, a second one applies it to the pictures. */
  function onKeyDown(event: React.KeyboardEvent): void {
    const { target } = event;
    const isEmptyField = target instanceof HTMLInputElement && target.value === '';
    if (event.key !== 'Enter' || !isEmptyField || target.hasAttribute('aria-activedescendant') || isRunning)
      return;
    event.preventDefault();
    event.stopPropagation();
    void apply();
  }

  return (
    <dialog
      ref={dialog}
      className="selection-tags floating"
      aria-labelledby={id}
      onClose={onClose}
      onKeyDownCapture={onKeyDown}
      onCancel={(event) => {
        if (isRunning) event.preventDefault();
      }}
    >
      <h2 id={id}>{texts.selection.tagsOf(count)}</h2>
      <TagInput
        label={texts.selection.add}
        tags={add}
        onAdd={(tags) => setAdd((all) => [...all, ...tags])}
        onRemove={(tag) => setAdd((all) => all.filter((other) => other !== tag))}
      />
      <h3>{texts.selection.present}</h3>
      <TagInput
        label={texts.selection.remove}
        placeholder={texts.selection.remove}
        tags={remove}
        onAdd={(tags) => setRemove((all) => [...all, ...tags])}
        onRemove={(tag) => setRemove((all) => all.filter((other) => other !== tag))}
      />
      {offered.length > 0 && (
        <ul className="selection-present" aria-label={texts.selection.present}>
          {offered.map(({ tag, count: pictures }) => (
            <li key={tag}>
              <button
                type="button"
                className="selection-present-tag"
                onClick={() => setRemove((all) => [...all, tag])}
              >
                {tag} <span className="selection-present-count">{pictures.toLocaleString('en')}</span>{' '}
                <span className="visually-hidden">{texts.selection.removeTag(pictures)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="selection-tags-end">
        <output>{isRunning && count > 500 ? texts.selection.progress(done, count) : ''}</output>
        <button type="button" className="button" disabled={isRunning} onClick={() => dialog.current?.close()}>
          {texts.selection.cancel}
        </button>
        <button
          type="button"
          className="button"
          data-kind="primary"
          disabled={isRunning}
          onClick={() => void apply()}
        >
          {texts.selection.apply}
        </button>
      </div>
    </dialog>
  );
}
