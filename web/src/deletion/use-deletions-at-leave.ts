import { useEffect } from 'react';
import { useDeletions } from './use-deletions.ts';

/** Browsers send few requests of a page that is left: of more pictures the person is asked. */
const MOST_AT_LEAVE = 50;

/** Deletions that wait for their undo time are sent when the page is left. */
export function useDeletionsAtLeave(): void {
  const deletions = useDeletions();
  useEffect(() => {
    const send = (): void => void deletions.sendNow({ keepalive: true });
    const ask = (event: BeforeUnloadEvent): void => {
      if (deletions.pending > MOST_AT_LEAVE) event.preventDefault();
    };
    window.addEventListener('pagehide', send);
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('pagehide', send);
      window.removeEventListener('beforeunload', ask);
    };
  }, [deletions]);
}
