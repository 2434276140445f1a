import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { mouse } from '../support/mouse.ts';
import { catalog, describeVisits, gallery, signIn } from '../support/visits.ts';

describeVisits('a page that is left', { pictures: () => makePictures(5) }, () => {
  beforeEach(() => signIn());

  it('deletes what can still be undone', async () => {
    await mouse.selectFirst(2);
    await mouse.deleteSelection();
    await gallery.expectPictures(3);

    await gallery.page.goto('about:blank');

    await expectSoon(async () => (await catalog.list()).length, 3);
  });
});
