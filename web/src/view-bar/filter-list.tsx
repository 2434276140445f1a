import { useRef } from 'react';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { filterChips } from '../search/filter-chips.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { viewBarTexts } from './view-bar-texts.ts';

/** The filters of the view as chips. Each is removed by a click, or by Delete or Backspace while it has the focus. */
export function FilterList(): React.JSX.Element {
  const addressBar = useAddressBar();
  const chips = filterChips(useStore(addressBar.view));
  const list = useRef<HTMLDivElement>(null);

  function remove(index: number): void {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    // The next one takes its place; behind the last one is the button that clears all.
    if (chips.length > 1) buttons[index + 1]?.focus();
    else focusResultCount();
    const chip = chips[index];
    if (chip !== undefined) addressBar.push(chip.removal);
  }

  function clear(): void {
    focusResultCount();
    addressBar.push(NO_FILTERS);
  }

  return (
    <div ref={list} className="search-filters">
      <ul className="search-filter-list" aria-label={viewBarTexts().filters}>
        {chips.map(({ key, kind, label }, index) => (
          <li key={key} data-kind={kind}>
            <button
              type="button"
              className="search-chip"
              aria-label={viewBarTexts().remove(label)}
              onClick={() => remove(index)}
              onKeyDown={(event) => {
                if (event.key !== 'Delete' && event.key !== 'Backspace') return;
                event.preventDefault();
                event.stopPropagation();
                remove(index);
              }}
            >
              <span className="search-chip-text">{label}</span>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <Button className="button search-clear-all" data-kind="quiet" onClick={clear}>
        {viewBarTexts().clearAll}
      </Button>
    </div>
  );
}
