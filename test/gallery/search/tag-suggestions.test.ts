import { expect } from 'chai';
import { expectFocus } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, signIn } from '../support/visits.ts';

const TAGS = Array.from({ length: 8 }, (_, index) => `place ${index}`);

describeVisits('suggestions of tags for many pictures', { pictures: () => makePictures(3) }, () => {
  before(async () => {
    await catalog.patch(1, { tags: TAGS });
    await signIn();
  });

  it('come from the first field on, and do not cover the button that applies them', async () => {
    await gallery.select(0, 2);
    await gallery.selection.getByRole('button', { name: 'Tag' }).click();
    await expectFocus(gallery.tagDialog.getByRole('combobox', { name: 'Add tags' }));
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
