import { expect } from 'chai';
import { checkView } from '../support/check-view.ts';
import type { GalleryPage } from '../support/gallery-page.ts';
import { gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeComparing(): void {
  describeFeature('comparing pictures', () => {
    it('shows selected pictures side by side, which zoom together', async () => {
      await gallery.select(6, 7);
      await gallery.selection.getByText('2 selected').waitFor();
      await gallery.press('c');
      await dialog().getByRole('heading', { name: 'landscape-07.jpg' }).waitFor();
      await gallery.expectPicturesLoaded();
      await checkView('compare-2');

      await gallery.press('+');
      const transforms = await dialog()
        .getByRole('img')
        .evaluateAll((images) => images.map((image) => (image as HTMLElement).style.transform));
      expect(transforms).to.have.length(2);
      expect(new Set(transforms)).to.deep.equal(new Set(['translate(0px, 0px) scale(1.5)']));
    });

    it('keeps one and deletes the others, which can be undone', async () => {
      await dialog().getByRole('button', { name: 'Keep this one: landscape-08.jpg' }).click();
      await dialog().waitFor({ state: 'hidden' });
      await gallery.expectPictures(39);
      await gallery.selection.getByText('1 selected').waitFor();

      await gallery.undoButton.click();
      await gallery.expectPictures(40);
      await gallery.selection.getByText('2 selected').waitFor();
      await gallery.press('Escape');
      gallery.watch.expectCalm('keeping one');
    });

    it('goes back to where it was opened', async () => {
      await gallery.select(0, 2);
      await gallery.selection.getByRole('button', { name: 'More' }).click();
      await checkView('selection-menu');
      await gallery.button('Compare').click();
      await dialog().getByRole('heading', { name: 'landscape-03.jpg' }).waitFor();
      await gallery.expectPicturesLoaded();
      await checkView('compare-3');

      await gallery.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
      expect(new URL(gallery.page.url()).search).to.equal('');
      await gallery.selection.getByText('3 selected').waitFor();
    });

    function dialog(): ReturnType<GalleryPage['viewer']> {
      return gallery.viewer('Compare');
    }
  });
}
