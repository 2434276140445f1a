import { useView } from '../contexts/view.ts';
import { Icon } from '../icons/icon.tsx';
import { newSeed } from '../search/new-seed.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { texts } from '../texts.ts';

/** Begins a slideshow of the present view. A random walk keeps its order. */
export function SlideshowButton(): React.JSX.Element {
  const { addressBar } = useView();
  const begin = (): void => addressBar.push({ slideshow: addressBar.view.get().seed ?? newSeed() });
  useShortcut('s', begin);
  return (
    <button
      type="button"
      className="button view-bar-button"
      data-kind="quiet"
      title={texts.slideshow.title}
      onClick={begin}
    >
      <Icon name="play" />
      <span className="view-bar-label">{texts.slideshow.title}</span>
    </button>
  );
}
