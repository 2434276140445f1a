import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from '../support/check-view.ts';
import { drawLandscapes } from '../support/landscapes.ts';
import { catalog, describeVisits, gallery, load, signIn } from '../support/visits.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SELECTED = 3;

describeVisits('the selection', { pictures: () => drawLandscapes(14) }, () => {
  it('shows each picture smaller, in a frame', async () => {
    await signIn();
    const before = await boxOf(gallery.picture(1).getByRole('img'));
    await gallery.select(1);
    const after = await boxOf(gallery.picture(1).getByRole('img'));

    expect([before.width - after.width, before.height - after.height]).to.deep.equal([20, 20]);
    expect([after.x - before.x, after.y - before.y]).to.deep.equal([10, 10]);
    await checkView('selected-frame');
  });

  it('takes all pictures by one key, wherever the focus is', async () => {
    await signIn();
    await gallery.month('June 2026').hover();
    await gallery.page.getByRole('checkbox', { name: 'Select June 2026' }).click();
    await gallery.press('Control+a');
    await gallery.selection.getByText('14 selected').waitFor();

    await gallery.press('Control+a');
    await gallery.selection.getByText('14 selected').waitFor();
    gallery.watch.expectCalm('all pictures');
  });

  it('is shared from its bar where there is room, and from its menu on phones', async () => {
    await signIn();
    await gallery.select(0, SELECTED - 1);
    const share = gallery.selection.getByRole('button', { name: 'Share' });
    for (const width of [1280, 768, 640]) {
      await gallery.page.setViewportSize({ width, height: 800 });
      await share.waitFor();
    }
    await gallery.page.setViewportSize(PHONE.viewport);
    await share.waitFor({ state: 'hidden' });
    await gallery.selection.getByRole('button', { name: 'More' }).click();
    await gallery.button('Share').click();
    await gallery.page.getByRole('dialog', { name: 'Share 3 pictures as a page' }).waitFor();
  });

  it('has suggestions of tags that cover nothing else', async () => {
    for (const { id } of await catalog.list()) {
      await catalog.patch(id, { tags: [`place ${id}`, `tree ${id}`] });
    }
    await signIn();
    await gallery.select(0, SELECTED - 1);
    await gallery.selection.waitFor();
    await gallery.press('t');
    const title = gallery.tagDialog.getByRole('heading', { level: 2 });
    const present = gallery.tagDialog.getByRole('list', { name: 'Tags of these pictures' });
    const apply = gallery.tagDialog.getByRole('button', { name: 'Apply' });
    for (const size of [PHONE.viewport, { width: 1280, height: 800 }]) {
      await gallery.page.setViewportSize(size);
      for (const field of ['Add tags', 'Remove tags']) {
        // Its suggestions take room, which may move things behind an input only.
        await gallery.tagDialog.getByRole('combobox', { name: field }).click();
        const list = await boxOf(gallery.page.getByRole('listbox', { name: `${field}: suggestions` }));
        for (const other of [title, present, apply]) {
          const box = await boxOf(other);
          const isBeside = list.y + list.height <= box.y || box.y + box.height <= list.y;
          expect(isBeside, `${field} at ${size.width}: ${String(other)}`).to.equal(true);
        }
        expect(list.height).to.be.at.least(100);
      }
      await checkView('tags-of-many');
    }
  });

  it('is heard by title or time', async () => {
    await catalog.patch(14, { title: 'The lake' });
    await signIn();

    // Those around the view are drawn when those in view are there.
    const names = await eventually(
      () =>
        gallery.pictures
          .getByRole('option')
          .evaluateAll((options) => options.map((option) => option.getAttribute('aria-label'))),
      ({ length }) => length === 14,
    );
    expect(names).to.include('The lake').and.include('Picture of 1 Jun 2026, 12:00');
    expect(names.filter((name) => name?.endsWith('.jpg'))).to.deep.equal([]);
  });

  // The last: its pictures stay in the trash.
  it('has notices whose buttons stay together', async () => {
    await signIn();
    await gallery.select(0, SELECTED - 1);
    await gallery.page.setViewportSize({ width: 390, height: 800 });
    await gallery.page.evaluate("document.documentElement.style.fontSize = '26px'");
    // Its code has the keys.
    await gallery.selection.waitFor();
    await gallery.press('Delete');
    const close = gallery.page.getByRole('button', { name: 'Close', exact: true });
    // The notice sinks when the bar below it has gone.
    const [undoY, closeY] = await eventually(
      async () => [(await boxOf(gallery.undoButton)).y, (await boxOf(close)).y] as const,
      ([one, other]) => one === other,
    );

    expect(closeY).to.equal(undoY);
  });
});

const FEW = { env: { TRASH_DAYS: '30' }, pictures: () => drawLandscapes(2) };

describeVisits('pages without pictures', FEW, () => {
  it('have targets of 44 pixels for fingers', async () => {
    await signIn(PHONE);
    await gallery.button('Starred').tap();
    await gallery.page.getByRole('heading', { name: 'No picture has a star yet' }).waitFor();
    await expectTargets('filtered');
    await gallery.button('Show all pictures').tap();
    await gallery.picture(0).waitFor();
    await load('?view=tags');
    await gallery.page.getByRole('heading', { name: 'No tags yet' }).waitFor();
    await expectTargets('tags');
  });

  it('say what to do next', async () => {
    await signIn();
    await gallery.button('Starred').click();
    await gallery.page.getByText('Select pictures and press the star, or F.').waitFor();
    await checkView('no-stars');
    await gallery.button('Show all pictures').click();
    await gallery.expectPictures(2);

    for (const view of ['tags', 'trash']) {
      await load(`?view=${view}`);
      const back = gallery.page.getByRole('button', { name: 'Back to the pictures' });
      await back.nth(1).waitFor();
      await checkView(`empty-${view}`);
      await back.nth(1).click();
      await gallery.expectPictures(2);
    }

    await load('?q=nothing');
    await gallery.page.getByText('Take a filter away, or search other words.').waitFor();
    await checkView('no-matches');
  });

  async function expectTargets(view: string): Promise<void> {
    const small = await gallery.page.evaluate<string[]>(SMALL_TARGETS);
    expect(small, view).to.deep.equal([]);
  }
});

/** What can be pressed and is narrower or lower than 44 pixels, whatever is drawn of it. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, a, input, select, [role=checkbox]')]
  .filter((element) => element.checkVisibility() && !element.closest('[popover]:not(:popover-open)'))
  .map((element) => element.matches('input, select') ? element.closest('label') ?? element : element)
  .map((element) => ({ element, ...element.getBoundingClientRect().toJSON() }))
  .filter(({ width, height }) => width > 1 && (Math.round(width) < 44 || Math.round(height) < 44))
  .map(({ element, width, height }) => (element.textContent || element.ariaLabel || element.className) + ' ' + width + 'x' + height)`;

async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await element.waitFor();
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}
