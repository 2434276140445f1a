import { useView } from '../contexts/view.ts';
import { Icon } from '../icons/icon.tsx';
import { useStoreValue } from '../store.ts';
import { texts } from '../texts.ts';
import { isStar, STAR } from './star-tag.ts';

/** Shows only pictures with a star, or all of them again: a filter by the tag. */
export function StarFilter(): React.JSX.Element {
  const { addressBar } = useView();
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
      title={texts.star.filter}
      onClick={toggle}
    >
      <Icon name={isOn ? 'star-filled' : 'star'} />
      <span className="view-bar-label">{texts.star.filter}</span>
    </button>
  );
}
