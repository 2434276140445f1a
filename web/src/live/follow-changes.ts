import { ImageCatalog } from '@image-catalog/client';
import { systemClock } from '../base/clock.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { PublishedNames } from '../publishing/published-names.ts';
import type { Selection } from '../selection/selection.ts';
import type { Session } from '../session/session.ts';
import type { WebConfig } from '../session/web-config.ts';
import type { Trouble } from '../trouble/trouble.ts';
import type { Uploads } from '../upload/uploads.ts';
import type { AddressBar } from '../view-state/address-bar.ts';
import { ChangeFollower } from './change-follower.ts';
import { LivePictures } from './live-pictures.ts';

/** Objects of the page that take part. */
export interface FollowedPage {
  readonly config: WebConfig;
  readonly session: Session;
  readonly addressBar: AddressBar;
  readonly images: CurrentImages;
  readonly selection: Selection;
  readonly deletions: Deletions;
  readonly uploads: Uploads;
  readonly trouble: Trouble;
  readonly published: Pick<PublishedNames, 'follow' | 'read' | 'feedFailed' | 'feedBegan' | 'readIfOutdated'>;
}

/** Follows what happens in the catalog from the first listing on, as long as the tab is seen. */
export function followChanges(page: FollowedPage): LivePictures {
  const { config, session, addressBar, images, selection, deletions, uploads, trouble, published } = page;
  // Without an observer: the person does not see what fails here.
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
      void published.read();
      return changesCursor;
    },
    onFailed: () => published.feedFailed(),
  });
  const follow = (): void => {
    if (document.visibilityState === 'hidden') follower.pause();
    else if (follower.follow(images.changesCursor.get())) published.feedBegan();
    if (trouble.outage.get() === undefined) published.readIfOutdated();
  };
  document.addEventListener('visibilitychange', follow);
  for (const store of [images.changesCursor, session.state, trouble.outage]) store.subscribe(follow);
  pictures.changes.subscribe(() => published.follow(pictures.changes.get()));
  uploads.summary.subscribe(() => pictures.releaseOwn());
  return pictures;
}
