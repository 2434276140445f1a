import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';
import { Mouse } from '../support/mouse.ts';

describeInChromium('a page that is left', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;

  before(async () => {
    servers = await GalleryServers.start();
    await servers.upload(await makePictures(5));
  });

  after(() => servers?.stop());

  beforeEach(async () => {
    gallery = await GalleryPage.open(browser(), servers.url);
    await gallery.signIn();
    await gallery.expectPictures(5);
  });

  afterEach(() => gallery?.close());

  it('deletes what can still be undone', async () => {
    const hands = new Mouse(gallery);
    await hands.selectFirst(2);
    await hands.deleteSelection();
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
