import type { Selection } from '../selection/selection.ts';
import type { Edit } from './edit.ts';
import type { EditOptions, Edits } from './edits.ts';

/** Pictures that were not changed stay selected, alone. @returns whether there are others */
export async function changeSelected(
  edits: Pick<Edits, 'change' | 'refreshList'>,
  selection: Pick<Selection, 'ids' | 'remove'>,
  ids: readonly number[],
  edit: Edit,
  options: EditOptions,
): Promise<boolean> {
  const { missing, refused, left } = await edits.change(ids, edit, options);
  const unchanged = [...refused, ...left];
  if (unchanged.length > 0) selection.ids.set(new Set(unchanged));
  else selection.remove(missing);
  void edits.refreshList();
  return unchanged.length < ids.length;
}
