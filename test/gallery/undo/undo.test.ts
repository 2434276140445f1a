import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { checkView } from '../support/check-view.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { drawLandscapes } from '../support/landscapes.ts';
import { catalog, describeVisits, gallery, signIn } from '../support/visits.ts';

const BEFORE = ['landscape-01.jpg', 'landscape-02.jpg', 'landscape-03.jpg'];

describeVisits('edits of many pictures', { pictures: () => drawLandscapes(6) }, () => {
  beforeEach(() => signIn());

  it('are undone by the notice, also in another view', async () => {
    await changeTitle('Mountains');
    await gallery.page.getByRole('link', { name: 'Tags', exact: true }).click();
    await gallery.page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
    // The time to undo stands still meanwhile.
    await gallery.undoButton.hover();
    await checkView('undo-of-an-edit');
    await gallery.undoButton.click();

    await gallery.page.getByText('Changes of 3 pictures undone.').waitFor();
    await expectMetadata(({ title, originalName }) => title ?? originalName, BEFORE);
  });

  it('are undone by one key: tags, stars and times', async () => {
    const known = async (): Promise<unknown> => {
      const records = await catalog.list();
      return records.map(({ tags, takenAt }) => [tags, takenAt]);
    };
    const before = await known();
    await gallery.select(0, 2);
    await gallery.selection.getByRole('button', { name: 'Star' }).click();
    await gallery.page.getByText('3 pictures starred').waitFor();
    await gallery.selection.getByRole('button', { name: 'Tag', exact: true }).click();
    await gallery.tagDialog.getByRole('combobox', { name: 'Add tags' }).fill('mountain');
    await gallery.tagDialog.getByRole('button', { name: 'Apply' }).click();
    await gallery.page.getByText('Tags of 3 pictures changed.').waitFor();
    const dialog = await openEditing();
    await dialog.getByRole('checkbox', { name: 'Correct the time' }).check();
    await dialog.getByRole('button', { name: 'Change 3 pictures' }).click();
    await changed().waitFor();

    for (let undone = 1; undone <= 3; undone += 1) {
      await gallery.press('z');
      await gallery.page.getByText('Changes of 3 pictures undone.').waitFor();
      await gallery.page.getByText('Changes of 3 pictures undone.').locator('..').getByRole('button').click();
    }
    expect(await known()).to.deep.equal(before);
    gallery.watch.expectCalm('three undone edits');
  });

  it('ask first before an empty field removes the titles', async () => {
    await gallery.select(0, 2);
    const dialog = await openEditing();
    await dialog.getByRole('checkbox', { name: 'Change the title' }).check();
    await dialog.getByRole('button', { name: 'Change 3 pictures' }).click();
    await dialog.getByText('No title is entered: all 3 pictures will have none.').waitFor();
    await checkView('bulk-edit-asks');

    await dialog.getByRole('button', { name: 'Remove from 3 pictures' }).click();
    await changed().waitFor();
    await gallery.press('z');
    gallery.watch.expectCalm('a title removed');
  });

  /** A dialog that is about to close shows the notice as well. */
  function changed(): Locator {
    return gallery.page.getByText('3 pictures changed.', { exact: true }).last();
  }

  async function changeTitle(title: string): Promise<void> {
    await gallery.select(0, 2);
    const dialog = await openEditing();
    await dialog.getByRole('checkbox', { name: 'Change the title' }).check();
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('button', { name: 'Change 3 pictures' }).click();
    await changed().waitFor();
  }

  async function openEditing(): Promise<Locator> {
    await gallery.selection.getByRole('button', { name: 'More' }).click();
    await gallery.button('Edit title and time').click();
    return gallery.page.getByRole('dialog', { name: 'Edit 3 pictures' });
  }

  async function expectMetadata<T>(
    pick: (record: { readonly title: string | null; readonly originalName: string }) => T,
    wanted: readonly T[],
  ): Promise<void> {
    await expectSoon(async () => (await catalog.list()).slice(0, 3).map(pick), wanted);
  }
});
