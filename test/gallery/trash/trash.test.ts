import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { checkView } from '../support/check-view.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, load, other, servers, signIn } from '../support/visits.ts';

/** Each test deletes pictures of its own. */
const PICTURES = 9;

/** Of pictures that are not in the trash. */
let count: number;

const heading = (): Locator => gallery.page.getByRole('heading', { name: 'Trash', exact: true });
const cards = (): Locator => gallery.page.getByRole('list', { name: 'Trash' }).getByRole('listitem');
const card = (name: string): Locator => gallery.page.getByRole('checkbox', { name });
const emptyTrash = (): Locator => gallery.page.getByRole('heading', { name: 'The trash is empty' });
const notice = (text: string): Locator =>
  gallery.page.getByRole('region', { name: 'Notices' }).getByText(text);
const selection = (): Locator => gallery.page.getByRole('region', { name: 'Selected pictures' });

async function openTrash(): Promise<void> {
  await gallery.accountButton.click();
  await gallery.page.getByRole('link', { name: 'Trash', exact: true }).click();
  await heading().waitFor();
}

async function deletePicture(position: number): Promise<string> {
  const name = (await gallery.nameOf(gallery.picture(position))) ?? '';
  await gallery.picture(position).focus();
  await gallery.press('Space');
  await gallery.selection.waitFor();
  await gallery.press('Delete');
  return name;
}

const CATALOG = { env: { TRASH_DAYS: '30' }, pictures: () => makePictures(PICTURES) };

describeVisits('the trash', CATALOG, () => {
  beforeEach(async () => {
    for await (const { image } of other.listTrash()) await other.restoreImage(image.id);
    count = (await catalog.list()).length;
  });

  it('has what was deleted a moment ago, and gives it back', async () => {
    await signIn();
    const name = await deletePicture(2);
    await notice('Moved to the trash').waitFor();
    await gallery.expectPictures(count - 1);

    await openTrash();
    await cards().getByText('30 days left').waitFor();
    await cards()
      .getByText(/^Deleted .* by you$/)
      .waitFor();
    await cards().getByRole('checkbox').check();
    await selection().getByText('1 selected').waitFor();
    await checkView('trash-selected');
    await gallery.button('Restore').click();

    await notice('Picture restored').waitFor();
    await emptyTrash().waitFor();
    await checkView('trash-empty');
    await gallery.button('Back to the pictures').first().click();
    await gallery.expectPictures(count);
    expect(await gallery.nameOf(gallery.picture(2))).to.equal(name);
    expect(await gallery.page.getByRole('button', { name: /new picture/ }).count()).to.equal(0);
    gallery.watch.expectCalm('the trash');
  });

  it('erases by keyboard, after a question', async () => {
    // Before the gallery shows them: their files would be 404.
    await Promise.all([1, 2, 3].map((id) => other.delete(id)));
    await signIn();
    await gallery.expectPictures(count - 3);
    await load('?view=trash');
    await cards().nth(2).waitFor();

    await gallery.enter(gallery.button('Select all'));
    await gallery.enter(gallery.button('Erase now'));
    const question = gallery.page.getByRole('dialog', { name: 'Erase 3 pictures?' });
    await question.waitFor();
    await checkView('trash-erase');
    await gallery.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await cards().count()).to.equal(3);

    await gallery.press('Enter');
    await gallery.enter(question.getByRole('button', { name: 'Erase now' }));
    await notice('3 pictures erased').waitFor();
    await emptyTrash().waitFor();
    await expectFocus(heading());
    expect((await other.usage()).trashed.images).to.equal(0);
    gallery.watch.expectCalm('erasing');
  });

  it('follows others, and moves nothing that is in view', async () => {
    await signIn();
    await other.delete(4);
    await gallery.expectPictures(count - 1);
    await other.restoreImage(4);
    await gallery.button('1 new picture').click();
    await gallery.expectPictures(count);

    await other.delete(5);
    await openTrash();
    await card('cat-005.jpg').waitFor();
    await Promise.all([6, 7].map((id) => other.delete(id)));
    const more = gallery.button('Show what was deleted meanwhile');
    await more.waitFor();
    expect(await cards().count()).to.equal(1);
    await more.click();
    await cards().nth(2).waitFor();
    await other.restoreImage(5);
    await other.eraseImage(6);
    await card('cat-005.jpg').waitFor({ state: 'detached' });
    await card('cat-006.jpg').waitFor({ state: 'detached' });
    expect(await cards().count()).to.equal(1);
  });

  it('can only be seen by a person who may not delete', async () => {
    await signIn({ scopes: ['images:read', 'images:write'] });
    await other.delete(8);
    await openTrash();
    await cards().getByText('cat-008.jpg').waitFor();

    await gallery.page.getByText('You can see the trash, but neither restore nor erase pictures.').waitFor();
    expect(await gallery.page.getByRole('checkbox').count()).to.equal(0);
    expect(await gallery.button('Select all').count()).to.equal(0);
    await expectAccessible(gallery.page, 'a trash that can only be seen');
  });

  describe('that is left', () => {
    it('is found by the usage of the space', async () => {
      await other.delete(9);
      await servers.stopService();
      await servers.startService({ TRASH_DAYS: '0', READ_ONLY: 'true' });
      await signIn();
      await gallery.accountButton.click();
      await gallery.page.getByRole('link', { name: /^Including 1 picture in the trash/ }).click();

      await cards().getByText('Erased soon').waitFor();
      await gallery.page.getByText('The catalog keeps no trash any more').waitFor();
      expect(await gallery.page.getByRole('checkbox').count()).to.equal(0);
      await expectAccessible(gallery.page, 'a trash that is left');
    });
  });
});

const NO_TRASH = { env: { TRASH_DAYS: '0' }, pictures: () => makePictures(2) };

describeVisits('the trash of a catalog without one', NO_TRASH, () => {
  it('is not offered, as long as nothing is left in it', async () => {
    await signIn();
    await deletePicture(0);
    await notice('Picture deleted').waitFor();
    await gallery.accountButton.click();
    await gallery.signOutButton.waitFor();

    expect(await gallery.page.getByRole('link', { name: /trash/i }).count()).to.equal(0);
  });
});
