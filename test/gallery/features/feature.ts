import type { Browser } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { GalleryPage } from '../support/gallery-page.ts';
import type { GalleryServers } from '../support/gallery-servers.ts';
import { takeScreenshots } from '../support/screenshots.ts';

export type Running = () => { readonly browser: Browser; readonly servers: GalleryServers };

/** A person who has signed in and sees the pictures. */
export async function openSignedIn(running: Running): Promise<GalleryPage> {
  const { browser, servers } = running();
  const gallery = await GalleryPage.open(browser, servers.url);
  await gallery.signIn();
  await gallery.picture(0).getByRole('img').waitFor();
  return gallery;
}

/** Nothing has failed or jumped, axe finds nothing, and a picture of it is taken if they are asked for. */
export async function checkView(gallery: GalleryPage, view: string): Promise<void> {
  gallery.watch.expectCalm(view);
  await expectAccessible(gallery.page, view);
  await takeScreenshots(gallery.page, view);
  // Other sizes and colours move things.
  gallery.watch.forget();
}
