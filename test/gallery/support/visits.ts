import type { BrowserContextOptions } from 'playwright-core';
import { ImageCatalog } from '../../../client/src/node.ts';
import { DEMO_CLIENT } from '../../../demo/demo-client.ts';
import { type CatalogClient, requestToken } from '../../support/http/catalog-client.ts';
import { GalleryPage } from './gallery-page.ts';
import type { PickedFile } from './gallery-pictures.ts';
import { GalleryServers, type GalleryServersOptions, type Scope } from './gallery-servers.ts';
import { describeInChromium, sharedChromium } from './in-chromium.ts';
import { sessionOfPerson } from './session-of-person.ts';

/** Of the tests that run: there is one of each at a time. */
export let servers: GalleryServers;
/** As the last one who came sees it. */
export let gallery: GalleryPage;
/** Another person, who uses the same catalog with a program: the client of the gallery. */
export let other: ImageCatalog;
/** The same by plain requests. */
export let catalog: CatalogClient;

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

export interface PersonOptions extends BrowserContextOptions {
  /** What they may do; everything by default. */
  readonly scopes?: readonly Scope[];
}

/**
 * Scenarios that share a catalog. What a test has opened is closed after it.
 *
 * @param options none if each test calls `startServers`
 */
export function describeVisits(title: string, options: VisitOptions | undefined, define: () => void): void {
  describeInChromium(title, () => {
    before(async () => {
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
  catalog = await servers.client();
  const getToken = (): Promise<string> => requestToken(servers.provider.issuer, DEMO_CLIENT);
  other = new ImageCatalog({ url: servers.apiUrl, getToken });
  if (pictures !== undefined) await servers.upload(await pictures());
}

async function stopServers(): Promise<void> {
  if (isRunning) await servers.stop();
  isRunning = false;
}

/** A person who is not signed in, before they load the gallery. */
export async function begin(options: BrowserContextOptions = {}): Promise<GalleryPage> {
  gallery = await GalleryPage.blank(await sharedChromium(), servers.url, options);
  opened.push(gallery);
  return gallery;
}

/**
 * The same, and loads it.
 *
 * @param path below the address of the gallery
 */
export async function open(options: BrowserContextOptions = {}, path = ''): Promise<GalleryPage> {
  await begin(options);
  await load(path);
  return gallery;
}

/** A person who is signed in, before they load the gallery. */
export async function arrive({ scopes, ...options }: PersonOptions = {}): Promise<GalleryPage> {
  await begin(options);
  await gallery.giveSession(await sessionOfPerson(servers, scopes));
  return gallery;
}

/** Opens the gallery as a person who is signed in, until the first pictures are shown. */
export async function signIn(options?: PersonOptions): Promise<GalleryPage> {
  const page = await arrive(options);
  await load();
  await page.picture(0).getByRole('img').or(page.emptyCatalog).first().waitFor();
  return page;
}

/** @param path below the address of the gallery */
export async function load(path = ''): Promise<void> {
  await gallery.page.goto(servers.url + path);
}

/** Closes what is open. */
export async function leave(): Promise<void> {
  const pages = opened;
  opened = [];
  for (const page of pages) await page.close();
}
