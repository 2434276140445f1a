import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { mouse } from '../support/mouse.ts';
import { catalog, describeVisits, gallery, load, signIn } from '../support/visits.ts';

describeVisits('a page that is left', { pictures: () => makePictures(5) }, () => {
  beforeEach(() => signIn());

  it('deletes what can still be undone', async () => {
    await mouse.selectFirst(2);
    await mouse.deleteSelection();
    await gallery.expectPictures(3);

    // By a page of the same process: browsers wait for one that another takes over half a second only, which a busy machine exceeds.
    await load('icons/icon.svg');

    await expectSoon(async () => (await catalog.list()).length, 3);
  });
});
