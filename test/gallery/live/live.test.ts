import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import type { GalleryPage } from '../support/gallery-page.ts';
import { type PickedFile, photo } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, signIn } from '../support/visits.ts';

/** More than a page of the listing. */
const PICTURES = 300;
const UPLOADS = 500;
const AT_A_TIME = 4;
const HOUR_MS = 3_600_000;
const NEWEST = Date.UTC(2025, 10, 20, 12);

describeVisits('what others do meanwhile', {}, () => {
  before(async () => {
    // One a day.
    await upload(await tinyPictures('cat', PICTURES, 24));
  });

  beforeEach(() => signIn());

  const idAt = async (position: number): Promise<number> => await idOf(gallery.picture(position));

  it('edits, and deletions of another month, move nothing that is in view', async () => {
    const above = await idAt(1);
    await gallery.page.mouse.wheel(0, 1500);
    await gallery.picture(40).waitFor();
    const inView = await idAt(40);
    const before = await placesOf(gallery);
    const count = await countOf(gallery);

    await catalog.delete(above);
    await gallery.expectPictures(count - 1);
    expect(await placesOf(gallery)).to.deep.equal(before);

    await catalog.patch(inView, { title: 'Their title' });
    await gallery.page.getByRole('option', { name: 'Their title' }).waitFor();
    gallery.watch.expectCalm('changes by another client');
  });

  it('nothing moves while 500 pictures are uploaded, which wait behind a chip', async () => {
    // Between those in view.
    const count = await countOf(gallery);
    await scrollDuring(gallery, upload(await tinyPictures('new', UPLOADS, 1)));
    await chip(gallery, `${UPLOADS} new pictures`).waitFor();
    await gallery.expectPictures(count);

    const before = await placesOf(gallery);
    await upload(await tinyPictures('newer', 20, 2));
    await chip(gallery, `${UPLOADS + 20} new pictures`).waitFor();
    expect(await placesOf(gallery)).to.deep.equal(before);
    gallery.watch.expectCalm('uploads of others');

    await gallery.press('n');
    await gallery.expectPictures(count + UPLOADS + 20);
    await gallery.picture(0).waitFor();
    await chip(gallery, /new picture/).waitFor({ state: 'detached' });
    gallery.watch.expectCalm('the new pictures');
  });

  it('each of two windows follows the other', async () => {
    const mine = gallery;
    const other = await signIn();
    const count = await countOf(mine);
    await mine.upload(await tinyPictures('own', 1, 1));
    await chip(other, '1 new picture').click();
    await other.expectPictures(count + 1);
    await mine.expectPictures(count + 1);
    expect(await chip(mine, /new picture/).count()).to.equal(0);

    await other.picture(2).focus();
    await other.press('f');
    await mine
      .picture(2)
      .and(mine.page.getByRole('option', { name: /, starred/ }))
      .waitFor();

    const name = await other.nameOf(other.picture(9));
    await other.picture(9).focus();
    await other.press('Space');
    await other.selection.waitFor();
    await other.press('Delete');
    await other.undoButton.waitFor();
    // Ends the undo time.
    await other.page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' }).click();
    await mine.expectPictures(count);
    expect(await mine.nameOf(mine.picture(9))).to.not.equal(name);
    mine.watch.expectCalm('two windows');
  });

  it('an open picture says that it was deleted', async () => {
    await gallery.picture(5).click();
    await gallery.page.getByRole('dialog').waitFor();
    await gallery.page.waitForURL(/[?&]image=/);
    const open = Number(new URL(gallery.page.url()).searchParams.get('image'));
    const { originalName } = (await (await catalog.get(open)).json()) as { readonly originalName: string };
    // One that was deleted before it was shown is none of the catalog.
    await gallery.expectViewer(originalName);
    expect((await catalog.delete(open)).status).to.equal(204);

    await gallery.page.getByRole('dialog').getByText('This picture was deleted.').first().waitFor();
    await gallery.press('Escape');
    await gallery.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a tab that is not seen asks for nothing, and catches up later', async () => {
    const aborted = gallery.page.waitForEvent('requestfailed', (request) =>
      /api\/changes/.test(request.url()),
    );
    await setVisibility(gallery, 'hidden');
    await aborted;
    await upload(await tinyPictures('while-hidden', 3, 1));
    await setVisibility(gallery, 'visible');

    await chip(gallery, '3 new pictures').waitFor();
    await gallery.page.getByRole('status').getByText('There are new pictures').waitFor();
    await expectAccessible(gallery.page, 'the chip for new pictures');
    gallery.watch.expectCalm('a hidden tab');
  });
});

async function idOf(picture: Locator): Promise<number> {
  // As in Picture of 21 Nov 2025, 12:00.
  const label = await picture.getAttribute('aria-label');
  const minute = new Date(`${label?.slice('Picture of '.length)} UTC`).toISOString().slice(0, 16);
  return (await catalog.list()).find(({ takenAt }) => takenAt?.startsWith(minute))?.id ?? 0;
}

/** As another client. */
async function upload(pictures: readonly PickedFile[]): Promise<void> {
  const waiting = [...pictures];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { status } = await catalog.upload(new Uint8Array(next.buffer), next.name);
      expect(status).to.equal(201);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** Down and up, until the work is done. */
async function scrollDuring(gallery: GalleryPage, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  void work.finally(() => end.abort()).catch(() => undefined);
  for (let step = 0; !end.signal.aborted; step += 1) {
    await gallery.page.mouse.wheel(0, step % 60 < 30 ? 150 : -150);
  }
  await work;
}

const chip = (gallery: GalleryPage, name: string | RegExp) =>
  gallery.page.getByRole('button', { name, exact: true });

async function countOf({ pictures }: GalleryPage): Promise<number> {
  return Number(await pictures.getByRole('option').first().getAttribute('aria-setsize'));
}

/** Where each picture is on the screen, once the page is at rest. */
async function placesOf(gallery: GalleryPage): Promise<unknown> {
  // A page that is scrolled moves with its frames, between which a busy machine may take long.
  const read = async (): Promise<string> =>
    await gallery.page.evaluate<string>(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
        JSON.stringify([...document.querySelectorAll('[role=option]')].map((option) => {
          const { x, y, width } = option.getBoundingClientRect();
          return [option.getAttribute('aria-label'), Math.round(x), Math.round(y), Math.round(width)];
        }).filter(([, , y]) => y > -200 && y < innerHeight)))`,
    );
  let last = '';
  await eventually(read, (seen) => {
    const isAtRest = seen === last;
    last = seen;
    return isAtRest;
  });
  return JSON.parse(last);
}

async function setVisibility(gallery: GalleryPage, state: 'hidden' | 'visible'): Promise<void> {
  await gallery.page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`,
  );
}

let colours = 0;

/** All their bytes differ. */
async function tinyPictures(
  name: string,
  count: number,
  hoursBetween: number,
): Promise<readonly PickedFile[]> {
  colours += 20;
  const shapes = [16, 24, 32].map((width) => ({ width, height: 24, channels: 3 as const }));
  const pixels = await Promise.all(
    shapes.map((shape) =>
      sharp({ create: { ...shape, background: { r: colours, g: 120, b: 90 } } })
        .jpeg()
        .toBuffer(),
    ),
  );
  return Array.from({ length: count }, (_, at) => {
    const taken = new Date(NEWEST - at * hoursBetween * HOUR_MS);
    return photo(`${name}-${at + 1}.jpg`, pixels[at % pixels.length] as Buffer, taken);
  });
}
