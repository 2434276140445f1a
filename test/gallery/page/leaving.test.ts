import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { mouse } from '../support/mouse.ts';
import { describeVisits, gallery, servers, signIn } from '../support/visits.ts';

describeVisits('a page that is left', { pictures: () => makePictures(5) }, () => {
  beforeEach(() => signIn());

  it('deletes what can still be undone', async () => {
    await mouse.selectFirst(2);
    await mouse.deleteSelection();
    await gallery.expectPictures(3);

    await gallery.page.goto('about:blank');

    const catalog = await servers.client();
    const left = await eventually(
      async () => (await catalog.list()).length,
      (count) => count === 3,
    );
    expect(left).to.equal(3);
  });
});
