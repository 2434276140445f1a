import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';
import { drawLandscapes } from '../support/landscapes.ts';
import { describeArchive } from './archive.scenario.ts';
import { describeComparing } from './compare.scenario.ts';
import { describeEditingMany } from './edit.scenario.ts';
import type { Running } from './feature.ts';
import { describeManyPictures, describeTagsPage } from './many.scenario.ts';
import { describeSharing } from './share.scenario.ts';
import { describeSlideshow } from './slideshow.scenario.ts';
import { describeStars } from './star.scenario.ts';

/** From three months. */
const PICTURES = 40;

describeInChromium('what can be done with pictures', (browser) => {
  let servers: GalleryServers | undefined;

  before(async () => {
    servers = await GalleryServers.start();
    await servers.upload(await drawLandscapes(PICTURES));
  });

  after(async () => {
    await servers?.stop();
  });

  const running: Running = () => {
    if (servers === undefined) throw new Error('The service does not run yet');
    return { browser: browser(), servers };
  };

  // Each is a person of its own.
  describeStars(running);
  describeManyPictures(running);
  describeTagsPage(running);
  describeComparing(running);
  describeSlideshow(running);
  describeArchive(running);
  describeSharing(running);
  describeEditingMany(running);
});
