import { Waiting } from './waiting.tsx';

/** As long as the code of a part of the page is not there. A load that hangs can be ended by a reload of the page only. */
export function ComingPart({ back }: { readonly back: () => void }): React.JSX.Element {
  return <Waiting retry={() => location.reload()} back={back} />;
}
