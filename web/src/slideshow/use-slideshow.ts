import type { ImageRecord } from '@image-catalog/client';
import { useEffect, useState } from 'react';
import { systemClock } from '../base/clock.ts';
import { listen } from '../base/listen.ts';
import { chooseWidth } from '../catalog/choose-width.ts';
import type { LinkCache } from '../catalog/link-cache.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useLinks } from '../catalog/use-links.ts';
import { PagedImages } from '../images/paged-images.ts';
import { frameOf } from '../stage/geometry.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { filtersOf } from '../view-state/view-state.ts';
import { Slideshow } from './slideshow.ts';

/** Pictures of one request. */
const PAGE = 50;

/** Of the pictures of the present view, in the order of the seed. */
export function useSlideshow(seed: string): Slideshow {
  const catalog = useCatalog();
  const links = useLinks();
  const addressBar = useAddressBar();
  const trouble = useTrouble();
  const [show] = useState(() => {
    const query = { ...filtersOf(addressBar.view.get()), sort: 'random', seed } as const;
    const list = new PagedImages(catalog, { query, pageSize: PAGE });
    return new Slideshow({
      // Behind the last picture it begins again.
      at: async (index) =>
        (await list.load(index)) ?? (list.count === 0 ? undefined : await list.load(index % list.count)),
      load: (record) => loadForScreen(record, links),
      clock: systemClock,
      onError: (error, retry) => trouble.report(error, { retry }),
    });
  });
  useEffect(() => {
    const end = listen(document, { visibilitychange: () => show.suspend(document.hidden) });
    // What has ended it may be over.
    const endWaiting = trouble.again.subscribe(() => show.state.get().end === 'failed' && show.start());
    show.start();
    return () => {
      end();
      endWaiting();
      show.stop();
    };
  }, [show, trouble]);
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
