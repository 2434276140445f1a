import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { sha256Of } from '../../support/http/catalog-client.ts';
import { checkView } from '../support/check-view.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, other, type PersonOptions, signIn } from '../support/visits.ts';

/** Each test has pictures of its own. */
const PICTURES = 7;

/** Shows the details of a picture. */
async function openDetails(id: number, options: PersonOptions = {}): Promise<void> {
  const { originalName } = await other.get(id);
  await signIn({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  await gallery.picture(id - 1).click();
  await gallery.expectViewer(originalName);
  await gallery.showPanel();
  await gallery.showForWebsites();
}

const section = (): Locator => gallery.panel.getByRole('region', { name: 'Names' });
const named = (name: string): Locator => section().getByRole('listitem').filter({ hasText: name });
const notice = (text: string | RegExp): Locator =>
  gallery.page.getByRole('dialog').getByRole('region', { name: 'Notices' }).getByText(text);

async function give(name: string): Promise<void> {
  await gallery.button('Give a name').click();
  await gallery.type(name);
  await gallery.press('Enter');
}

/** Of the picture alone, which is all that links for everyone give. */
async function cleanSha256(id: number): Promise<string> {
  return await sha256Of(await other.file(id, { metadata: 'none' }));
}

async function copiedLink(name: string): Promise<string> {
  await gallery.button(`Copy a link to ${name}`).click();
  await notice('Link copied').first().waitFor();
  return await gallery.page.evaluate<string>('navigator.clipboard.readText()');
}

describeVisits('names', { pictures: () => makePictures(PICTURES) }, () => {
  it('are given, and have links for everyone that follow them', async () => {
    await openDetails(1);
    // The name may come so late that the browser takes its row for no effect of the key.
    gallery.watch.expectFault(/^layout shift of \S+ <p class="panel-secondary">/);
    await give('.hidden');
    await section().getByText('begins with no dot').waitFor();
    await gallery.page.getByRole('textbox', { name: 'New name' }).fill('front-page.jpg');
    await gallery.press('Enter');
    await named('front-page.jpg').waitFor();
    await checkView('names');

    const link = await copiedLink('front-page.jpg');
    expect(await sha256Of(await fetch(link))).to.equal(await cleanSha256(1));
    await other.setName('front-page.jpg', 2);
    await named('front-page.jpg').waitFor({ state: 'detached' });
    expect(await sha256Of(await fetch(link))).to.equal(await cleanSha256(2));
  });

  it('move from another picture after a question that says which, by keyboard', async () => {
    await other.setName('taken', 4);
    await openDetails(3);
    gallery.watch.expectFault(/status of 412/);
    await gallery.enter(gallery.button('Give a name'));
    await gallery.type('taken');
    await gallery.press('Enter');
    await section().getByText('taken is the name of “cat-004.jpg” now.').waitFor();
    await checkView('names-taken');
    // Nothing is done by a second press.
    await gallery.press('Enter');
    expect((await other.getName('taken')).id).to.equal(4);

    await gallery.enter(gallery.button('Move it here'));
    await named('taken').waitFor();
    expect((await other.getName('taken')).id).to.equal(3);
    gallery.watch.expectCalm('a name that moves');
  });

  it('stay when their picture is replaced', async () => {
    await other.setName('replaced', 5);
    await openDetails(5);
    const [file] = await makePictures(1, 40);
    if (file === undefined) throw new TypeError('There is no picture');
    await gallery.choose([file], () => gallery.button('Upload another picture as replaced…').click());

    await gallery.expectViewer(file.name);
    await named('replaced').waitFor();
    await notice(/^replaced is the name of the new picture/).waitFor();
    const { id } = await other.getName('replaced');
    expect(await other.get(id)).to.include({ originalName: file.name });
    await gallery.press('Escape');
    await gallery.expectPictures(PICTURES + 1);
    expect(await gallery.page.getByRole('button', { name: /new picture/ }).count()).to.equal(0);
  });

  it('can only be seen by a person who may not change pictures', async () => {
    const scopes = ['images:read'] as const;
    await other.setName('fixed', 6);
    await openDetails(6, { scopes });
    await named('fixed').waitFor();
    expect(await section().getByRole('button').allTextContents()).to.deep.equal(['']);
    await copiedLink('fixed');

    await openDetails(7, { scopes });
    await gallery.panel.getByRole('heading', { name: 'Download' }).waitFor();
    expect(await section().count()).to.equal(0);
  });
});
