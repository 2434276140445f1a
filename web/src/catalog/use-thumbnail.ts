import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { type Attempts, useAttempts } from '../trouble/use-attempts.ts';
import { useLinks } from './use-links.ts';

export interface ThumbnailState {
  /** Of an `<img>`, with a placeholder until the picture is there. */
  readonly attributes: Pick<React.ComponentProps<'img'>, 'src' | 'srcSet' | 'style' | 'onLoad' | 'onError'>;
  readonly attempts: Attempts;
}

export function useThumbnail(record: ImageRecord): ThumbnailState {
  const links = useLinks();
  const { id, thumbhash } = record;
  const attempts = useAttempts(() => links.forget(id));
  const placeholder = useMemo(() => thumbhashDataUrl({ thumbhash }), [thumbhash]);
  const { data, isError } = useQuery({
    queryKey: ['thumbnail', id, attempts.number],
    queryFn: () => links.srcset(record),
    staleTime: 60_000,
  });
  const fail = useEffectEvent(attempts.failed);
  useEffect(() => {
    if (isError) fail();
  }, [isError]);
  const attributes = {
    src: placeholder,
    // The preview stays where the picture cannot be had.
    srcSet: attempts.isWaiting ? undefined : data,
    style: { backgroundImage: `url("${placeholder}")` },
    onError: attempts.failed,
  };
  return { attributes, attempts };
}
