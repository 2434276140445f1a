import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { liveTexts } from '../live/live-texts.ts';
import { useLive } from '../live/use-live.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useGrid } from './use-grid.ts';
import './new-pictures.css';

/** Pictures of others wait behind it: nothing moves until the person wants it. */
export function NewPictures(): React.JSX.Element {
  const grid = useGrid();
  const live = useLive();
  const { size } = useStore(live.waiting);
  async function show(): Promise<void> {
    grid.jumpTo(await live.bringIn());
  }
  useShortcut('n', () => void show(), { enabled: size > 0 });
  return (
    <>
      {/* Once, and not for each of them. */}
      <output className="visually-hidden">{size > 0 && liveTexts().announced}</output>
      {size > 0 && (
        <Button
          className="button floating new-pictures"
          aria-keyshortcuts="n"
          onClick={() => {
            focusResultCount();
            void show();
          }}
        >
          {liveTexts().waiting(size)}
        </Button>
      )}
    </>
  );
}
