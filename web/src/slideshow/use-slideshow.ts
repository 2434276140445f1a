import type { ImageRecord } from '@image-catalog/client';
import { useEffect, useState } from 'react';
import { systemClock } from '../base/clock.ts';
import type { LinkCache } from '../catalog/link-cache.ts';
import { chooseWidth } from '../catalog/rendition-choice.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useLinks } from '../catalog/use-links.ts';
import { frameOf } from '../stage/geometry.ts';
import { useTrouble } from '../states/use-trouble.ts';
import { filtersOf } from '../view-state/list-query.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { SlideSource } from './slide-source.ts';
import { Slideshow } from './slideshow.ts';

/** Of the pictures of the present view, in the order of the seed. */
export function useSlideshow(seed: string): Slideshow {
  const catalog = useCatalog();
  const links = useLinks();
  const addressBar = useAddressBar();
  const trouble = useTrouble();
  const [show] = useState(() => {
    const query = { ...filtersOf(addressBar.view.get()), sort: 'random', seed } as const;
    return new Slideshow({
      source: new SlideSource(catalog, query),
      load: (record) => loadForScreen(record, links),
      clock: systemClock,
      onError: (error, retry) => trouble.report(error, { retry }),
    });
  });
  useEffect(() => {
    const follow = (): void => show.suspend(document.hidden);
    document.addEventListener('visibilitychange', follow);
    show.start();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      show.stop();
    };
  }, [show]);
  return show;
}

async function loadForScreen(record: ImageRecord, links: LinkCache): Promise<string> {
  const pixelRatio = window.devicePixelRatio;
  const screen = { width: window.innerWidth, height: window.innerHeight };
  const { fitted } = frameOf(record, screen, pixelRatio);
  const width = chooseWidth(record, { fitted, zoom: 1, pixelRatio });
  const src = await links.url(record.id, width === 'original' ? {} : { width, format: 'webp' });
  const image = new Image();
  image.src = src;
  await image.decode();
  return src;
}
