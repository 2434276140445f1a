import { expect } from 'chai';
import type { ViewportSize } from 'playwright-core';
import { makePictures, textFile } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, load, signIn } from '../support/visits.ts';
import {
  coveredControls,
  cutBySpacing,
  faintEdges,
  focusFaults,
  smallTargets,
  tooWide,
} from '../support/wcag-measures.ts';

const PICTURES = 30;
/** A window of 1,280 by 1,024 pixels at 400 %. */
const SMALLEST = { width: 320, height: 256 };
const DESKTOP = { width: 1280, height: 800 };

interface View {
  readonly name: string;
  readonly query?: string;
  /** From the address on; resolves when it is shown. */
  readonly show: () => Promise<void>;
}

const VIEWS: readonly View[] = [
  { name: 'the timeline', show: async () => await gallery.picture(0).waitFor() },
  { name: 'a selection', show: select },
  {
    name: 'a search',
    query: '?q=cat&tags=sofa,garden',
    show: async () => await gallery.button('Clear all').waitFor(),
  },
  {
    name: 'a search without results',
    query: '?q=nothing',
    show: async () => await gallery.nothingFound.waitFor(),
  },
  {
    name: 'the page of tags',
    query: '?view=tags',
    show: async () => await gallery.page.locator('.tags-page-order').waitFor(),
  },
  {
    name: 'the trash',
    query: '?view=trash',
    show: async () => {
      await gallery.button('Select all').click();
      await gallery.button('Restore').waitFor();
    },
  },
  { name: 'an open picture', show: openPicture },
  { name: 'the details of a picture', show: openDetails },
  { name: 'uploads', show: showUploads },
  {
    name: 'the focus of crops',
    show: async () => {
      await openDetails();
      await gallery.showForWebsites();
      await gallery.panel.getByRole('button', { name: 'Set the focus of crops' }).click();
      await gallery.page.getByRole('dialog', { name: 'Focus of crops' }).waitFor();
    },
  },
  {
    name: 'four compared pictures',
    query: '?compare=1,2,3,4',
    show: async () => await gallery.page.locator('.compare-known').nth(3).waitFor(),
  },
  {
    name: 'the slideshow',
    query: '?slideshow=7',
    show: async () => await gallery.page.getByRole('dialog', { name: 'Slideshow' }).waitFor(),
  },
  { name: 'the menu of the account', show: async () => await gallery.accountButton.click() },
  {
    name: 'the list of keys',
    show: async () => {
      await gallery.picture(0).waitFor();
      await gallery.press('?');
      await gallery.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  { name: 'tags of many', show: async () => await openForMany('Tag', /^Tags of/) },
  {
    name: 'an edit of many',
    show: async () => await openForMany('Edit title and time', /^Edit/),
  },
  {
    name: 'a page to share',
    show: async () => await openForMany('Share', /^Share/),
  },
];

const VISIT = {
  isOneVisit: true,
  env: { TRASH_DAYS: '30' },
  pictures: () => makePictures(PICTURES + 1, 0, 10),
};

describeVisits('WCAG 2.2', VISIT, () => {
  before(async () => {
    await catalog.delete(PICTURES + 1);
    for (let id = 1; id <= 4; id += 1) await catalog.patch(id, { tags: ['sofa', 'garden', `place ${id}`] });
    await signIn();
  });

  async function show(view: View, size: ViewportSize): Promise<void> {
    await gallery.page.setViewportSize(size);
    await load(view.query);
    await view.show();
  }

  for (const view of VIEWS) {
    describe(view.name, () => {
      it('fits 320 pixels', async () => {
        await show(view, SMALLEST);
        expect(await tooWide(gallery.page)).to.deep.equal([]);
        expect(await coveredControls(gallery.page)).to.deep.equal([]);
      });

      it('cuts no spaced text, and has targets, edges and a focus that are seen', async () => {
        await show(view, DESKTOP);
        const faults = {
          'texts cut by more space between lines, words and letters': await cutBySpacing(gallery.page),
          'targets smaller than 24 pixels': await smallTargets(gallery.page),
          'faint edges in light': await faintEdges(gallery.page, 'light'),
          'faint edges in dark': await faintEdges(gallery.page, 'dark'),
          // The last: it moves the focus.
          'focus that is not seen, or not let go': await focusFaults(gallery.page),
        };
        expect(Object.entries(faults).filter(([, found]) => found.length > 0)).to.deep.equal([]);
      });
    });
  }

  it('the first Tab leads past the header to the pictures', async () => {
    await load();
    await gallery.picture(0).waitFor();
    await gallery.press('Tab');
    await gallery.press('Enter');

    expect(await gallery.page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
  });

  it('the month beside the timeline stays below the pointer, and is dismissed by Escape', async () => {
    await gallery.page.setViewportSize(DESKTOP);
    await load();
    await gallery.page.getByRole('slider', { name: 'Timeline' }).hover();
    const bubble = gallery.page.locator('.scrubber-bubble');
    const box = await bubble.boundingBox();
    await gallery.page.mouse.move((box?.x ?? 0) + 8, (box?.y ?? 0) + 8, { steps: 30 });
    expect(await bubble.count()).to.equal(1);

    await gallery.press('Escape');
    expect(await bubble.count()).to.equal(0);
  });

  it('letters and signs alone can be turned off as shortcuts', async () => {
    await load();
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

async function select(): Promise<void> {
  await gallery.select(0);
  await gallery.selection.waitFor();
}

async function openPicture(): Promise<void> {
  await gallery.picture(0).click();
  await gallery.button('Details').or(gallery.panel).first().waitFor();
  // It stays open for the next picture.
  if (await gallery.panel.isVisible()) await gallery.press('i');
}

async function openDetails(): Promise<void> {
  await openPicture();
  await gallery.press('i');
  await gallery.panel.locator('summary').waitFor();
}

async function showUploads(): Promise<void> {
  await gallery.picture(0).waitFor();
  await gallery.upload([textFile(), ...(await makePictures(1))]);
  await gallery.expectUploads('1 already here, 1 refused');
}

/** In the bar of a selection, or in its menu. */
async function openForMany(button: string, title: RegExp): Promise<void> {
  await select();
  const inBar = gallery.selection.getByRole('button', { name: button, exact: true });
  if (!(await inBar.isVisible())) await gallery.selection.getByRole('button', { name: 'More' }).click();
  await gallery.button(button).click();
  await gallery.page.getByRole('dialog', { name: title }).waitFor();
}
