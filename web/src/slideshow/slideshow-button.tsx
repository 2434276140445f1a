import { Icon } from '../controls/icon.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { newSeed } from '../view-state/new-seed.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { slideshowTexts } from './slideshow-texts.ts';

/** Begins a slideshow of the present view. A random walk keeps its order. */
export function SlideshowButton(): React.JSX.Element {
  const addressBar = useAddressBar();
  const begin = (): void => addressBar.push({ slideshow: addressBar.view.get().seed ?? newSeed() });
  useShortcut('s', begin);
  return (
    <button
      type="button"
      className="button view-bar-button"
      data-kind="quiet"
      title={slideshowTexts().title}
      onClick={begin}
    >
      <Icon name="play" />
      <span className="view-bar-label">{slideshowTexts().title}</span>
    </button>
  );
}
