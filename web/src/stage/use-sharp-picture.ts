import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { LinkMissing } from '../catalog/link-missing.ts';
import { useLinks } from '../catalog/use-links.ts';
import { useImages } from '../images/use-images.ts';
import { useAttempts } from '../trouble/use-attempts.ts';
import { gridPictureOf } from './grid-picture.ts';

/** A larger rendition is requested when the zoom has rested for so long. */
const REST_MS = 150;

/** What the original counts as. */
const ORIGINAL = Number.POSITIVE_INFINITY;

interface Loaded {
  readonly src: string;
  /** Pixels; 0 for a placeholder. */
  readonly width: number;
}

export interface SharpPicture {
  readonly src: string;
  readonly state: 'loading' | 'sharp' | 'failed';
  readonly retry: () => void;
  /** What was shown is gone from the cache of the browser, and cannot be loaded again. */
  readonly onError: () => void;
}

/**
 * The best that is there: the placeholder or the picture of the grid, then renditions that are decoded before they are
 * shown, so that nothing flickers. It never gets worse.
 *
 * @param wanted `undefined` to wait
 */
export function useSharpPicture(record: ImageRecord, wanted: number | 'original' | undefined): SharpPicture {
  const links = useLinks();
  const images = useImages();
  const queries = useQueryClient();
  const { id } = record;
  const thumbhash = useMemo(() => thumbhashDataUrl(record), [record]);
  const [loaded, setLoaded] = useState<Loaded>(() => ({
    src: gridPictureOf(id, images.list.get())?.currentSrc ?? thumbhash,
    width: 0,
  }));
  const attempts = useAttempts(() => links.forget(id));
  const fail = useEffectEvent(attempts.failed);
  const succeed = useEffectEvent(attempts.succeeded);
  const width = wanted === 'original' ? ORIGINAL : wanted;
  const isDone = width === undefined || width <= loaded.width;
  const hasPicture = loaded.width > 0;

  useEffect(() => {
    if (isDone || attempts.isWaiting) return undefined;
    const end = new AbortController();
    const rendition = width === ORIGINAL ? {} : ({ width, format: 'webp' } as const);
    const load = async (): Promise<void> => {
      await pause(hasPicture ? REST_MS : 0, end.signal);
      try {
        const src = await links.url(id, rendition);
        await decode(src);
        if (end.signal.aborted) return;
        setLoaded({ src, width });
        succeed();
      } catch (error) {
        if (end.signal.aborted) return;
        // The picture may have been deleted.
        if (error instanceof LinkMissing) void queries.invalidateQueries({ queryKey: ['image', id] });
        fail();
      }
    };
    load().catch(() => undefined);
    return () => end.abort();
  }, [links, id, width, isDone, attempts.isWaiting, hasPicture, queries]);

  return {
    src: loaded.src,
    state: isDone ? 'sharp' : attempts.isOver ? 'failed' : 'loading',
    retry: attempts.again,
    onError: () => {
      setLoaded({ src: thumbhash, width: 0 });
      // The picture of the grid is a placeholder only.
      if (hasPicture) attempts.failed();
    },
  };
}

async function decode(src: string): Promise<void> {
  const image = new Image();
  image.src = src;
  await image.decode();
}

/** Rejects if the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('', 'AbortError'));
    });
  });
}
