import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useImages } from '../images/use-images.ts';
import { useNotices } from '../notices/use-notices.ts';
import { useSelection } from '../selection/use-selection.ts';
import { useTrouble } from '../states/use-trouble.ts';
import { bulkEditTexts } from './bulk-edit-texts.ts';
import { changeOf, type EditForm, NO_EDIT } from './edit-form.ts';
import { editImages } from './edit-images.ts';

export interface BulkEditState {
  readonly form: EditForm;
  readonly change: (form: Partial<EditForm>) => void;
  readonly ids: readonly number[];
  /** Those of the pictures that are loaded. */
  readonly records: readonly ImageRecord[];
  readonly canApply: boolean;
  /** Pictures that are done; `undefined` if it has not begun. */
  readonly done: number | undefined;
  readonly apply: () => void;
}

export function useBulkEdit(onDone: () => void): BulkEditState {
  const catalog = useCatalog();
  const images = useImages();
  const selection = useSelection();
  const notices = useNotices();
  const trouble = useTrouble();
  const queries = useQueryClient();
  // Those of when it was opened.
  const [ids] = useState(() => [...selection.ids.get()]);
  const [form, setForm] = useState(NO_EDIT);
  const [done, setDone] = useState<number>();
  const edit = changeOf(form);

  async function apply(): Promise<void> {
    if (edit === undefined) return;
    setDone(0);
    const { updated, missing, left, error } = await editImages(catalog, ids, edit, setDone);
    const text = bulkEditTexts().done(updated.length, missing.length, left.length);
    notices.show(text, { tone: left.length > 0 ? 'error' : 'info' });
    if (left.length > 0) {
      trouble.report(error);
      selection.ids.set(new Set(left));
    } else selection.remove(missing);
    void queries.invalidateQueries();
    void images.list.get()?.refresh();
    onDone();
  }

  return {
    form,
    change: (part) => setForm((last) => ({ ...last, ...part })),
    ids,
    records: ids.flatMap((id) => images.list.get()?.find(id) ?? []),
    canApply: edit !== undefined && done === undefined,
    done,
    apply: () => void apply(),
  };
}
