import type { Usage } from '@image-catalog/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCatalog } from '../catalog/use-catalog.ts';

/** `undefined` while it is asked for the first time; `unknown` if the service does not say it. */
export type ShownUsage = Usage | 'unknown' | undefined;

/** @param openings of the menu that shows it: each asks again */
export function useUsage(openings: number): ShownUsage {
  const catalog = useCatalog();
  const { data, error } = useQuery({
    queryKey: ['usage', openings],
    queryFn: ({ signal }) => catalog.usage({ signal }),
    enabled: openings > 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  return error === null ? data : 'unknown';
}
