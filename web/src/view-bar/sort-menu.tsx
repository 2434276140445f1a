import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { newSeed } from '../view-state/new-seed.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { SORTS, type Sort } from '../view-state/view-state.ts';
import { viewBarTexts } from './view-bar-texts.ts';

/** The order of the pictures. A random walk has its seed in the address: it is the same for everybody who opens it. */
export function SortMenu(): React.JSX.Element {
  const addressBar = useAddressBar();
  const { sort } = useStore(addressBar.view);
  const show = (chosen: Sort): void =>
    addressBar.push({ sort: chosen, seed: chosen === 'random' ? newSeed() : undefined });
  return (
    <>
      {sort === 'random' && (
        <Button
          className="button view-bar-button"
          data-kind="quiet"
          title={viewBarTexts().shuffle}
          onClick={() => show('random')}
        >
          <Icon name="shuffle" />
          <span className="view-bar-label">{viewBarTexts().shuffle}</span>
        </Button>
      )}
      <label
        className="search-sort"
        title={viewBarTexts().sorts[sort]}
        data-chosen={sort !== SORTS[0] || undefined}
      >
        <Icon name="sort" />
        <span className="visually-hidden">{viewBarTexts().sort}</span>
        <select value={sort} onChange={({ target }) => show(target.value as Sort)}>
          {SORTS.map((option) => (
            <option key={option} value={option}>
              {viewBarTexts().sorts[option]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
