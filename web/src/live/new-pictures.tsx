import { Button } from '../button.tsx';
import { useChanges } from '../contexts/changes.ts';
import { useView } from '../contexts/view.ts';
import { focusResultCount } from '../search/result-count.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import './new-pictures.css';

/** Pictures of others wait behind it: nothing moves until the person wants it. */
export function NewPictures(): React.JSX.Element {
  const { grid } = useView();
  const { live } = useChanges();
  const { size } = useStore(live.waiting);
  async function show(): Promise<void> {
    grid.jumpTo(await live.bringIn());
  }
  useShortcut('n', () => void show(), { enabled: size > 0 });
  return (
    <>
      {/* Once, and not for each of them. */}
      <output className="visually-hidden">{size > 0 && texts.live.announced}</output>
      {size > 0 && (
        <Button
          className="button floating new-pictures"
          aria-keyshortcuts="n"
          onClick={() => {
            focusResultCount();
            void show();
          }}
        >
          {texts.live.waiting(size)}
        </Button>
      )}
    </>
  );
}
