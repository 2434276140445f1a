import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from '../support/check-view.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { catalog, gallery } from '../support/visits.ts';
import { describeFeature } from './feature.ts';

export function describeManyPictures(): void {
  describeFeature('many pictures by mouse', () => {
    it('are a month, selected and deselected by its check mark', async () => {
      const check = gallery.page.getByRole('checkbox', { name: 'Select June 2026' });
      await gallery.month('June 2026').hover();
      await check.click();
      await gallery.selection.getByText('11 selected').waitFor();
      expect(await check.getAttribute('aria-checked')).to.equal('true');

      await gallery.select(1);
      expect(await check.getAttribute('aria-checked')).to.equal('mixed');
      await checkView('month-selected');

      await check.click();
      await check.click();
      await gallery.selection.waitFor({ state: 'hidden' });
    });

    it('are all results, selected in the bar', async () => {
      await gallery.select(0);
      await gallery.selection.getByRole('button', { name: 'Select all' }).click();

      await gallery.selection.getByText('40 selected').waitFor();
      await gallery.selection.getByRole('button', { name: 'Select all', disabled: true }).waitFor();
      await gallery.press('Escape');
      gallery.watch.expectCalm('all selected');
    });
  });
}

export function describeTagsPage(): void {
  describeFeature('the page of tags', () => {
    before(async () => {
      for (const { id, tags } of await catalog.list()) {
        await catalog.patch(id, { tags: [...tags, `place ${id % 7}`, ...(id < 4 ? ['summer'] : [])] });
      }
      await gallery.page.reload();
    });

    it('shows each tag with its pictures, by keyboard', async () => {
      await gallery.page.evaluate('window.scrollTo(0, 600)');
      await gallery.enter(gallery.page.getByRole('link', { name: 'Tags', exact: true }));

      const card = gallery.page.getByRole('link', { name: 'summer 3 pictures' });
      await card.waitFor();
      expect(new URL(gallery.page.url()).search).to.equal('?view=tags');
      await expectFocus(gallery.page.getByRole('heading', { name: 'Tags', exact: true }));
      const pictures = gallery.page.locator('.tag-card-picture[srcset]');
      expect(
        await eventually(
          () => pictures.count(),
          (count) => count >= 8,
        ),
      ).to.be.at.least(8);
      await checkView('tags-page');
    });

    it('finds tags by how they begin', async () => {
      await gallery.page.getByRole('searchbox', { name: 'Find a tag' }).focus();
      await gallery.type('sum');
      await gallery.page.getByText('1 tag', { exact: true }).waitFor();
    });

    it('leads to the pictures of a tag, and back', async () => {
      await gallery.enter(gallery.page.getByRole('link', { name: 'summer 3 pictures' }));
      await gallery.expectPictures(3);
      expect(new URL(gallery.page.url()).searchParams.get('tags')).to.equal('summer');

      await gallery.page.goBack();
      await gallery.page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
      await gallery.press('Escape');
      await gallery.expectPictures(40);
      gallery.watch.expectCalm('leaving the tags');
    });
  });
}
