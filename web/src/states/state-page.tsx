import { PlainHeader } from './plain-header.tsx';
import { StateView, type StateViewProps } from './state-view.tsx';

/** A sentence in the place of the whole page. */
export function StatePage(props: StateViewProps): React.JSX.Element {
  return (
    <>
      <PlainHeader />
      <main className="state-page">
        <StateView {...props} />
      </main>
    </>
  );
}
