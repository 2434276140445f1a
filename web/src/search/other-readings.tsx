import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { searchTexts } from './search-texts.ts';
import { SuggestionText } from './suggestion-text.tsx';
import { type Suggestion, suggestionKey } from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';

/** The filters that words can mean which no picture has. */
function Readings(): React.JSX.Element | null {
  const addressBar = useAddressBar();
  const view = useStore(addressBar.view);
  const { listed: options } = useSuggestions(view.q, view, view.q !== '');
  const choose = ({ change, rest }: Suggestion): void => {
    focusResultCount();
    addressBar.push({ ...change, q: rest });
  };
  if (options.length === 0) return null;
  return (
    <div className="search-readings">
      <p className="state-hint">{searchTexts().otherReadings}</p>
      <div className="state-buttons">
        {options.map((option) => (
          <Button key={suggestionKey(option)} onClick={() => choose(option)}>
            <SuggestionText {...option} />
          </Button>
        ))}
      </div>
    </div>
  );
}

export const OtherReadings = withQueries(Readings);
