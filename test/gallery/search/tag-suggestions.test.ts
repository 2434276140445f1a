import { expect } from 'chai';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';

const TAGS = Array.from({ length: 8 }, (_, index) => `place ${index}`);

describeInChromium('suggestions of tags for many pictures', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;

  before(async () => {
    servers = await GalleryServers.start();
    await servers.upload(await makePictures(3));
    await (await servers.client()).patch(1, { tags: TAGS });
    gallery = await GalleryPage.open(browser(), servers.url);
    await gallery.signIn();
    await gallery.expectPictures(3);
  });

  after(async () => {
    await gallery?.close();
    await servers?.stop();
  });

  it('do not cover the button that applies them', async () => {
    await gallery.picture(0).click({ position: { x: 16, y: 16 } });
    await gallery.picture(2).click({ modifiers: ['Shift'] });
    await gallery.selection.getByRole('button', { name: 'Tag' }).click();
    for (const field of ['Add tags', 'Remove tags']) {
      await gallery.tagDialog.getByRole('combobox', { name: field }).fill('place');
      await gallery.tagDialog.getByRole('option', { name: 'place 7' }).waitFor();

      const apply = await gallery.tagDialog.getByRole('button', { name: 'Apply' }).evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === button;
      });
      expect(apply, `Apply below the suggestions of ${field}`).to.equal(true);
      await gallery.press('Escape');
    }
  });
});
