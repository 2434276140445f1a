import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';
import { GalleryPage } from './gallery-page.ts';
import { chelsea } from './gallery-pictures.ts';
import { GalleryServers } from './gallery-servers.ts';
import { drawLandscapes } from './landscapes.ts';

/** `npm run screenshots`: writes the pictures of the README, from the built gallery in Chromium. */

const FOLDER = new URL('../../../docs/images/', import.meta.url);
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const LANDSCAPES = 60;
/** Newer than the landscapes, so it is the first picture. */
const CAT_TAKEN_AT = '2026-06-15T12:00:00Z';
const MAX_BYTES = 300_000;

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox'],
  timeout: HANG_GUARD_MS,
});
const servers = await GalleryServers.start();
try {
  await fill(servers);
  const gallery = await GalleryPage.open(browser, servers.url, { deviceScaleFactor: 2 });
  await gallery.signIn();
  await gallery.picture(0).getByRole('img').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) await takePicture(gallery, colorScheme);
} finally {
  await browser.close();
  await servers.stop();
}

async function fill(servers: GalleryServers): Promise<void> {
  await servers.upload([await chelsea(), ...(await drawLandscapes(LANDSCAPES))]);
  const catalog = await servers.client();
  await catalog.patch(1, { takenAt: CAT_TAKEN_AT });
}

async function takePicture(gallery: GalleryPage, colorScheme: 'light' | 'dark'): Promise<void> {
  await gallery.page.emulateMedia({ colorScheme });
  await gallery.expectPicturesLoaded();
  const png = await gallery.page.screenshot({ animations: 'disabled' });
  const webp = await sharp(png).webp({ quality: 82, effort: 6 }).toBuffer();
  if (webp.length > MAX_BYTES) throw new Error(`The ${colorScheme} picture has ${webp.length} bytes`);
  const path = fileURLToPath(new URL(`gallery-${colorScheme}.webp`, FOLDER));
  await writeFile(path, webp);
  console.log(`${path}: ${webp.length} bytes`);
}
