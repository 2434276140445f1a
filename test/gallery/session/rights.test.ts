import { expect } from 'chai';
import { expectAccessible } from '../support/accessibility.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { catalog, describeVisits, gallery, servers, signIn } from '../support/visits.ts';

describeVisits('what cannot be done', { pictures: () => makePictures(2) }, () => {
  before(async () => {
    await catalog.patch(1, { title: 'Black cat', tags: ['sofa'] });
  });

  /** Names of buttons in the header, for a selection, and of an open picture. */
  async function offered(): Promise<readonly string[]> {
    const names = async (selector: string): Promise<readonly string[]> =>
      await gallery.page
        .locator(selector)
        .evaluateAll((buttons) =>
          buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
        );
    await gallery.page.getByRole('listbox', { name: 'Pictures' }).getByRole('option').first().focus();
    await gallery.press('Space');
    await gallery.selection.waitFor();
    const outside = [...(await names('.header button')), ...(await names('.selection-toolbar button'))];
    await gallery.press('Escape');
    await gallery.picture(0).click();
    await gallery.expectViewer('Black cat');
    return [...outside, ...(await names('.viewer-bar button'))];
  }

  const CHANGES = /upload|star|tag|delete|edit/i;

  it('is not offered to a person who may only look', async () => {
    await signIn({ scopes: ['images:read'] });
    await takeScreenshots(gallery.page, 'view-only-grid');

    expect((await offered()).filter((name) => CHANGES.test(name))).to.deep.equal([]);
    await gallery.press('i');
    await gallery.panel.getByText('sofa').waitFor();
    expect(await gallery.panel.getByText('Black cat').count()).to.equal(1);
    expect(await gallery.panel.getByRole('textbox').count()).to.equal(0);
    await gallery.press('Delete');
    await gallery.press('f');
    await expectAccessible(gallery.page, 'a picture that cannot be changed');
    await takeScreenshots(gallery.page, 'view-only-picture');
    await gallery.press('Escape');
    await gallery.accountButton.click();
    await gallery.page.getByText('You can view pictures, but not change them.').waitFor();
    expect((await catalog.list()).length).to.equal(2);
    gallery.watch.expectCalm('looking only');
  });

  it('is explained to a person who pastes a picture all the same', async () => {
    await signIn({ scopes: ['images:read'] });

    await gallery.page.evaluate(PASTE_FILE);

    await gallery.page.getByText('Ask the operator for the scope images:write.').waitFor();
    expect(await gallery.uploads.count()).to.equal(0);
  });

  it('is not offered if only deleting is missing', async () => {
    await signIn({ scopes: ['images:read', 'images:write'] });

    const names = await offered();
    expect(names.filter((name) => /delete/i.test(name))).to.deep.equal([]);
    expect(names).to.include.members(['Upload pictures', 'Tag', 'Star']);
  });

  // Behind the other tests, as Mocha runs them.
  describe('in a catalog that is read-only', () => {
    it('is not offered', async () => {
      await servers.stopService();
      await servers.startService({ READ_ONLY: 'true' });
      await signIn();

      expect((await offered()).filter((name) => CHANGES.test(name))).to.deep.equal([]);
      await gallery.press('Escape');
      await gallery.accountButton.click();
      await gallery.page.getByText('The catalog is read-only at present.').waitFor();
      await takeScreenshots(gallery.page, 'read-only');
      gallery.watch.expectCalm('a read-only catalog');
    });
  });
});

const PASTE_FILE = `(() => {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File(['x'], 'cat.jpg', { type: 'image/jpeg' }));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
})()`;
