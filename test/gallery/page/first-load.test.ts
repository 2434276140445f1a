import { expect } from 'chai';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, open } from '../support/visits.ts';

const PICTURES = 61;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeVisits('the first records', { pictures: () => makePictures(PICTURES) }, () => {
  for (const [count, device, options] of [
    [60, 'a phone', PHONE],
    [PICTURES, 'a desktop', {}],
  ] as const) {
    it(`are ${count} of ${PICTURES} on ${device}, and compressed`, async () => {
      await open(options);
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
