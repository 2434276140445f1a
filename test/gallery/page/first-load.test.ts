import { expect } from 'chai';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';

const PICTURES = 61;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeInChromium('the first records', (browser) => {
  let servers: GalleryServers;

  before(async () => {
    servers = await GalleryServers.start();
    await servers.upload(await makePictures(PICTURES));
  });

  after(() => servers?.stop());

  let gallery: GalleryPage | undefined;

  afterEach(() => gallery?.close());

  for (const [count, device, options] of [
    [60, 'a phone', PHONE],
    [PICTURES, 'a desktop', {}],
  ] as const) {
    it(`are ${count} of ${PICTURES} on ${device}, and compressed`, async () => {
      gallery = await GalleryPage.open(browser(), servers.url, options);
      const records = gallery.page.waitForResponse(
        (response) =>
          new URL(response.url()).pathname === '/api/images' && response.request().method() === 'GET',
      );
      await gallery.signIn();

      const response = await records;
      expect(await response.json()).to.have.length(count);
      expect((await response.allHeaders())['content-encoding']).to.equal('br');
    });
  }
});
