import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { waitFrames } from '../support/frames.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, signIn } from '../support/visits.ts';

const FORBIDDEN = { error: { code: 'insufficient_scope', message: 'No' } };
const SOURCES = {
  tags: { url: '**/api/tags?*', option: 'green' },
  dates: { url: '**/api/images/timeline?*', option: 'November 2025' },
} as const;

/** Runs in the page: notes where each option is when it is drawn for the first time. */
const NOTE_PLACES = `{
  window.firstPlaces = {};
  window.notePlaces = () => {
    for (const option of document.querySelectorAll('.search-option')) {
      window.firstPlaces[option.textContent] ??= option.getBoundingClientRect().top;
    }
  };
  const noteEachFrame = () => {
    window.notePlaces();
    requestAnimationFrame(noteEachFrame);
  };
  noteEachFrame();
}`;

/** Runs in the page: where the options are now, and where they were at first. An option may have come since the last frame. */
const READ_PLACES = `{
  window.notePlaces();
  const options = [...document.querySelectorAll('.search-option')];
  const places = options.map((option) => [option.textContent, option.getBoundingClientRect().top]);
  ({ now: Object.fromEntries(places), first: window.firstPlaces });
}`;

type Places = Readonly<Record<string, number>>;

describeVisits('suggestions of the search stay where they are', { pictures: () => makePictures(3) }, () => {
  before(async () => {
    await catalog.patch(1, { tags: ['green'] });
  });

  beforeEach(() => signIn());

  for (const [source, { url, option }] of Object.entries(SOURCES)) {
    it(`when the ${source} come late`, async () => {
      const { isAsked, respond } = await hold(url);
      await openSuggestions();
      await isAsked;
      await waitFrames();
      await respond();

      await gallery.suggestions.getByRole('option', { name: option }).waitFor();
      await gallery.suggestions.getByRole('option', { name: 'green' }).waitFor();
      await expectNothingMoved();
    });

    it(`when the ${source} hang: the others are shown before they come`, async () => {
      const { respond } = await hold(url);
      await openSuggestions();
      await gallery.suggestions.getByRole('option', { name: 'JPEG' }).waitFor();
      await respond();

      await gallery.suggestions.getByRole('option', { name: 'green' }).waitFor();
      await expectNothingMoved();
    });

    it(`when the ${source} fail: the others are shown`, async () => {
      await gallery.page.route(url, (route) => route.fulfill({ status: 403, json: FORBIDDEN }));
      gallery.watch.expectFault(/403/);
      await openSuggestions();

      await gallery.suggestions.getByRole('option', { name: 'JPEG' }).waitFor();
      await waitFrames();
      await expectNothingMoved();
    });
  }

  it('when the tags for typed words come late', async () => {
    await gallery.searchField.click();
    await gallery.suggestions.getByRole('option', { name: 'JPEG' }).waitFor();
    await gallery.page.evaluate(NOTE_PLACES);
    await waitFrames();
    const { isAsked, respond } = await hold('**/api/tags?*prefix=un*');
    await gallery.searchField.fill('untagged');
    await gallery.page.evaluate('window.firstPlaces = {}');
    await isAsked;
    await waitFrames();
    await respond();

    await gallery.suggestions.getByRole('option', { name: 'Untagged' }).waitFor();
    await expectNothingMoved();
  });
});

async function openSuggestions(): Promise<void> {
  await gallery.page.evaluate(NOTE_PLACES);
  await gallery.searchField.click();
}

/** Holds the responses to these requests back. */
async function hold(url: string): Promise<{ isAsked: Promise<void>; respond: () => Promise<void> }> {
  const held: Route[] = [];
  let noteAsked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (noteAsked = resolve));
  await gallery.page.route(url, (route) => {
    held.push(route);
    noteAsked();
  });
  return {
    isAsked,
    respond: async () => {
      await isAsked;
      for (const route of held) await route.continue();
      await gallery.page.unroute(url);
    },
  };
}

async function expectNothingMoved(): Promise<void> {
  await waitFrames();
  const { now, first } = await gallery.page.evaluate<Readonly<Record<'now' | 'first', Places>>>(READ_PLACES);
  expect(now).not.to.deep.equal({});
  expect(now).to.deep.equal(first);
}
