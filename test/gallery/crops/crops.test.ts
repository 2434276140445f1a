import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { checkView } from '../support/check-view.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { catalog, describeVisits, gallery, load, servers, signIn } from '../support/visits.ts';

const WIDTH = 900;
const HEIGHT = 600;
const NAME = 'marked.png';
/** Of a white mark on black, in pixels. */
const MARK = { left: 100, top: 420, side: 60 };
/** The middle of the mark, at most a hundredth off. */
const FOCUS = { x: 0.14, y: 0.75 };

/** As the service has them for crops of this picture: the shapes that the gallery shows. */
const SHAPES = [
  ['1:1', 'width=320&height=320'],
  ['16:9', 'width=1920&height=1080'],
  ['4:5', 'width=384&height=480'],
] as const;

async function markedPicture(): Promise<Buffer> {
  const { left, top, side } = MARK;
  const mark = { create: { width: side, height: side, channels: 3 as const, background: '#ffffff' } };
  return await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#101010' } })
    .composite([{ input: mark, left, top }])
    .png()
    .toBuffer();
}

/** The edges of what is white, as parts of the sides. */
async function whiteIn(picture: Buffer): Promise<readonly number[]> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const white = [...data].flatMap((value, at) => (value > 128 ? [at] : []));
  const [xs, ys] = [white.map((at) => at % info.width), white.map((at) => Math.floor(at / info.width))];
  const span = (places: readonly number[], side: number): readonly number[] =>
    [Math.min(...places), Math.max(...places) + 1].map((place) => place / side);
  return [...span(xs, info.width), ...span(ys, info.height)];
}

const dialog = (): Locator => gallery.page.getByRole('dialog', { name: 'Focus of crops' });
const point = (): Locator => dialog().getByRole('slider', { name: 'From the left' });
const picture = (): Locator => dialog().getByRole('img', { name: 'Picture', exact: true });
const crop = (shape: string): Locator => dialog().getByRole('listitem').filter({ hasText: shape });

/** The policy of the page forbids `waitForFunction` to evaluate a second time. */
async function expectTrue(expression: string): Promise<void> {
  await expectSoon(() => gallery.page.evaluate<boolean>(expression), true, expression);
}

async function openDialog(): Promise<void> {
  await gallery.panel.getByRole('button', { name: 'Set the focus of crops' }).click();
  await point().waitFor({ state: 'attached' });
  // Not the placeholders any more.
  await expectTrue(
    "[...document.querySelectorAll('.form-dialog img')].every((one) => one.complete && /\\/d\\//.test(one.currentSrc))",
  );
}

async function clickAt(x: number, y: number): Promise<void> {
  const { width = 0, height = 0 } = (await picture().boundingBox()) ?? {};
  await picture().click({ position: { x: x * width, y: y * height }, force: true });
}

async function savedFocus(): Promise<unknown> {
  const response = await catalog.read('api/image/1/metadata');
  return ((await response.json()) as { focus: unknown }).focus;
}

async function save(): Promise<void> {
  // The panel shows it before the service has it.
  const answered = gallery.page.waitForResponse((response) => response.request().method() === 'PATCH');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await answered;
  await dialog().waitFor({ state: 'hidden' });
}

describeVisits('the focus of crops', {}, () => {
  before(async () => {
    await servers.upload([{ name: NAME, buffer: await markedPicture() }]);
  });

  beforeEach(async () => {
    await catalog.patch(1, { focus: null });
    await signIn();
    await gallery.picture(0).click();
    await gallery.page.getByRole('dialog').waitFor();
    await gallery.showPanel();
    await gallery.showForWebsites();
    await gallery.panel.getByText('The middle').waitFor();
  });

  it('is set by a click and moved by the arrow keys', async () => {
    await openDialog();
    await checkView('crops-middle');
    await clickAt(0.25, 0.75);
    await dialog().getByText('25% from the left, 75% from the top').waitFor();
    for (const key of ['ArrowRight', 'Shift+ArrowUp', 'ArrowUp', 'Shift+ArrowLeft']) await gallery.press(key);

    expect(await point().getAttribute('aria-valuetext')).to.equal('16% from the left, 64% from the top');
    await checkView('crops-set');
    await save();
    await gallery.panel.getByText('16% from the left, 64% from the top').waitFor();
    expect(await savedFocus()).to.deep.equal({ x: 0.16, y: 0.64 });
  });

  it('shows the crops as the service makes them, within a pixel', async () => {
    // White beside the crops would count.
    await gallery.page.emulateMedia({ colorScheme: 'dark' });
    await openDialog();
    await clickAt(FOCUS.x, FOCUS.y);
    const shown = [];
    for (const [shape] of SHAPES) shown.push(await crop(shape).locator('img').screenshot());
    await save();

    for (const [at, [shape, query]] of SHAPES.entries()) {
      const made = await catalog.file(1, `?${query}&fit=cover&format=png`);
      const inGallery = await whiteIn(shown[at] ?? Buffer.of());
      const byService = await whiteIn(Buffer.from(await made.arrayBuffer()));
      const { width, height } = await sharp(shown[at]).metadata();
      const pixels = [width, width, height, height];
      const off = inGallery.map(
        (part, edge) => Math.abs(part - (byService[edge] ?? 0)) * (pixels[edge] ?? 0),
      );
      expect(Math.max(...off), `${shape}: ${off.join(', ')}`).to.be.at.most(1);
    }
  });

  it('is cleared', async () => {
    await catalog.patch(1, { focus: FOCUS });
    await gallery.page.reload();
    await gallery.panel.getByText('14% from the left, 75% from the top').waitFor();
    await openDialog();
    await dialog().getByRole('button', { name: 'Use the middle' }).click();
    await save();

    await gallery.panel.getByText('The middle').waitFor();
    expect(await savedFocus()).to.equal(null);
  });

  it('stays as it was if the dialog is left, which leaves the picture open', async () => {
    await openDialog();
    await gallery.press('Shift+ArrowLeft');
    await gallery.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    await gallery.expectViewer(NAME);
    expect(await savedFocus()).to.equal(null);
  });

  it('counts for the square pictures of the tags', async () => {
    await catalog.patch(1, { focus: { x: 0, y: 0 }, tags: ['marks'] });
    await load('?view=tags');
    const card = gallery.page.locator('.tag-card-picture');
    await card.waitFor();

    await expectTrue(
      "getComputedStyle(document.querySelector('.tag-card-picture')).objectPosition === '0% 50%'",
    );
  });
});
