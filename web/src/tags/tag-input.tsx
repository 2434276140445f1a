import { SuggestionList } from './suggestion-list.tsx';
import { tagsTexts } from './tags-texts.ts';
import { type TagFieldOptions, useTagField } from './use-tag-field.ts';
import './tags.css';

export interface TagInputProps extends TagFieldOptions {
  /** Names the field for a screen reader. */
  readonly label: string;
  /** Why the last change was refused. */
  readonly error?: string | undefined;
  /** Default: that tags are added. */
  readonly placeholder?: string;
}

/** Tags as chips, and a field with completion. */
export function TagInput({ label, error, placeholder, ...options }: TagInputProps): React.JSX.Element {
  const { tags } = options;
  const { combobox, problem, announcement, remove, paste } = useTagField(options);
  const message = problem === undefined ? error : tagsTexts().problem[problem];
  const errorId = `${combobox.list.id}-error`;
  return (
    <div className="tags">
      <div className="tags-field" data-invalid={message !== undefined || undefined}>
        <TagChips label={label} tags={tags} onRemove={remove} />
        <input
          {...combobox.field}
          className="tags-input"
          enterKeyHint="done"
          placeholder={tags.length === 0 ? (placeholder ?? tagsTexts().placeholder) : undefined}
          aria-label={label}
          aria-invalid={message !== undefined}
          aria-describedby={message === undefined ? undefined : errorId}
          onPaste={paste}
        />
      </div>
      <SuggestionList {...combobox.list} label={label} />
      {message !== undefined && (
        <p className="tags-error" id={errorId}>
          {message}
        </p>
      )}
      <output className="visually-hidden">{announcement}</output>
    </div>
  );
}

interface TagChipsProps {
  readonly label: string;
  readonly tags: readonly string[];
  readonly onRemove: (tag: string) => void;
}

function TagChips({ label, tags, onRemove }: TagChipsProps): React.JSX.Element {
  return (
    <ul className="tags-chips" aria-label={tagsTexts().present(label)}>
      {tags.map((tag) => (
        <li className="tags-chip" key={tag}>
          <span className="tags-chip-text">{tag}</span>
          <button type="button" className="tags-remove" onClick={() => onRemove(tag)}>
            <span className="visually-hidden">{tagsTexts().remove(tag)}</span>
            <svg aria-hidden="true" viewBox="0 0 12 12">
              <path d="m2.5 2.5 7 7m0-7-7 7" />
            </svg>
          </button>
        </li>
      ))}
    </ul>
  );
}
