import type { ImageCatalog } from '@image-catalog/client';
import { queryOptions } from '@tanstack/react-query';

export function metadataKey(id: number): readonly ['metadata', number] {
  return ['metadata', id];
}

export function metadataQuery(catalog: ImageCatalog, id: number) {
  return queryOptions({
    queryKey: metadataKey(id),
    queryFn: ({ signal }) => catalog.metadata(id, { signal }),
    // Long enough for what was prefetched; the selection can be tagged at any time.
    staleTime: 5000,
  });
}
