import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from '../support/check-view.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeSlideshow(): void {
  describeFeature('a slideshow', () => {
    it('shows the pictures in the order of the address, by keyboard', async () => {
      await gallery.enter(gallery.button('Slideshow'));
      await shownName();
      const { search } = new URL(gallery.page.url());
      expect(search).to.match(/^\?slideshow=\w+$/);

      await gallery.press('Space');
      await show().getByRole('button', { name: 'Continue' }).waitFor();
      const first = await shownName();
      await gallery.press('ArrowRight');
      const second = await shownName(first);
      await checkView('slideshow');
      await gallery.press('ArrowLeft');
      expect(await shownName(second)).to.equal(first);
    });

    it('begins with the same picture after a reload', async () => {
      const first = await shownName();
      await gallery.page.reload();

      expect(await shownName()).to.equal(first);
      gallery.watch.forget();
    });

    it('ends with Escape', async () => {
      await gallery.press('Escape');
      await show().waitFor({ state: 'hidden' });
      expect(new URL(gallery.page.url()).search).to.equal('');

      await gallery.button('Slideshow').click();
      await shownName();
      await show().getByRole('button', { name: 'End the slideshow' }).click();
      await show().waitFor({ state: 'hidden' });
      await expectFocus(gallery.button('Slideshow'));
      gallery.watch.expectCalm('ending the slideshow');
    });

    function show(): Locator {
      return gallery.page.getByRole('dialog', { name: 'Slideshow' });
    }

    async function shownName(former?: string | null): Promise<string | null> {
      const named = show().locator('img:not([alt=""])');
      await named.waitFor();
      return await eventually(
        () => named.getAttribute('alt'),
        (name) => name !== former,
      );
    }
  });
}
