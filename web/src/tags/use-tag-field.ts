import { type ClipboardEvent, type RefObject, useState } from 'react';
import { type ComboboxProps, comboboxProps, useCombobox } from '../combobox/use-combobox.ts';
import { enterTags, type TagProblem } from './tag-entry.ts';
import { type TagSuggestion, useTagSuggestions } from './tag-suggestions.ts';
import { tagsTexts } from './tags-texts.ts';

export interface TagFieldOptions {
  readonly tags: readonly string[];
  /** At least one; none of them is in `tags`. */
  readonly onAdd: (tags: readonly string[]) => void;
  readonly onRemove: (tag: string) => void;
  /** Escape is pressed, and there is nothing in the field that it could clear. */
  readonly onEscape?: (() => void) | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null> | undefined;
}

export interface TagField {
  readonly combobox: ComboboxProps<TagSuggestion>;
  /** Why the last text is not a tag. */
  readonly problem: TagProblem | undefined;
  /** For screen readers. */
  readonly announcement: string;
  readonly remove: (tag: string) => void;
  readonly paste: (event: ClipboardEvent) => void;
}

const ENTER_KEYS = ['Enter', ','];

export function useTagField({ tags, onAdd, onRemove, onEscape, inputRef }: TagFieldOptions): TagField {
  const box = useCombobox('', inputRef);
  const { text, isFocused, said } = box.state;
  const { tags: options } = useTagSuggestions(text, tags, isFocused);
  const [problem, setProblem] = useState<TagProblem>();

  function add(entered: string): void {
    const { added, rest, problem: found } = enterTags(entered, tags);
    box.dispatch({ kind: 'edit', text: rest });
    setProblem(found);
    if (added.length === 0) return;
    box.dispatch({ kind: 'say', text: tagsTexts().added(added) });
    onAdd(added);
  }

  function remove(tag: string): void {
    box.dispatch({ kind: 'say', text: tagsTexts().removed(tag) });
    onRemove(tag);
    box.input.current?.focus();
  }

  /** As the other handlers of keys, returns whether the key was used up. */
  function removeLast(): boolean {
    const last = tags.at(-1);
    if (last !== undefined) remove(last);
    return last !== undefined;
  }

  function clearOrLeave(): boolean {
    if (text === '') {
      onEscape?.();
      return onEscape !== undefined;
    }
    box.dispatch({ kind: 'settle', text: '' });
    setProblem(undefined);
    return true;
  }

  const combobox = comboboxProps(box, options, {
    enterKeys: ENTER_KEYS,
    onEdit: () => setProblem(undefined),
    onChoose: ({ tag }) => add(tag),
    onEnter: () => add(text),
    onEscape: clearOrLeave,
    onRemove: removeLast,
    onLeave: () => add(text),
  });
  return {
    combobox,
    problem,
    announcement: combobox.isListShown ? tagsTexts().suggestions(options.length) : said,
    remove,
    paste: (event) => {
      const pasted = event.clipboardData.getData('text');
      if (!/[,\r\n]/.test(pasted)) return;
      event.preventDefault();
      add(text + pasted);
    },
  };
}
