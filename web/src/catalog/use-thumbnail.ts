import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { cropPosition } from './crop-position.ts';
import { metadataQuery } from './metadata-query.ts';
import { useCatalog } from './use-catalog.ts';
import { useLinks } from './use-links.ts';

/** The attributes of an `<img>`, with a placeholder until the picture is there. */
export function useThumbnail(
  record: ImageRecord,
): Pick<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'style'> {
  const links = useLinks();
  const { id, thumbhash } = record;
  const placeholder = useMemo(() => thumbhashDataUrl({ thumbhash }), [thumbhash]);
  const { data: srcSet } = useQuery({
    queryKey: ['thumbnail', id],
    queryFn: () => links.srcset(record),
    meta: { quiet: true },
    staleTime: 60_000,
  });
  return { src: placeholder, srcSet, style: { backgroundImage: `url("${placeholder}")` } };
}

/** The same for a square box: what is cropped away depends on the focus of the picture. */
export function useSquareThumbnail(record: ImageRecord): ReturnType<typeof useThumbnail> {
  const catalog = useCatalog();
  const { style, ...attributes } = useThumbnail(record);
  const { data } = useQuery({
    ...metadataQuery(catalog, record.id),
    // The middle is good enough.
    meta: { quiet: true },
    staleTime: 60_000,
  });
  return { ...attributes, style: { ...style, objectPosition: cropPosition(record, 1, data?.focus) } };
}
