import type { ImageRecord } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { cropPosition } from './crop-position.ts';
import { metadataQuery } from './metadata-query.ts';
import { useCatalog } from './use-catalog.ts';
import { type ThumbnailState, useThumbnail } from './use-thumbnail.ts';

/** The same for a square box: what is cropped away depends on the focus of the picture. */
export function useSquareThumbnail(record: ImageRecord): ThumbnailState {
  const catalog = useCatalog();
  const { attributes, attempts } = useThumbnail(record);
  const { data } = useQuery({
    ...metadataQuery(catalog, record.id),
    staleTime: 60_000,
  });
  const style = { ...attributes.style, objectPosition: cropPosition(record, 1, data?.focus) };
  return { attributes: { ...attributes, style }, attempts };
}
