import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SelectionActions } from './selection-actions.ts';

interface TagList {
  readonly tags: readonly string[];
  readonly onAdd: (tags: readonly string[]) => void;
  readonly onRemove: (tag: string) => void;
}

export interface TagChangeState {
  readonly add: TagList;
  readonly remove: TagList;
  readonly isRunning: boolean;
  /** Pictures. */
  readonly done: number;
  readonly apply: () => void;
}

/** @param onDone called when the tags were changed, or if there is nothing to change */
export function useTagChange(actions: Pick<SelectionActions, 'tag'>, onDone: () => void): TagChangeState {
  const queries = useQueryClient();
  const add = useTagList();
  const remove = useTagList();
  const [done, setDone] = useState<number>();

  async function apply(): Promise<void> {
    if (add.tags.length + remove.tags.length > 0) {
      setDone(0);
      await actions.tag(
        { addTags: add.tags, removeTags: remove.tags },
        { onProgress: setDone, onSaved: () => void queries.invalidateQueries() },
      );
    }
    onDone();
  }

  return { add, remove, isRunning: done !== undefined, done: done ?? 0, apply: () => void apply() };
}

function useTagList(): TagList {
  const [tags, setTags] = useState<readonly string[]>([]);
  return {
    tags,
    onAdd: (added) => setTags((all) => [...all, ...added]),
    onRemove: (removed) => setTags((all) => all.filter((tag) => tag !== removed)),
  };
}
