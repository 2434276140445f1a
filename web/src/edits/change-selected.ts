import type { Selection } from '../selection/selection.ts';
import type { Edit } from './edit.ts';
import type { EditOptions, Edits } from './edits.ts';

/** Pictures that were not changed stay selected, alone. */
export async function changeSelected(
  edits: Pick<Edits, 'change' | 'refreshList'>,
  selection: Pick<Selection, 'ids' | 'remove'>,
  ids: readonly number[],
  edit: Edit,
  options: EditOptions,
): Promise<void> {
  const { missing, refused, left } = await edits.change(ids, edit, options);
  if (refused.length + left.length > 0) selection.ids.set(new Set([...refused, ...left]));
  else selection.remove(missing);
  void edits.refreshList();
}
