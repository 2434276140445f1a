import { focusResultCount } from '../images/result-count.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import type { ViewState } from '../view-state/view-state.ts';

interface FilterButtonProps {
  readonly filter: Partial<ViewState>;
  readonly title: string;
  readonly children: string;
}

/** A fact about the picture. A click closes the picture and shows all pictures that share the fact. */
export function FilterButton({ filter, title, children }: FilterButtonProps): React.JSX.Element {
  const addressBar = useAddressBar();
  return (
    <button
      type="button"
      className="panel-filter"
      title={title}
      onClick={() => {
        addressBar.push({ ...filter, image: undefined });
        // Once the viewer is closed: the grid gets other pictures and loses the focus with them.
        requestAnimationFrame(focusResultCount);
      }}
    >
      {children}
    </button>
  );
}
