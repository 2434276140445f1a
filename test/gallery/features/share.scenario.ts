import { expect } from 'chai';
import type { GalleryPage } from '../support/gallery-page.ts';
import { checkView, openSignedIn, type Running } from './feature.ts';

export function describeSharing(running: Running): void {
  describe('a page to share', () => {
    let gallery: GalleryPage;

    before(async () => {
      gallery = await openSignedIn(running);
    });

    after(() => gallery?.close());

    it('is made of the selected pictures, and needs no sign-in', async () => {
      await gallery.picture(0).click({ position: { x: 16, y: 16 } });
      await gallery.picture(2).click({ modifiers: ['Shift'] });
      await gallery.selection.getByRole('button', { name: 'More' }).click();
      await gallery.button('Share as a page').click();
      const dialog = gallery.page.getByRole('dialog', { name: 'Share 3 pictures as a page' });
      await dialog.getByRole('textbox', { name: 'Title of the page' }).fill('Holidays');
      await checkView(gallery, 'share');
      await gallery.press('Enter');

      const link = dialog.getByRole('textbox', { name: 'Link' });
      await dialog.getByText(/^Valid until .*Anyone with this link can see these pictures/).waitFor();
      await checkView(gallery, 'shared');
      const response = await fetch(await link.inputValue());
      expect([response.status, await response.text()].join(' ')).to.match(/^200 [\s\S]*Holidays/);
    });
  });
}
