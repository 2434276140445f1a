import { expect } from 'chai';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, signIn } from '../support/visits.ts';

describeVisits('a catalog without pictures', { isOneVisit: true }, () => {
  before(() => signIn());

  it('offers no order, filter or slideshow of them', async () => {
    const view = gallery.page.getByRole('region', { name: 'View' });
    await gallery.press('s');

    expect(await view.locator('button, select, a').count()).to.equal(0);
    expect(await gallery.page.getByRole('dialog').count()).to.equal(0);
  });

  it('offers them with the first picture', async () => {
    await gallery.upload(await makePictures(1));

    await gallery.picture(0).waitFor();
    await gallery.button('Slideshow').waitFor();
    gallery.watch.expectCalm('the first picture');
  });
});
