import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from '../support/check-view.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { waitFrames } from '../support/frames.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import {
  arrive,
  describeVisits,
  gallery,
  load,
  other,
  type PersonOptions,
  servers,
  signIn,
} from '../support/visits.ts';

const PUBLISHING = { PUBLISH_NAMES: 'true', SCOPE_PUBLISH: 'images:publish' };
const WITHOUT_PUBLISHING = { scopes: ['images:read', 'images:write', 'images:delete'] } as const;
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const FORBIDDEN = { code: 'insufficient_scope', message: 'No' };
const PICTURES = 4;

const section = (): Locator => gallery.panel.getByRole('region', { name: 'Names' });
const named = (name: string): Locator => section().getByRole('listitem').filter({ hasText: name });
const switchOf = (name: string): Locator => gallery.panel.getByRole('switch', { name: `of ${name}` });
const question = (): Locator => gallery.page.getByRole('dialog', { name: /^Delete / });
const row = (name: string): Locator =>
  gallery.page
    .getByRole('list', { name: 'Public addresses' })
    .getByRole('listitem')
    .filter({ hasText: name });
const unpublishButton = (name: string): Locator => gallery.button(`Unpublish ${name}`);

async function openDetails(id: number, options: PersonOptions = {}): Promise<void> {
  const { originalName } = await other.get(id);
  await signIn({ ...CLIPBOARD, ...options });
  await gallery.picture(id - 1).click();
  await gallery.expectViewer(originalName);
  await gallery.showPanel();
  await gallery.showForWebsites();
}

