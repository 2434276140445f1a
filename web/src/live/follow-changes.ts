import { ImageCatalog } from '@image-catalog/client';
import { systemClock } from '../clock.ts';
import type { Changes } from '../contexts/changes.ts';
import type { Page } from '../contexts/page.ts';
import type { Service } from '../contexts/service.ts';
import type { View } from '../contexts/view.ts';
import { ChangeFollower } from './change-follower.ts';
import { LivePictures } from './live-pictures.ts';

type Own = Pick<Changes, 'deletions' | 'uploads'> & Pick<Page, 'trouble'>;

/** Follows what happens in the catalog from the first listing on, as long as the tab is seen. */
export function followChanges({ config, session }: Service, view: View, own: Own): LivePictures {
  const { images, addressBar, selection } = view;
  const { deletions, uploads, trouble } = own;
  // One that nobody observes: what fails here is no trouble for the person.
  const catalog = new ImageCatalog({
    url: config.apiUrl,
    getToken: session.getToken,
    tokenPerRequest: true,
  });
  const isOwn = (id: number): boolean => uploads.stored.has(id) || deletions.restoredHere.has(id);
  const parts = { catalog, images, deletions, selection, isOwn, clock: systemClock };
  const pictures = new LivePictures({ ...parts, view: addressBar.view });
  let last = Promise.resolve();
  const follower = new ChangeFollower(catalog, systemClock, {
    onChanges: (changes) => {
      last = last.then(() => pictures.apply(changes));
    },
    onExpired: async () => {
      const { changesCursor } = await catalog.page({ limit: 1 });
      await pictures.restart();
      return changesCursor;
    },
  });
  const follow = (): void => {
    if (document.visibilityState === 'hidden') follower.pause();
    else follower.follow(images.changesCursor.get());
  };
  document.addEventListener('visibilitychange', follow);
  for (const store of [images.changesCursor, session.state, trouble.outage]) store.subscribe(follow);
  uploads.summary.subscribe(() => pictures.releaseOwn());
  return pictures;
}
