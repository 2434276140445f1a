import { useEffect, useRef } from 'react';
import { useAddressBar } from './use-address-bar.ts';
import type { ViewState } from './view-state.ts';

/**
 * For what the address bar opens and closes.
 *
 * @param closed what the address says when it is closed
 * @returns goes back to the entry of the history from which it was opened, if it was opened in this page
 */
export function useLeave(isOpen: boolean, closed: Partial<ViewState>): () => void {
  const addressBar = useAddressBar();
  const wasOpen = useRef(isOpen);
  const isOpenedHere = useRef(false);
  const isClosing = useRef(false);
  useEffect(() => {
    if (!wasOpen.current && isOpen) isOpenedHere.current = true;
    if (!isOpen) isOpenedHere.current = false;
    wasOpen.current = isOpen;
    isClosing.current = false;
  }, [isOpen]);
  return () => {
    if (isClosing.current || !isOpen) return;
    isClosing.current = true;
    if (isOpenedHere.current) history.back();
    else addressBar.replace(closed);
  };
}
