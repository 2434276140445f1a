import { expect } from 'chai';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';

describeInChromium('a catalog without pictures', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;

  before(async () => {
    servers = await GalleryServers.start();
    gallery = await GalleryPage.open(browser(), servers.url);
    await gallery.signIn();
    await gallery.emptyCatalog.waitFor();
  });

  after(async () => {
    await gallery?.close();
    await servers?.stop();
  });

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
