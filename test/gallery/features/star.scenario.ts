import { expect } from 'chai';
import { checkView } from '../support/check-view.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { catalog, gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeStars(): void {
  describeFeature('a star', () => {
    it('is set by one key on the picture that has the focus', async () => {
      await gallery.tabTo(gallery.currentPicture);
      await gallery.press('f');

      await gallery.page.getByRole('option', { name: /^Picture of .*, starred$/ }).waitFor();
      await expectStars(['landscape-01.jpg']);
    });

    it('is set and removed in the viewer', async () => {
      await gallery.picture(2).click();
      await gallery.expectViewer('landscape-03.jpg');
      const button = gallery.button('Star');

      await gallery.press('f');
      await button.and(gallery.page.locator('[aria-pressed=true]')).waitFor();
      await expectStars(['landscape-01.jpg', 'landscape-03.jpg']);
      await checkView('star-viewer');
      await button.click();
      await expectStars(['landscape-01.jpg']);

      await gallery.press('Escape');
      await gallery.picture(2).and(gallery.page.locator(':focus')).waitFor();
    });

    it('is set on all selected pictures, which a button shows alone', async () => {
      await gallery.select(0, 4);
      await gallery.selection.getByRole('button', { name: 'Star' }).click();
      await expectStars(['01', '02', '03', '04', '05'].map((number) => `landscape-${number}.jpg`));
      await gallery.press('Escape');

      await gallery.button('Starred').click();
      await gallery.expectPictures(5);
      expect(new URL(gallery.page.url()).searchParams.get('tags')).to.equal('star');
      await gallery.expectPicturesLoaded();
      await checkView('starred');

      await gallery.button('Starred').click();
      await gallery.expectPictures(40);
      gallery.watch.expectCalm('all pictures');
    });

    async function expectStars(names: readonly string[]): Promise<void> {
      await expectSoon(async () => {
        const starred = (await catalog.list()).filter(({ tags }) => tags.includes('star'));
        return starred.map(({ originalName }) => originalName);
      }, names);
    }
  });
}
