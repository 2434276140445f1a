import { useStoreValue } from '../base/use-store-value.ts';
import { Icon } from '../controls/icon.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { isStar, STAR } from './star-tag.ts';
import { starTexts } from './star-texts.ts';

/** Shows only pictures with a star, or all of them again: a filter by the tag. */
export function StarFilter(): React.JSX.Element {
  const addressBar = useAddressBar();
  const tags = useStoreValue(addressBar.view, (view) => view.tags);
  const isOn = tags.some(isStar);
  const toggle = (): void =>
    addressBar.push({ tags: isOn ? tags.filter((tag) => !isStar(tag)) : [...tags, STAR] });
  return (
    <button
      type="button"
      className="button view-bar-button"
      data-kind="quiet"
      aria-pressed={isOn}
      title={starTexts().filter}
      onClick={toggle}
    >
      <Icon name={isOn ? 'star-filled' : 'star'} />
      <span className="view-bar-label">{starTexts().filter}</span>
    </button>
  );
}
