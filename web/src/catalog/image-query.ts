import type { ImageCatalog } from '@image-catalog/client';
import { queryOptions } from '@tanstack/react-query';

/** The record of a picture that the list of the view may not hold. */
export function imageQuery(catalog: Pick<ImageCatalog, 'get'>, id: number) {
  return queryOptions({
    queryKey: ['image', id],
    queryFn: ({ signal }) => catalog.get(id, { signal }),
    staleTime: 60_000,
  });
}
