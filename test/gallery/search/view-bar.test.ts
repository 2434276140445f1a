import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, load, signIn } from '../support/visits.ts';

const FORBIDDEN = { error: { code: 'insufficient_scope', message: 'No' } };
const BUSY = { error: { code: 'overloaded', message: 'Busy' } };
/** Of another origin: scripts may read what it names. */
const BUSY_HEADERS = {
  'Retry-After': '1',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After',
};
const TAGS = Array.from({ length: 10 }, (_, index) => `a-tag-with-a-name-${index}`);
describeVisits('the bar of a view', { pictures: () => makePictures(3) }, () => {
  beforeEach(() => signIn());

  it('says no number of pictures before it is known', async () => {
    await gallery.page.route('**/api/images?*', () => undefined);
    await gallery.page.route('**/api/images/timeline?*', () => undefined);
    const counts: string[] = [];
    await gallery.page.exposeFunction('noteCount', (count: string) => counts.push(count));
    await gallery.page.evaluate(NOTE_COUNTS);

    await gallery.searchField.fill('cat');
    await gallery.page.waitForURL('**/?q=cat');
    await gallery.searchField.fill('cat picture');
    await gallery.page.waitForURL('**/?q=cat+picture');
    await gallery.page.reload();
    await gallery.page.locator('#result-count').waitFor({ state: 'attached' });

    expect(counts.filter((count) => !['', '3 pictures'].includes(count))).to.deep.equal([]);
    expect(await gallery.page.locator('#result-count').textContent()).to.equal('');
  });

  for (const [what, handle] of [
    ['takes long', () => undefined],
    ['fails', (route: Route) => route.fulfill({ status: 403, json: FORBIDDEN })],
  ] as const) {
    it(`does not say the number of the view before if the next one ${what}`, async () => {
      await gallery.page.route('**/api/images?*', handle);
      await gallery.page.route('**/api/images/timeline?*', handle);
      await gallery.page.getByText('3 pictures').first().waitFor();
      await gallery.searchField.fill('cat');
      await gallery.page.waitForURL('**/?q=cat');

      await expectSoon(() => gallery.page.locator('#result-count').textContent(), '');
    });
  }

  it('is there when a search that found no place is tried again', async () => {
    let refused = 0;
    const refuse = async (route: Route): Promise<void> => {
      refused += 1;
      await route.fulfill({ status: 503, headers: BUSY_HEADERS, json: BUSY });
    };
    await gallery.page.route(/\/api\/images(\/timeline)?\?.*q=/, refuse);
    gallery.watch.expectFault(/503/);
    await gallery.searchField.fill('cat');
    await gallery.banner('The catalog is busy.').first().waitFor();
    await gallery.page.unroute(/\/api\/images(\/timeline)?\?.*q=/);

    await gallery.page.locator('#result-count').getByText('3 pictures').waitFor();
    expect(refused).to.be.greaterThan(1);
  });

  it('has the button that clears all filters in reach, however many there are', async () => {
    await load(`?tags=${TAGS.join()}`);
    const clear = gallery.button('Clear all');
    await clear.waitFor();

    expect(await isInView(clear)).to.equal(true);
    await clear.click({ trial: true });
  });

  it('is one line on phones, with every order, and at twice the size of text', async () => {
    for (const [width, text] of [
      [320, 'medium'],
      [360, 'medium'],
      [411, 'medium'],
      [640, 'medium'],
      [768, 'medium'],
      [390, '32px'],
      [1280, '32px'],
    ] as const) {
      await gallery.page.setViewportSize({ width, height: 800 });
      for (const sort of ['taken', 'random&seed=1']) {
        await load(`?sort=${sort}`);
        await gallery.page.evaluate(`document.documentElement.style.fontSize = '${text}'`);
        await gallery.page.getByText('3 pictures').first().waitFor();
        expect(await gallery.page.evaluate(ROWS), `${width} pixels, ${sort}, text ${text}`).to.equal(1);
      }
    }
  });
});

/** Of controls whose middles are at one height. */
const ROWS = `new Set([...document.querySelectorAll('.view-bar :is(.button, .search-sort, .view-bar-count)')]
  .map((control) => control.getBoundingClientRect()).map(({ top, height }) => Math.round((top + height / 2) / 8))).size`;

/** Whether a click in its middle meets it. */
async function isInView(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  });
}

const NOTE_COUNTS = `new MutationObserver(() => {
  noteCount(document.getElementById('result-count').textContent);
}).observe(document.getElementById('result-count'), { childList: true, characterData: true, subtree: true })`;
