import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { LinkMissing } from '../catalog/link-missing.ts';
import { useLinks } from '../catalog/use-links.ts';
import { useImages } from '../images/use-images.ts';
import { gridPictureOf } from './grid-picture.ts';

/** A larger rendition is requested when the zoom has rested for so long. */
const REST_MS = 150;

/** The service may be busy. */
const RETRY_DELAYS_MS = [1000, 3000];

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
  const placeholder = useMemo(
    () =>
      gridPictureOf(id, images.list.get())?.currentSrc ?? thumbhashDataUrl({ thumbhash: record.thumbhash }),
    [id, images, record.thumbhash],
  );
  const [loaded, setLoaded] = useState<Loaded>({ src: placeholder, width: 0 });
  const [failed, setFailed] = useState<number>();
  const width = wanted === 'original' ? ORIGINAL : wanted;
  const isDone = width === undefined || width <= loaded.width;
  const isFailed = !isDone && failed === width;
  const hasPicture = loaded.width > 0;

  useEffect(() => {
    if (isDone || isFailed) return undefined;
    const end = new AbortController();
    const rendition = width === ORIGINAL ? {} : ({ width, format: 'webp' } as const);
    const load = async (): Promise<void> => {
      await pause(hasPicture ? REST_MS : 0, end.signal);
      for (const delay of [...RETRY_DELAYS_MS, undefined]) {
        try {
          const src = await links.url(id, rendition);
          await decode(src);
          if (!end.signal.aborted) setLoaded({ src, width });
          return;
        } catch (error) {
          if (end.signal.aborted) return;
          // The picture may have been deleted.
          if (error instanceof LinkMissing) void queries.invalidateQueries({ queryKey: ['image', id] });
          links.forget(id);
          if (delay === undefined) setFailed(width);
          else await pause(delay, end.signal);
        }
      }
    };
    load().catch(() => undefined);
    return () => end.abort();
  }, [links, id, width, isDone, isFailed, hasPicture, queries]);

  return {
    src: loaded.src,
    state: isFailed ? 'failed' : isDone ? 'sharp' : 'loading',
    retry: () => setFailed(undefined),
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
