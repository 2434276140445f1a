import { useImageList } from '../images/use-image-list.ts';
import { useSelection } from '../selection/use-selection.ts';

/** Selects all results; `undefined` if they are selected already. */
export function useSelectAll(count: number): (() => void) | undefined {
  const selection = useSelection();
  const list = useImageList();
  if (list === undefined || list.count <= count) return undefined;
  return () => void selection.addRange(list, 0, list.count - 1);
}
