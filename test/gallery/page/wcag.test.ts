import { expect } from 'chai';
import type { ViewportSize } from 'playwright-core';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';
import { cutBySpacing, faintEdges, focusFaults, smallTargets, tooWide } from '../support/wcag-measures.ts';

const PICTURES = 30;
/** A window of 1,280 by 1,024 pixels at 400 %. */
const SMALLEST = { width: 320, height: 256 };
const DESKTOP = { width: 1280, height: 800 };

interface View {
  readonly name: string;
  readonly query?: string;
  /** From the address on; resolves when it is shown. */
  readonly open: (gallery: GalleryPage) => Promise<void>;
}

const VIEWS: readonly View[] = [
  { name: 'the timeline', open: async (gallery) => await gallery.picture(0).waitFor() },
  { name: 'a selection', open: async (gallery) => await select(gallery) },
  {
    name: 'a search',
    query: '?q=cat&tags=sofa,garden',
    open: async (gallery) => await gallery.button('Clear all').waitFor(),
  },
  {
    name: 'a search without results',
    query: '?q=nothing',
    open: async (gallery) => await gallery.nothingFound.waitFor(),
  },
  {
    name: 'the page of tags',
    query: '?view=tags',
    open: async (gallery) => await gallery.page.locator('.tags-page-order').waitFor(),
  },
  {
    name: 'the trash',
    query: '?view=trash',
    open: async (gallery) => {
      await gallery.button('Select all').click();
      await gallery.button('Restore').waitFor();
    },
  },
  { name: 'an open picture', open: openPicture },
  {
    name: 'the focus of crops',
    open: async (gallery) => {
      await openPicture(gallery);
      await gallery.panel.getByRole('button', { name: 'Set the focus of crops' }).click();
      await gallery.page.getByRole('dialog', { name: 'Focus of crops' }).waitFor();
    },
  },
  {
    name: 'four compared pictures',
    query: '?compare=1,2,3,4',
    open: async (gallery) => await gallery.page.locator('.compare-known').nth(3).waitFor(),
  },
  {
    name: 'the slideshow',
    query: '?slideshow=7',
    open: async (gallery) => await gallery.page.getByRole('dialog', { name: 'Slideshow' }).waitFor(),
  },
  { name: 'the menu of the account', open: async (gallery) => await gallery.accountButton.click() },
  {
    name: 'the list of keys',
    open: async (gallery) => {
      await gallery.picture(0).waitFor();
      await gallery.press('?');
      await gallery.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  { name: 'tags of many', open: async (gallery) => await openForMany(gallery, 'Tag', /^Tags of/) },
  {
    name: 'an edit of many',
    open: async (gallery) => await openForMany(gallery, 'Edit title and time', /^Edit/),
  },
  {
    name: 'a page to share',
    open: async (gallery) => await openForMany(gallery, 'Share as a page', /^Share/),
  },
];

describeInChromium('WCAG 2.2', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;

  before(async () => {
    servers = await GalleryServers.start({ env: { TRASH_DAYS: '30' } });
    await servers.upload(await makePictures(PICTURES + 1, 0, 10));
    const catalog = await servers.client();
    await catalog.delete(PICTURES + 1);
    for (let id = 1; id <= 4; id += 1) await catalog.patch(id, { tags: ['sofa', 'garden', `place ${id}`] });
    gallery = await GalleryPage.open(browser(), servers.url);
    await gallery.signIn();
  });

  after(async () => {
    await gallery?.close();
    await servers?.stop();
  });

  async function show({ query = '', open }: View, size: ViewportSize): Promise<void> {
    await gallery.page.setViewportSize(size);
    await gallery.page.goto(servers.url + query);
    await open(gallery);
  }

  for (const view of VIEWS) {
    describe(view.name, () => {
      it('fits 320 pixels', async () => {
        await show(view, SMALLEST);
        expect(await tooWide(gallery.page)).to.deep.equal([]);
      });

      it('cuts no text with more space between lines, words and letters', async () => {
        await show(view, DESKTOP);
        expect(await cutBySpacing(gallery.page)).to.deep.equal([]);
      });

      it('has no target smaller than 24 pixels', async () => {
        await show(view, DESKTOP);
        expect(await smallTargets(gallery.page)).to.deep.equal([]);
      });

      it('has fields whose edges are seen, light and dark', async () => {
        await show(view, DESKTOP);
        for (const colorScheme of ['light', 'dark'] as const) {
          await gallery.page.emulateMedia({ colorScheme });
          expect(await faintEdges(gallery.page), colorScheme).to.deep.equal([]);
        }
      });

      it('shows what has the focus, with a ring, and lets it go', async () => {
        await show(view, DESKTOP);
        expect(await focusFaults(gallery.page)).to.deep.equal([]);
      });
    });
  }

  it('the first Tab leads past the header to the pictures', async () => {
    await gallery.page.goto(servers.url);
    await gallery.picture(0).waitFor();
    await gallery.press('Tab');
    await gallery.press('Enter');

    expect(await gallery.page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
  });

  it('the month beside the timeline stays below the pointer, and is dismissed by Escape', async () => {
    await gallery.page.setViewportSize(DESKTOP);
    await gallery.page.goto(servers.url);
    await gallery.page.getByRole('slider', { name: 'Timeline' }).hover();
    const bubble = gallery.page.locator('.scrubber-bubble');
    const box = await bubble.boundingBox();
    await gallery.page.mouse.move((box?.x ?? 0) + 8, (box?.y ?? 0) + 8, { steps: 30 });
    expect(await bubble.count()).to.equal(1);

    await gallery.press('Escape');
    expect(await bubble.count()).to.equal(0);
  });

  it('letters and signs alone can be turned off as shortcuts', async () => {
    await gallery.page.goto(servers.url);
    await gallery.picture(0).waitFor();
    await gallery.press('?');
    const used = gallery.page.getByRole('checkbox', { name: 'Letters and signs alone are shortcuts' });
    await used.uncheck();
    await gallery.press('Escape');
    await gallery.press('?');
    await gallery.press('s');
    expect(await gallery.page.getByRole('dialog').count()).to.equal(0);

    await gallery.accountButton.click();
    await gallery.button('Keyboard shortcuts').click();
    await used.check();
  });
});

async function select(gallery: GalleryPage): Promise<void> {
  await gallery.picture(0).click({ position: { x: 16, y: 16 } });
  await gallery.selection.waitFor();
}

async function openPicture(gallery: GalleryPage): Promise<void> {
  await gallery.picture(0).click();
  await gallery.page.getByRole('dialog').waitFor();
  const details = gallery.button('Details');
  // It stays open for the next picture.
  if ((await details.getAttribute('aria-pressed')) !== 'true') await details.click();
  await gallery.panel.waitFor();
}

/** In the bar of a selection, or in its menu. */
async function openForMany(gallery: GalleryPage, button: string, title: RegExp): Promise<void> {
  await select(gallery);
  const inBar = gallery.selection.getByRole('button', { name: button, exact: true });
  if (!(await inBar.isVisible())) await gallery.selection.getByRole('button', { name: 'More' }).click();
  await gallery.button(button).click();
  await gallery.page.getByRole('dialog', { name: title }).waitFor();
}
