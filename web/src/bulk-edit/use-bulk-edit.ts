import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeSelected } from '../edits/change-selected.ts';
import { useEdits } from '../edits/use-edits.ts';
import { useImages } from '../images/use-images.ts';
import { useSelection } from '../selection/use-selection.ts';
import { bulkEditTexts } from './bulk-edit-texts.ts';
import { changeOf, type EditForm, NO_EDIT } from './edit-form.ts';

const TEXTS = ['title', 'description'] as const;

const NOTHING_ASKED: ReadonlyArray<(typeof TEXTS)[number]> = [];

export interface BulkEditState {
  readonly form: EditForm;
  readonly change: (form: Partial<EditForm>) => void;
  readonly ids: readonly number[];
  /** Those of the pictures that are loaded. */
  readonly records: readonly ImageRecord[];
  readonly canApply: boolean;
  /** Texts that would be removed: the person is asked first. */
  readonly asked: ReadonlyArray<(typeof TEXTS)[number]>;
  /** Pictures that are done; `undefined` if it has not begun. */
  readonly done: number | undefined;
  readonly apply: () => void;
}

export function useBulkEdit(onDone: () => void): BulkEditState {
  const edits = useEdits();
  const images = useImages();
  const selection = useSelection();
  const queries = useQueryClient();
  // Those of when it was opened.
  const [ids] = useState(() => [...selection.ids.get()]);
  const [form, setForm] = useState(NO_EDIT);
  const [done, setDone] = useState<number>();
  const [asked, setAsked] = useState(NOTHING_ASKED);
  const edit = changeOf(form);

  async function apply(): Promise<void> {
    if (edit === undefined) return;
    const removed = TEXTS.filter((field) => edit[field] === null);
    if (removed.length > asked.length) {
      setAsked(removed);
      return;
    }
    setDone(0);
    const isDone = await changeSelected(edits, selection, ids, edit, {
      textOf: bulkEditTexts().done,
      onProgress: setDone,
      onSaved: () => void queries.invalidateQueries(),
    });
    // What was typed stays for another attempt.
    if (isDone) onDone();
    else setDone(undefined);
  }

  return {
    form,
    change: (part) => {
      setAsked(NOTHING_ASKED);
      setForm((last) => ({ ...last, ...part }));
    },
    ids,
    records: ids.flatMap((id) => images.list.get()?.find(id) ?? []),
    asked,
    canApply: edit !== undefined && done === undefined,
    done,
    apply: () => void apply(),
  };
}
