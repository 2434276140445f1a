import { useEffect } from 'react';
import { listen } from '../base/listen.ts';
import { useDeletions } from './use-deletions.ts';

/** Browsers send few requests of a page that is left: of more pictures the person is asked. */
const MOST_AT_LEAVE = 50;

/** Deletions that wait for their undo time are sent when the page is left. */
export function useDeletionsAtLeave(): void {
  const deletions = useDeletions();
  useEffect(
    () =>
      listen(window, {
        pagehide: () => deletions.sendNow({ keepalive: true }),
        beforeunload: (event) => deletions.pending > MOST_AT_LEAVE && event.preventDefault(),
      }),
    [deletions],
  );
}
