import type { ImageRecord } from '@image-catalog/client';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useEndingAddresses } from '../publishing/use-ending-addresses.ts';
import { useSelection } from '../selection/use-selection.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';

/** Deletes the others, with the usual time to undo it, and goes on with the picture that is left. */
export function useKeep(records: readonly ImageRecord[], leave: () => void): (kept: ImageRecord) => void {
  const addressBar = useAddressBar();
  const selection = useSelection();
  const deletions = useDeletions();
  const endings = useEndingAddresses();
  return (kept) => {
    const others = records.map(({ id }) => id).filter((id) => id !== kept.id);
    const selected = others.filter((id) => selection.ids.get().has(id));
    endings.ask(others, () => {
      selection.remove(selected);
      deletions.delete(others, { onUndone: () => selection.add(selected) });
      // The person may have left the comparison before the question was shown.
      if (addressBar.view.get().compare.length === 0) return;
      const end = addressBar.view.subscribe(() => {
        const { compare, image } = addressBar.view.get();
        if (compare.length > 0) return;
        end();
        if (image !== undefined && others.includes(image)) addressBar.replace({ image: kept.id });
      });
      leave();
    });
  };
}
