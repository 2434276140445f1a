import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** Renders again only if what is selected changes. The selected value must be the same object as long as it is equal. */
export function useStoreValue<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
