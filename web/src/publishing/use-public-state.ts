import type { Change, NamedImage } from '@image-catalog/client';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useStore } from '../base/use-store.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useConfig } from '../session/use-config.ts';
import { usePublishedNames } from './use-published-names.ts';

export interface PublicState {
  readonly isPublic: boolean;
  /** Whether `isPublic` is known already; until then it is false. */
  readonly isKnown: boolean;
  /** `undefined` until it is known. */
  readonly url: string | undefined;
}

/** Whether a name is public. The service is asked only about a name of which the list of published names does not tell all. */
export function usePublicState(name: string): PublicState {
  const catalog = useCatalog();
  const { publishNames } = useConfig();
  const known = useStore(usePublishedNames().known);
  const listed = known?.names.get(name);
  const isCertain = listed === undefined ? known?.isAll === true : listed.url !== undefined;
  const { data } = useQuery({
    queryKey: keyOf(name),
    queryFn: ({ signal }) => catalog.getName(name, { signal }),
    enabled: publishNames && !isCertain,
    // The list may be of the first names only: others change unlisted names without a change of the list.
    staleTime: listed === undefined ? 0 : 30_000,
  });
  const asked = isCertain ? undefined : data;
  return {
    isPublic: listed !== undefined || asked?.public === true,
    isKnown: isCertain || listed !== undefined || data !== undefined,
    url: listed?.url ?? asked?.url ?? undefined,
  };
}

/** Others have changed these names: what the service has said of them is asked again. */
export function followPublicStates(queries: QueryClient, changes: readonly Change[]): void {
  for (const name of new Set(changes.map((change) => change.name))) {
    if (name !== undefined) void queries.invalidateQueries({ queryKey: keyOf(name) });
  }
}

export function learnPublicState(queries: QueryClient, named: NamedImage): void {
  queries.setQueryData(keyOf(named.name), named);
}

function keyOf(name: string): readonly string[] {
  return ['public-state', name];
}
