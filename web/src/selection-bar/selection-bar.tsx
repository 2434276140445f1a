import { useStore } from '../base/use-store.ts';
import { useSelection } from '../selection/use-selection.ts';
import { ComingPart } from '../states/coming-part.tsx';
import { lazyPart } from '../states/lazy-part.tsx';

const SelectionToolbar = lazyPart(() => import('./selection-toolbar.tsx'), 'SelectionToolbar', ComingToolbar);

function ComingToolbar(): React.JSX.Element {
  const selection = useSelection();
  return (
    <div className="coming-dialog floating">
      <ComingPart back={() => selection.clear()} />
    </div>
  );
}

/** What can be done with the selected pictures, as long as there are any. */
export function SelectionBar(): React.JSX.Element | null {
  const count = useStore(useSelection().ids).size;
  return count === 0 ? null : <SelectionToolbar count={count} />;
}
