import { expectAccessible } from './accessibility.ts';
import { takeScreenshots } from './screenshots.ts';
import { gallery } from './visits.ts';

/** Nothing has failed or jumped, axe finds nothing, and a picture of it is taken if they are asked for. */
export async function checkView(view: string): Promise<void> {
  gallery.watch.expectCalm(view);
  await expectAccessible(gallery.page, view);
  await takeScreenshots(gallery.page, view);
  // Other sizes and colours move things.
  gallery.watch.forget();
}
