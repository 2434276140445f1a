import { OptionList } from '../combobox/option-list.tsx';
import type { ComboboxProps } from '../combobox/use-combobox.ts';
import { searchTexts } from './search-texts.ts';
import { SuggestionText } from './suggestion-text.tsx';
import { type Suggestion, suggestionKey } from './suggestions.ts';

export function SearchOptions(props: ComboboxProps<Suggestion>['list']): React.JSX.Element {
  return (
    <OptionList
      {...props}
      className="search-options floating"
      optionClassName="search-option"
      label={searchTexts().suggestionsLabel}
      keyOf={suggestionKey}
    >
      {SuggestionText}
    </OptionList>
  );
}
