import type { Browser, BrowserContextOptions } from 'playwright-core';
import { ImageCatalog } from '../../../client/src/node.ts';
import { DEMO_CLIENT } from '../../../demo/demo-client.ts';
import { requestToken } from '../../support/http/catalog-client.ts';
import { GalleryPage } from './gallery-page.ts';
import type { PickedFile } from './gallery-pictures.ts';
import { GalleryServers, type GalleryServersOptions } from './gallery-servers.ts';
import { describeInChromium } from './in-chromium.ts';

/** Of the tests that run: there is one of each at a time. */
let browser: Browser;
export let servers: GalleryServers;
/** As the last one who came sees it. */
export let gallery: GalleryPage;

let isRunning = false;
let opened: GalleryPage[] = [];

/** What visitors find. */
export interface CatalogOptions extends GalleryServersOptions {
  /** Uploaded in this order. */
  readonly pictures?: () => Promise<ReadonlyArray<Pick<PickedFile, 'name' | 'buffer'>>>;
}

export interface VisitOptions extends CatalogOptions {
  /** Whether each test goes on where the one before it ended. */
  readonly isOneVisit?: boolean;
}

/**
 * Scenarios that share a catalog. What a test has opened is closed after it.
 *
 * @param options none if each test calls `startServers`
 */
export function describeVisits(title: string, options: VisitOptions | undefined, define: () => void): void {
  describeInChromium(title, (running) => {
    before(async () => {
      browser = running();
      if (options !== undefined) await startServers(options);
    });
    after(async () => {
      await leave();
      await stopServers();
    });
    afterEach(async () => {
      if (options?.isOneVisit !== true) await leave();
      if (options === undefined) await stopServers();
    });
    define();
  });
}

export async function startServers({ pictures, ...options }: CatalogOptions = {}): Promise<void> {
  servers = await GalleryServers.start(options);
  isRunning = true;
  if (pictures !== undefined) await servers.upload(await pictures());
}

async function stopServers(): Promise<void> {
  if (isRunning) await servers.stop();
  isRunning = false;
}

/** @param path below the address of the gallery */
export async function open(options: BrowserContextOptions = {}, path = ''): Promise<GalleryPage> {
  gallery = await GalleryPage.open(browser, servers.url + path, options);
  opened.push(gallery);
  return gallery;
}

/** Opens the gallery and signs in, until the first pictures are shown. */
export async function signIn(options?: BrowserContextOptions): Promise<GalleryPage> {
  const page = await open(options);
  await page.signIn();
  await page.picture(0).getByRole('img').or(page.emptyCatalog).first().waitFor();
  return page;
}

/** Closes what is open. */
export async function leave(): Promise<void> {
  const pages = opened;
  opened = [];
  for (const page of pages) await page.close();
}

/** Who uses the same catalog with a program. */
export function anotherPerson(): ImageCatalog {
  const getToken = (): Promise<string> => requestToken(servers.provider.issuer, DEMO_CLIENT);
  return new ImageCatalog({ url: servers.apiUrl, getToken });
}
