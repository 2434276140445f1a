import { OptionList } from '../combobox/option-list.tsx';
import { texts } from '../texts.ts';
import type { TagSuggestion } from './tag-suggestions.ts';

interface SuggestionListProps {
  /** Of the combobox. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly TagSuggestion[];
  readonly active: number | undefined;
  readonly onChoose: (tag: string) => void;
}

export function SuggestionList({ label, onChoose, ...props }: SuggestionListProps): React.JSX.Element {
  return (
    <OptionList
      {...props}
      className="tags-list"
      optionClassName="tags-option"
      label={texts.tags.suggestionsFor(label)}
      keyOf={({ tag }) => tag}
      onChoose={({ tag }) => onChoose(tag)}
      onShown={placeList}
    >
      {({ tag, count }) => (
        <>
          <span className="option-text">{tag}</span>
          <span className="option-detail">{count.toLocaleString('en')}</span>
        </>
      )}
    </OptionList>
  );
}

/** Above the field if there is too little room below it. */
function placeList(list: HTMLElement): void {
  delete list.dataset['above'];
  const { bottom, height } = list.getBoundingClientRect();
  const { top } = (list.parentElement ?? list).getBoundingClientRect();
  if (bottom > window.innerHeight && top > height) list.dataset['above'] = '';
}
