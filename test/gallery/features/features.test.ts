import { drawLandscapes } from '../support/landscapes.ts';
import { describeVisits } from '../support/visits.ts';
import { describeArchive } from './archive.scenario.ts';
import { describeComparing } from './compare.scenario.ts';
import { describeEditingMany } from './edit.scenario.ts';
import { describeManyPictures, describeTagsPage } from './many.scenario.ts';
import { describeSharing } from './share.scenario.ts';
import { describeSlideshow } from './slideshow.scenario.ts';
import { describeStars } from './star.scenario.ts';

/** From three months. */
const PICTURES = 40;

describeVisits(
  'what can be done with pictures',
  { isOneVisit: true, pictures: () => drawLandscapes(PICTURES) },
  () => {
    describeStars();
    describeManyPictures();
    describeTagsPage();
    describeComparing();
    describeSlideshow();
    describeArchive();
    describeSharing();
    describeEditingMany();
  },
);
