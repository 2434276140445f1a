import { expect } from 'chai';
import { checkView } from '../support/check-view.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { catalog, gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeEditingMany(): void {
  describeFeature('editing many pictures', () => {
    it('corrects their time, with a preview', async () => {
      await gallery.select(8, 10);
      await gallery.selection.getByRole('button', { name: 'More' }).click();
      await gallery.button('Edit title and time').click();
      const dialog = gallery.page.getByRole('dialog', { name: 'Edit 3 pictures' });
      await dialog.getByRole('checkbox', { name: 'Correct the time' }).check();
      await dialog.getByRole('spinbutton', { name: 'Minutes' }).fill('30');
      await dialog.getByText('First: 1 Jun 2026, 12:00:00 → 1 Jun 2026, 13:30:00').waitFor();
      await dialog.getByRole('checkbox', { name: 'Change the title' }).check();
      await dialog.getByRole('textbox', { name: 'Title' }).fill('Mountains');
      await checkView('bulk-edit');

      await dialog.getByRole('button', { name: 'Change 3 pictures' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await gallery.page.getByText('3 pictures changed.').waitFor();
      const changed = (await catalog.list()).filter(({ title }) => title === 'Mountains');
      expect(changed.map(({ takenAt }) => takenAt)).to.include('2026-06-01T13:30:00.000');
      expect(changed).to.have.length(3);
    });

    it('gives the focus back when it is left', async () => {
      const more = gallery.selection.getByRole('button', { name: 'More' });
      await gallery.enter(more);
      await gallery.enter(gallery.button('Edit title and time'));
      await gallery.page.getByRole('dialog', { name: 'Edit 3 pictures' }).waitFor();
      await gallery.press('Escape');

      await gallery.selection.getByText('3 selected').waitFor();
      await expectFocus(more);
      gallery.watch.expectCalm('leaving the dialog');
    });
  });
}
