import { expect } from 'chai';
import { makePictures } from '../support/gallery-pictures.ts';
import { passTimeUntil } from '../support/pass-time-until.ts';
import { arrive, describeVisits, gallery, load, servers } from '../support/visits.ts';

/** Chunks, with what a person does that needs them. */
const PARTS: Readonly<Record<string, readonly [chunk: RegExp, act: () => Promise<unknown>]>> = {
  'the first picture': [/\/viewer-dialog-/, () => gallery.picture(0).click()],
  'the list of keys': [/\/shortcuts-list-/, () => gallery.press('?')],
  'the tags': [/\/tags-page-/, () => gallery.page.getByRole('link', { name: 'Tags' }).click()],
  'the details': [
    /\/panel-/,
    async () => {
      await gallery.picture(0).click();
      await gallery.viewerPicture('cat-001.jpg').waitFor();
      await gallery.showPanel();
    },
  ],
  'what can be done with a selection': [/\/selection-toolbar-/, () => gallery.select(0)],
};

describeVisits('a part of the gallery whose code never comes', { pictures: () => makePictures(3) }, () => {
  for (const [name, [chunk, act]] of Object.entries(PARTS)) {
    it(`${name}: a sign, words, and a way back`, async () => {
      await arrive();
      await gallery.page.clock.install();
      await gallery.page.route(chunk, () => undefined);
      await load();
      await gallery.picture(0).getByRole('img').waitFor();

      await act();

      await passTimeUntil(gallery.page.getByText('Still loading…'));
      await passTimeUntil(gallery.page.getByText('This takes unusually long.'));
      await gallery.button('Try again').waitFor();
      await gallery.button('Back').click();
      await gallery.page.getByText('This takes unusually long.').waitFor({ state: 'hidden' });
      expect(gallery.page.url()).to.match(new RegExp(`^${servers.url}(\\?image=\\d+)?$`));
    });
  }
});
