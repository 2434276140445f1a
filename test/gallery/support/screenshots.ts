import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Without it no pictures are taken. */
const FOLDER = process.env.GALLERY_SCREENSHOTS;
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
];

/** At which forced colours and large text are looked at. */
const SOME_WIDTHS = [390, 1280];
const LARGE_TEXT = '32px';

/**
 * Takes `<view>-<width>-<look>.png` for every size in dark and light, and for some in forced colours and with text of twice
 * its size. Goes back to the size from before.
 */
export async function takeScreenshots(page: Page, view: string): Promise<void> {
  if (FOLDER === undefined || FOLDER === '') return;
  await mkdir(FOLDER, { recursive: true });
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await take(page, `${view}-${size.width}-${colorScheme}`);
    }
    if (!SOME_WIDTHS.includes(size.width)) continue;
    await page.emulateMedia({ forcedColors: 'active' });
    await take(page, `${view}-${size.width}-forced`);
    await page.emulateMedia({ forcedColors: null });
    await setTextSize(page, LARGE_TEXT);
    await take(page, `${view}-${size.width}-large`);
    await setTextSize(page, '');
  }
  if (before !== null) await page.setViewportSize(before);
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(PICTURES_ARE_THERE);
  await page.screenshot({ path: join(FOLDER ?? '', `${name}.png`), animations: 'disabled' });
}

async function setTextSize(page: Page, size: string): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
}

/** Shows what a failed test has seen. */
export async function takeFailure(page: Page, title: string): Promise<void> {
  if (FOLDER === undefined || FOLDER === '') return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `failed-${title.replaceAll(/\W+/g, '-')}.png`) });
}

/** Two frames for what depends on the size, then the pictures that are in view. */
const PICTURES_ARE_THERE = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const inView = ({ top, bottom }) => bottom > 0 && top < innerHeight;
  const pictures = [...document.images].filter((image) => inView(image.getBoundingClientRect()));
  await Promise.allSettled(pictures.map((image) => image.decode()));
})()`;
