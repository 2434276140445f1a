import { useEffect, useRef, useState } from 'react';
import { TagInput } from '../tags/tag-input.tsx';
import { panelTexts } from './panel-texts.ts';
import type { PanelMetadata } from './use-metadata.ts';

interface PanelTagsProps {
  readonly tags: readonly string[];
  readonly save: PanelMetadata['save'];
  /** The field gets the focus as soon as it is there. */
  readonly focusTags: boolean;
  readonly onTagsFocused: () => void;
}

export function PanelTags({ tags, save, focusTags, onTagsFocused }: PanelTagsProps): React.JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (!focusTags || field.current === null) return;
    field.current.focus();
    onTagsFocused();
  }, [focusTags, onTagsFocused]);

  async function saveTags(changed: readonly string[]): Promise<void> {
    setError(await save({ tags: changed }));
  }

  return (
    <TagInput
      label={panelTexts().tags}
      tags={tags}
      error={error}
      inputRef={field}
      onEscape={() => field.current?.closest('dialog')?.focus()}
      onAdd={(added) => void saveTags([...tags, ...added])}
      onRemove={(removed) => void saveTags(tags.filter((tag) => tag !== removed))}
    />
  );
}
