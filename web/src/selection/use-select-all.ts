import { usePage } from '../contexts/page.ts';
import { useView } from '../contexts/view.ts';
import { useImageList } from '../images/use-image-list.ts';
import { explainRefusal } from './explain-refusal.ts';

/** Selects all results; `undefined` if they are selected already. */
export function useSelectAll(count: number): (() => void) | undefined {
  const { selection } = useView();
  const { notices } = usePage();
  const list = useImageList();
  if (list === undefined || list.count <= count) return undefined;
  return () =>
    void selection.addRange(list, 0, list.count - 1).then((refusal) => explainRefusal(refusal, notices));
}
