import { useEffect, useRef } from 'react';
import { useView } from '../contexts/view.ts';

/** Back to the entry of the history from which the viewer was opened, if it was opened in this page. */
export function useLeaveViewer(image: number | undefined): () => void {
  const { addressBar } = useView();
  const before = useRef(image);
  const isOpenedHere = useRef(false);
  const isClosing = useRef(false);
  useEffect(() => {
    if (before.current === undefined && image !== undefined) isOpenedHere.current = true;
    if (image === undefined) isOpenedHere.current = false;
    isClosing.current = false;
    before.current = image;
  }, [image]);
  return () => {
    if (isClosing.current || addressBar.view.get().image === undefined) return;
    isClosing.current = true;
    if (isOpenedHere.current) history.back();
    else addressBar.replace({ image: undefined });
  };
}
