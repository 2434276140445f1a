import { useStoreValue } from '../base/use-store-value.ts';
import { useRights } from '../session/use-rights.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import type { ViewState } from '../view-state/view-state.ts';

/** The page that is shown: an address may name one that the person may not see. */
export function usePage(): ViewState['page'] {
  const asked = useStoreValue(useAddressBar().view, (view) => view.page);
  const { seePublished } = useRights();
  return asked === 'published' && !seePublished ? 'pictures' : asked;
}
