import { expect } from 'chai';
import { usePageTitle } from '../../../web/src/app/page-title.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('the title of the page', () => {
  unmountAfterwards();

  const record = { title: null, originalName: 'cat.jpg' };
  const list = { find: (id: number) => (id === 7 ? record : undefined) };

  for (const [search, title] of [
    ['', 'Catalog'],
    ['?q=cat&tags=sofa', 'cat, sofa – Catalog'],
    ['?image=7', 'cat.jpg – Catalog'],
    ['?image=8', 'Picture 8 – Catalog'],
    ['?view=trash', 'Trash – Catalog'],
    // Nothing is published: the pictures are shown.
    ['?view=published', 'Catalog'],
  ] as const) {
    it(`is ${title} for the address ${search || 'without a query'}`, async () => {
      await mount(usePageTitle, new GalleryParts({ list }, search));

      expect(document.title).to.equal(title);
    });
  }
});
