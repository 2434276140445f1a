import { expect } from 'chai';
import { checkView } from '../support/check-view.ts';
import { gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeSharing(): void {
  describeFeature('a page to share', () => {
    it('is made of the selected pictures, and needs no sign-in', async () => {
      await gallery.select(0, 2);
      await gallery.selection.getByRole('button', { name: 'Share' }).click();
      const dialog = gallery.page.getByRole('dialog', { name: 'Share 3 pictures as a page' });
      await dialog.getByRole('textbox', { name: 'Title of the page' }).fill('Holidays');
      await checkView('share');
      await gallery.press('Enter');

      const link = dialog.getByRole('textbox', { name: 'Link' });
      await dialog.getByText(/^Valid until .*Anyone with this link can see these pictures/).waitFor();
      await checkView('shared');
      const response = await fetch(await link.inputValue());
      expect([response.status, await response.text()].join(' ')).to.match(/^200 [\s\S]*Holidays/);
    });
  });
}
