import { useCallback, useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useImages } from '../images/use-images.ts';
import { useNotices } from '../notices/use-notices.ts';
import { TrashActions } from './trash-actions.ts';
import type { TrashList } from './use-trash-list.ts';

interface Progress {
  readonly done: number;
  /** Of when it began: the feed of changes may take pictures away before the end. */
  readonly count: number;
}

export interface TrashWork {
  /** The selected pictures that are still there. */
  readonly ids: readonly number[];
  readonly selected: ReadonlySet<number>;
  readonly select: (ids: readonly number[]) => void;
  /** Always the same function. */
  readonly toggle: (id: number) => void;
  /** `undefined` if nothing is under way. */
  readonly progress: Progress | undefined;
  readonly restore: () => Promise<void>;
  readonly erase: () => Promise<void>;
}

/** The selection, and what is done with it. */
export function useTrashWork({ pictures = [], remove }: TrashList): TrashWork {
  const actions = useActions();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [progress, setProgress] = useState<Progress>();
  const ids = pictures.map(({ image }) => image.id).filter((id) => selected.has(id));

  async function run(action: 'restore' | 'erase'): Promise<void> {
    const show = (done: number): void => setProgress({ done, count: ids.length });
    show(0);
    remove(await actions[action](ids, show));
    setProgress(undefined);
  }

  return {
    ids,
    selected,
    select: (chosen) => setSelected(new Set(chosen)),
    toggle: useCallback((id) => setSelected((before) => withToggled(before, id)), []),
    progress,
    restore: () => run('restore'),
    erase: () => run('erase'),
  };
}

function withToggled(before: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

function useActions(): TrashActions {
  const catalog = useCatalog();
  const images = useImages();
  const deletions = useDeletions();
  const notices = useNotices();
  const [actions] = useState(() => new TrashActions({ catalog, images, deletions, notices }));
  return actions;
}
