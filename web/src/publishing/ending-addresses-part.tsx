import { useStoreValue } from '../base/use-store-value.ts';
import { ComingDialog } from '../states/coming-dialog.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { useEndingAddresses } from './use-ending-addresses.ts';

interface PartProps {
  /** Until its code is there. */
  readonly onClose: () => void;
}

const Dialog = lazyPart<'EndingAddressesDialog', PartProps>(
  () => import('./ending-addresses-dialog.tsx'),
  'EndingAddressesDialog',
  ComingDialog,
);

/** Above everything from which pictures can be deleted. */
export function EndingAddressesPart(): React.JSX.Element | null {
  const endings = useEndingAddresses();
  const isAsked = useStoreValue(endings.question, (question) => question !== undefined);
  return isAsked ? <Dialog onClose={() => endings.cancel()} /> : null;
}