async function publish(name: string, id: number): Promise<string> {
  const { url } = await other.setName(name, id, { public: true });
  return url ?? '';
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

async function expectStatus(url: string, status: number): Promise<void> {
  expect(
    await eventually(
      () => statusOf(url),
      (seen) => seen === status,
    ),
  ).to.equal(status);
}

async function marked(): Promise<readonly string[]> {
  const pictures = gallery.pictures.getByRole('option', { name: /, public$/ });
  return await pictures.evaluateAll((found) =>
    found.map((picture) => picture.getAttribute('aria-posinset') ?? ''),
  );
}

async function expectMarked(...positions: readonly string[]): Promise<void> {
  const seen = await eventually(marked, (found) => found.join() === positions.join());
  expect(seen).to.deep.equal(positions);
}

/** Until the page has read which names are public, and has drawn it. */
async function loadWithNames(path?: string): Promise<void> {
  const read = gallery.page.waitForResponse((response) => response.url().includes('/api/names?'));
  await load(path);
  await (await read).finished();
  await gallery.expectPictures(PICTURES);
  await waitFrames();
}

async function removeAllNames(): Promise<void> {
  for await (const { name } of other.listNames()) await other.deleteName(name);
}

describeVisits('public addresses', { pictures: () => makePictures(PICTURES), env: PUBLISHING }, () => {
  afterEach(removeAllNames);

  it('are given together with a name, by keyboard, and shown and copied', async () => {
    await openDetails(1);
    await gallery.enter(gallery.button('Give a name'));
    await gallery.type('shop.jpg');
    await gallery.tabTo(gallery.panel.getByRole('switch'));
    await gallery.press('Space');
    await gallery.enter(gallery.button('Give'));
    await named('shop.jpg').waitFor();

    const { url, id } = await other.getName('shop.jpg');
    expect(id).to.equal(1);
    await named('shop.jpg')
      .getByText(url ?? '')
      .waitFor();
    await section().getByText('Everyone who has a public address').waitFor();
    await gallery.panel.getByText('Public', { exact: true }).waitFor();
    await gallery.enter(gallery.button('Copy the public address of shop.jpg'));
    const copied = await eventually(
      () => gallery.page.evaluate<string>('navigator.clipboard.readText()'),
      Boolean,
    );
    expect(copied).to.equal(url);
    expect(await statusOf(copied)).to.equal(200);
    await gallery.page.getByText('Link copied').first().waitFor({ state: 'detached' });
    await checkView('public-address');
    await gallery.press('Escape');
    await expectMarked('1');
    await checkView('public-mark');
  });

  it('of a name begin and end with a switch, and stay the same', async () => {
    await other.setName('hero', 2);
    await openDetails(2);
    await switchOf('hero').click();
    const { url } = await eventually(
      () => other.getName('hero'),
      (known) => known.public,
    );
    await named('hero')
      .getByText(url ?? 'nothing')
      .waitFor();
    expect(await statusOf(url ?? '')).to.equal(200);

    await switchOf('hero').press('Space');
    await expectStatus(url ?? '', 404);
    await named('hero')
      .getByText(url ?? '')
      .waitFor({ state: 'detached' });
    await expectFocus(switchOf('hero'));
    expect(await switchOf('hero').isChecked()).to.equal(false);
    gallery.watch.expectCalm('a switch');
  });

  it('come back when the removal of their name is undone', async () => {
    const url = await publish('banner', 3);
    await openDetails(3);
    await gallery.button('Remove the name banner').click();
    await gallery.page.getByText('Its public address and links to it do not work').first().waitFor();
    await expectStatus(url, 404);
    await gallery.page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();

    await named('banner').getByText(url).waitFor();
    await expectStatus(url, 200);
  });

  it('that others make and end are marked at once', async () => {
    await arrive();
    await loadWithNames();
    await expectMarked();
    await publish('one', 1);
    await publish('four', 4);
    await expectMarked('1', '4');
    await other.setName('one', 2);
    await expectMarked('2', '4');
    await other.deleteName('four');
    await expectMarked('2');
    gallery.watch.expectCalm('marks');
  });

  listedAddresses();

  endingAddresses();

  movedAddresses();

  it('are shown to a person who may not publish, without what changes them; deletions still say that they end', async () => {
    const url = await publish('fixed', 1);
    await openDetails(1, WITHOUT_PUBLISHING);
    await named('fixed').getByText(url).waitFor();
    expect(await gallery.panel.getByRole('switch').count()).to.equal(0);
    expect(await gallery.button('Upload another picture as fixed…').count()).to.equal(0);
    expect(await gallery.panel.getByText('Public', { exact: true }).count()).to.equal(0);
    await gallery.press('Delete');
    await question().getByText('1 public address ends.').waitFor();
    await gallery.press('Escape');
    await loadWithNames('?view=published');
    await expectMarked();
    await gallery.accountButton.click();
    await gallery.button('Sign out').waitFor();
    expect(await gallery.page.getByRole('link', { name: 'Public addresses' }).count()).to.equal(0);
  });

  // After the other tests: the service starts again.
  otherSettings();
});

function movedAddresses(): void {
  it('stay where they are for a person who may not publish, and are switched on for others before they move', async () => {
    await publish('fixed', 1);
    for (const [options, buttons, switches] of [
      [WITHOUT_PUBLISHING, 0, 0],
      [{}, 1, 1],
    ] as const) {
      await openDetails(2, options);
      gallery.watch.expectFault(/status of 412/);
      await gallery.button('Give a name').click();
      await gallery.type('fixed');
      await gallery.press('Enter');
      await section().getByText('fixed is the name of “cat-001.jpg” now').waitFor();
      expect(await gallery.button('Move it here').count()).to.equal(buttons);
      const form = section().getByRole('switch');
      expect(await form.count()).to.equal(switches);
      if (switches > 0) expect([await form.isChecked(), await form.isDisabled()]).to.deep.equal([true, true]);
      else await section().getByText('To move it, you need a right that you do not have.').waitFor();
    }
    expect((await other.getName('fixed')).id).to.equal(1);
  });
}

function listedAddresses(): void {
  describe('are all listed', () => {
    it('and end by keyboard; the focus goes on, and undo brings one back', async () => {
      const urls = [await publish('paw-a', 1), await publish('paw-b', 1), await publish('paw-c', 2)];
      await signIn();
      await gallery.accountButton.click();
      await gallery.page.getByRole('link', { name: 'Public addresses' }).click();
      await row('paw-c')
        .getByText(urls[2] ?? '')
        .waitFor();
      await row('paw-a').getByRole('img', { includeHidden: true }).waitFor();
      await checkView('public-addresses');

      await gallery.enter(unpublishButton('paw-b'));
      await expectFocus(unpublishButton('paw-c'));
      await expectStatus(urls[1] ?? '', 404);
      await gallery.press('z');
      await row('paw-b').waitFor();
      await expectStatus(urls[1] ?? '', 200);

      await gallery.enter(unpublishButton('paw-c'));
      await expectFocus(unpublishButton('paw-b'));
      await gallery.press('Enter');
      await expectFocus(unpublishButton('paw-a'));
      await gallery.press('Enter');
      await gallery.page.getByRole('heading', { name: 'No public addresses' }).waitFor();
      await expectFocus(gallery.page.getByRole('heading', { name: 'Public addresses', exact: true }));
      for (const url of urls) await expectStatus(url, 404);
      gallery.watch.expectCalm('the list of public addresses');
      await checkView('no-public-addresses');
    });

    it('page by page, and follow what others do', async () => {
      for (let index = 0; index < 102; index += 1) {
        await publish(`name-${String(index).padStart(3, '0')}`, 1 + (index % 2));
      }
      await signIn();
      // From then on, the page is told what others do.
      const followed = gallery.page.waitForRequest((request) => request.url().includes('/api/changes'));
      await load('?view=published');
      await followed;
      await row('name-099').waitFor();
      expect(await row('name-').count()).to.equal(100);
      await gallery.button('Show more').click();
      await row('name-101').waitFor();
      expect(await row('name-').count()).to.equal(102);
      await other.setName('name-101', 1, { public: false });
      await row('name-101').waitFor({ state: 'detached' });
    });
  });
}

function endingAddresses(): void {
  describe('that end with pictures', () => {
    it('are counted before a selection is deleted', async () => {
      await publish('a', 1);
      await publish('b', 1);
      await signIn();
      await gallery.select(0, 1);
      await gallery.press('Delete');
      await question().getByText('2 public addresses end.').waitFor();
      await checkView('delete-published');
      await gallery.press('Escape');
      await question().waitFor({ state: 'detached' });
      await gallery.expectPictures(PICTURES);

      await gallery.selection.getByRole('button', { name: 'Delete' }).click();
      await question().getByRole('button', { name: 'Delete' }).click();
      await gallery.expectPictures(PICTURES - 2);
      await gallery.undoButton.click();
      await gallery.expectPictures(PICTURES);
      expect((await other.getName('a')).public).to.equal(true);
    });

    it('are counted before an open picture is deleted, and none are asked about without any', async () => {
      await publish('a', 2);
      await signIn();
      await gallery.picture(1).click();
      const { originalName } = await other.get(2);
      await gallery.expectViewer(originalName);
      await gallery.press('Delete');
      await question().getByText('1 public address ends.').waitFor();
      await gallery.tabTo(question().getByRole('button', { name: 'Delete' }));
      await gallery.press('Enter');
      await question().waitFor({ state: 'detached' });
      await gallery.expectViewer((await other.get(3)).originalName);
      await gallery.press('Delete');
      await gallery.expectViewer((await other.get(4)).originalName);
      expect(await question().count()).to.equal(0);
      await gallery.press('z');
      await gallery.press('z');
      gallery.watch.expectCalm('a deletion from the viewer');
    });

    it('are counted before one of several compared pictures is kept', async () => {
      await publish('a', 1);
      await signIn();
      await gallery.select(0, 1);
      await gallery.press('c');
      await gallery.page.getByRole('button', { name: /^Keep/ }).nth(1).click();
      await question().getByText('1 public address ends.').waitFor();
      await question().getByRole('button', { name: 'Delete' }).click();
      await gallery.expectPictures(PICTURES - 1);
      await gallery.press('z');
      await gallery.expectPictures(PICTURES);
    });

    it('are waited for, and the deletion goes on without a question if none end', async () => {
      await publish('a', 1);
      const held: Route[] = [];
      await arrive();
      await gallery.page.route('**/api/names?*', (route) => void held.push(route));
      await load();
      await gallery.expectPictures(PICTURES);
      await gallery.select(1);
      await gallery.selection.waitFor();
      await gallery.press('Delete');
      await question().getByText('Looking for public addresses').waitFor();
      expect(await question().getByRole('button', { name: 'Delete' }).isDisabled()).to.equal(true);
      await expectSoon(() => held.length > 0, true);
      // The page has given up the requests before.
      await held.at(-1)?.continue();
      await gallery.page.unroute('**/api/names?*');

      await gallery.expectPictures(PICTURES - 1);
      expect(await question().count()).to.equal(0);
      await gallery.undoButton.click();
      await gallery.expectPictures(PICTURES);
    });

    it('are said to be unknown if they cannot be read', async () => {
      await arrive();
      await gallery.page.route('**/api/names?*', (route) => route.fulfill({ status: 403, json: FORBIDDEN }));
      gallery.watch.expectFault(/403/);
      await load();
      await gallery.expectPictures(PICTURES);
      await gallery.select(1);
      await gallery.selection.waitFor();
      await gallery.press('Delete');
      await question().getByText('It could not be found out').waitFor();
      await question().getByRole('button', { name: 'Delete' }).click();

      await gallery.expectPictures(PICTURES - 1);
      await gallery.undoButton.click();
      await gallery.expectPictures(PICTURES);
    });
  });
}

function otherSettings(): void {
  describe('in other settings', () => {
    it('can only be looked at in a catalog that is read-only', async () => {
      const url = await publish('fixed', 1);
      await servers.stopService();
      await servers.startService({ READ_ONLY: 'true' });
      await openDetails(1);
      await named('fixed').getByText(url).waitFor();
      expect(await gallery.panel.getByRole('switch').count()).to.equal(0);
      await load('?view=published');
      await row('fixed').waitFor();
      expect(await unpublishButton('fixed').count()).to.equal(0);
      await servers.stopService();
      await servers.startService();
    });

    it('are not there where publishing is off', async () => {
      await publish('fixed', 1);
      await servers.stopService();
      await servers.startService({ PUBLISH_NAMES: 'false' });
      await openDetails(1);
      await named('fixed').waitFor();
      expect(await gallery.page.getByText(/public address/i).count()).to.equal(0);
      expect(await gallery.panel.getByRole('switch').count()).to.equal(0);
      await gallery.press('Delete');
      await gallery.page
        .getByRole('region', { name: 'Notices' })
        .getByText('Picture deleted')
        .first()
        .waitFor();
      await gallery.press('z');
      await gallery.press('Escape');
      await gallery.expectPictures(PICTURES);
      await gallery.picture(0).getByRole('img').waitFor();
      await waitFrames();
      expect(await gallery.page.locator('.grid-public').count()).to.equal(0);
    });
  });
}
