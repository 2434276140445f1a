import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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
