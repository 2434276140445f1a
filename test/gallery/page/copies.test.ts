import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { sharp } from '../../../src/decoder/decoder-options.ts';
import { jpegOf, scene } from '../../support/fixtures/scenes.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { catalog, describeVisits, gallery, other, signIn } from '../support/visits.ts';

/** Two groups, of which the first has three pictures, and a picture that is alone. */
async function copies(): Promise<ReadonlyArray<{ readonly name: string; readonly buffer: Buffer }>> {
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map(async (seed) => await jpegOf(await scene(seed))),
  );
  const small = await sharp(first).resize(200).png().toBuffer();
  return [
    { name: 'beach-small.png', buffer: small },
    { name: 'beach.jpg', buffer: first as Buffer },
    { name: 'alone.jpg', buffer: third as Buffer },
    { name: 'hill.jpg', buffer: second as Buffer },
    { name: 'hill-again.jpg', buffer: second as Buffer },
    { name: 'beach-again.jpg', buffer: first as Buffer },
  ];
}

function groups(): Locator {
  return gallery.page.locator('.copies-group');
}

async function expectGroups(count: number): Promise<void> {
  await expectSoon(() => groups().count(), count, 'groups');
}

async function openFromMenu(): Promise<void> {
  await gallery.accountButton.click();
  await gallery.page.getByRole('link', { name: 'Copies', exact: true }).click();
  await gallery.page.getByRole('heading', { name: 'Copies', level: 2 }).waitFor();
}

describeVisits('the page of copies', { pictures: copies }, () => {
  it('keeps nothing without the right to delete', async () => {
    await signIn({ scopes: ['images:read', 'images:write'] });
    await openFromMenu();
    await groups().nth(1).waitFor();

    expect(await gallery.page.getByRole('button', { name: /^Keep the best/ }).count()).to.equal(0);
    expect(await gallery.page.getByRole('button', { name: /^Compare/ }).count()).to.equal(2);
  });

  it('has all groups, of which each can be compared, and the best kept and undone', async () => {
    await signIn();
    await openFromMenu();
    await groups().nth(1).waitFor();
    await expectGroups(2);
    expect(await groups().nth(0).locator('.tag-card-name').allTextContents()).to.deep.equal([
      'beach-small.png',
      'beach.jpg',
      'beach-again.jpg',
    ]);
    expect(await groups().nth(0).locator('.tag-card', { hasText: 'Best' }).textContent()).to.include(
      'beach.jpg',
    );
    gallery.watch.expectCalm('the page of copies');
    await expectAccessible(gallery.page, 'the page of copies');
    await takeScreenshots(gallery.page, 'copies');

    await gallery.page.getByRole('button', { name: 'Compare: hill.jpg' }).click();
    await gallery.page.getByRole('dialog', { name: 'Compare' }).waitFor();
    await gallery.press('Escape');

    await gallery.page.getByRole('button', { name: 'Keep the best: beach.jpg' }).click();
    await gallery.page.getByText('2 pictures deleted').waitFor();
    await expectGroups(1);
    await gallery.button('Undo').click();
    await groups().nth(1).waitFor();
    await expectSoon(async () => (await catalog.list()).length, 6);

    await gallery.page.getByRole('button', { name: 'Keep the best: hill.jpg' }).click();
    await gallery.page.reload();
    await groups().nth(0).waitFor();
    await expectGroups(1);
    const left = await catalog.list();
    expect(left.map(({ originalName }) => originalName)).to.not.include('hill-again.jpg');
  });
});

describeVisits('the page of few copies', { pictures: async () => (await copies()).slice(0, 2) }, () => {
  it('is reached from the pictures that look like one, and says when there are none', async () => {
    await signIn();
    await gallery.picture(0).click();
    await gallery.press('i');
    await gallery.page.getByRole('link', { name: 'All copies' }).click();
    await groups().nth(0).waitFor();
    expect(new URL(gallery.page.url()).search).to.equal('?view=copies');

    await other.delete(1);
    await gallery.page.getByRole('heading', { name: 'No copies' }).waitFor();
    await expectAccessible(gallery.page, 'the page without copies');
  });
});
