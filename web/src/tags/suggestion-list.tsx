import { OptionList } from '../combobox/option-list.tsx';
import type { ComboboxProps } from '../combobox/use-combobox.ts';
import { formats } from '../languages/formats.ts';
import type { TagSuggestion } from './tag-suggestions.ts';
import { tagsTexts } from './tags-texts.ts';

type SuggestionListProps = ComboboxProps<TagSuggestion>['list'] & { readonly label: string };

export function SuggestionList({ label, ...list }: SuggestionListProps): React.JSX.Element {
  return (
    <OptionList
      {...list}
      className="tags-list"
      optionClassName="tags-option"
      label={tagsTexts().suggestionsFor(label)}
      keyOf={({ tag }) => tag}
      onShown={placeList}
    >
      {({ tag, count }) => (
        <>
          <span className="option-text">{tag}</span>
          <span className="option-detail">{formats().number(count)}</span>
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
