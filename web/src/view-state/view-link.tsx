import { useAddressBar } from './use-address-bar.ts';
import { formatViewState, parseViewState, type ViewState } from './view-state.ts';

interface ViewLinkProps extends React.ComponentProps<'a'> {
  readonly view: Partial<ViewState>;
}

/** To another view of the gallery: a link, so that it can be opened in another tab. */
export function ViewLink({ view, onClick, children, ...props }: ViewLinkProps): React.JSX.Element {
  const addressBar = useAddressBar();
  return (
    <a
      {...props}
      href={`./${formatViewState({ ...parseViewState(''), ...view })}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onClick?.(event);
        addressBar.push(view);
      }}
    >
      {children}
    </a>
  );
}
