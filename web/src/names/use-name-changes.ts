import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from '../live/use-live.ts';
import { followPublicStates } from '../publishing/use-public-state.ts';
import { followNames, forgetNames } from './known-names.ts';

/** The panel follows the names, as long as the viewer is open. */
export function useNameChanges(): void {
  const queries = useQueryClient();
  const live = useLive();
  useEffect(() => {
    forgetNames(queries);
    return live.changes.subscribe(() => {
      followNames(queries, live.changes.get());
      followPublicStates(queries, live.changes.get());
    });
  }, [queries, live]);
}
