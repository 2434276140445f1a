import { expect } from 'chai';
import { expectFocus } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { arrive, catalog, describeVisits, gallery, load, servers } from '../support/visits.ts';

describeVisits('a picture that another person changes', {}, () => {
  before(async () => {
    await servers.upload(await makePictures(2));
  });

  beforeEach(async () => {
    await arrive();
    gallery.watch.expectFault(/status of 4(04|12)/);
    // The feed of changes is slower than the person.
    await gallery.page.route('**/api/changes?*', () => undefined);
    await load();
    await gallery.picture(0).click();
    await gallery.page.getByRole('dialog').waitFor();
    await gallery.showPanel();
    await gallery.titleField.waitFor();
  });

  it('keeps the focus in the viewer when the own version is taken', async () => {
    const [newest] = await catalog.list();
    await catalog.patch(newest?.id ?? 0, { title: 'Theirs' });

    await gallery.titleField.fill('Mine');
    await gallery.descriptionField.focus();
    const mine = gallery.page.getByRole('dialog').getByRole('button', { name: 'Use mine' });
    await mine.focus();
    await gallery.press('Enter');
    await mine.waitFor({ state: 'hidden' });

    await expectFocus(gallery.descriptionField);
    expect(await gallery.titleField.inputValue()).to.equal('Mine');
  });

  it('keeps what was typed if it was deleted', async () => {
    const newest = (await catalog.list())[0];
    await catalog.delete(newest?.id ?? 0);

    await gallery.titleField.fill('Written for nobody');
    await gallery.descriptionField.focus();

    await gallery.panel.getByText('this picture was deleted meanwhile').waitFor();
    expect(await gallery.titleField.inputValue()).to.equal('Written for nobody');
  });
});
