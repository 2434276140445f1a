import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openFile } from '../../client/src/node.ts';
import { expectSoon } from '../gallery/support/expect-soon.ts';
import { describeInChromium, sharedChromium } from '../gallery/support/in-chromium.ts';
import { takeScreenshots } from '../gallery/support/screenshots.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type Environment, type NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { DemoWithPage } from './support/demo-with-page.ts';
import { buildExample, type Example, isInstalled, serveExample } from './support/example.ts';
import { DESKTOP, expireToken, newPage, PHONE, publish, shownIn, signIn } from './support/example-page.ts';

interface TestedExample extends Example {
  /** The width in pixels for a picture that is 320 CSS pixels wide. */
  readonly desktopWidth: number;
  /** The person signs in in the page, which calls the API itself. */
  readonly isSignedInPage?: boolean;
}

const EXAMPLES: readonly TestedExample[] = [
  {
    folder: 'vite-react',
    build: ['node_modules/vite/bin/vite.js', 'build'],
    serve: (port) => [
      'node_modules/vite/bin/vite.js',
      'preview',
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--strictPort',
    ],
    desktopWidth: 320,
    isSignedInPage: true,
  },
  {
    folder: 'next',
    build: ['node_modules/next/dist/bin/next', 'build'],
    serve: (port) => ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', port],
    // Next.js asks for widths of its own list.
    desktopWidth: 384,
  },
  {
    folder: 'nuxt',
    nodeVersion: '22',
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    serve: () => ['.output/server/index.mjs'],
    desktopWidth: 320,
  },
];

for (const example of EXAMPLES) {
  describeInChromium(`docs/examples/${example.folder}`, () => {
    let demo: DemoWithPage;
    let server: NodeProcess;
    let browser: Browser;
    let page: Page;

    before(async function () {
      const { folder } = example;
      if (!isInstalled(example)) {
        skipAloud(this, `it is not installed (npm ci --prefix docs/examples/${folder})`);
      }
      demo = await DemoWithPage.start();
      await buildExample(example, environmentOf(demo));
      server = await serveExample(example, demo.pagePort, environmentOf(demo));
      browser = await sharedChromium();
      const api = demo.images();
      const cat = await api.upload(await openFile(join(PROJECT_FOLDER, 'demo/cat-chelsea.png')));
      await api.edit(cat.id, { alt: 'The head of a cat' });
      await api.setName('cat', cat.id, { public: true });
    });

    beforeEach(async () => {
      page = await open(DESKTOP);
    });

    afterEach(() => page?.context().close());

    after(async () => {
      await server?.stop();
      await demo?.stop();
    });

    async function open(device: typeof DESKTOP): Promise<Page> {
      const opened = await newPage(browser, device);
      await visit(opened);
      return opened;
    }

    async function visit(opened: Page): Promise<void> {
      await opened.goto(`${demo.pageOrigin}/`, { waitUntil: 'domcontentloaded' });
      if (example.isSignedInPage === true) await signIn(opened);
    }

    it('publishes a picture, shows it at the widths of the devices, and shows the one that replaces it', async () => {
      const api = demo.images();
      await publish(page, 'front-page', await noisyPng(1600, 1200));
      await page.getByAltText('A picture').waitFor();
      const name = await api.getName('front-page');
      await api.edit(name.id, { alt: 'A cat on a sofa' });
      const path = `/p/${name.number}/front-page`;

      const { desktopWidth: width } = example;
      const [desktop, phone] = [await open(DESKTOP), await open(PHONE)];
      expect(await shownIn(desktop.getByAltText('A cat on a sofa'))).to.deep.equal({
        path,
        width,
        height: width * 0.75,
      });
      expect(await shownIn(phone.getByAltText('A cat on a sofa'))).to.deep.equal({
        path,
        width: 1080,
        height: 810,
      });

      await publish(page, 'front-page', await noisyPng(1200, 1600));
      await page.getByAltText('A picture').waitFor();

      // Without the cache of the page before, which keeps a picture for up to a minute.
      const later = await open(DESKTOP);
      expect(await shownIn(later.getByAltText('A picture'))).to.deep.equal({
        path,
        width,
        height: Math.round(width / 0.75),
      });
      await takeScreenshots(later, example.folder);
      for (const one of [desktop, phone, later]) await one.context().close();
    });

    it('shows a placeholder until a picture is there', async () => {
      const waiting = await newPage(browser, DESKTOP);
      await waiting.route('**/p/**', () => undefined); // No response until the page is closed.

      await visit(waiting);

      const image = waiting.getByAltText('The head of a cat');
      await expectSoon(
        () => image.evaluate((shown: { outerHTML: string }) => shown.outerHTML.includes('data:image/')),
        true,
      );
      await waiting.context().close();
    });

    if (example.isSignedInPage === true) signedInCases(() => ({ page, demo }));

    it('says what is wrong with a file that is not a picture', async () => {
      await publish(page, 'text', Buffer.from('This is no picture.'));

      await page.getByText('is not').first().waitFor();
      if (example.isSignedInPage === true) {
        expect(await page.getByLabel('Name').inputValue()).to.equal('text');
      }
      expect((await collectAll(demo.images().listNames())).map(({ name }) => name)).to.not.include('text');
    });
  });
}

/** @param current the signed-in page of the test and its demo */
function signedInCases(current: () => { readonly page: Page; readonly demo: DemoWithPage }): void {
  it('leaves out a picture that is deleted while the names are listed', async () => {
    const { page, demo } = current();
    await publish(page, 'kept', await noisyPng(40, 30));
    await page.getByAltText('A picture').first().waitFor();
    const gone = await demo.images().getName('cat');
    await page.route(`**/api/image/${gone.id}`, (route) =>
      route.fulfill({ status: 404, json: { code: 'image_not_found', message: 'No image has this id' } }),
    );

    await publish(page, 'kept', await noisyPng(30, 40));

    await page.getByText('Published.').waitFor();
    await expectSoon(() => page.getByAltText('The head of a cat').count(), 0);
    expect(await page.getByAltText('A picture').count()).to.be.at.least(1);
  });

  it('asks a person to sign in again whose token has expired', async () => {
    const { page } = current();
    await page.getByAltText('The head of a cat').waitFor();
    await expireToken(page);

    await page.reload();

    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
}

/** What the examples would otherwise take from their defaults. */
function environmentOf({ catalogUrl, issuer }: DemoWithPage): Environment {
  return {
    CATALOG_URL: catalogUrl,
    TOKEN_URL: `${issuer}oauth/token`,
    VITE_CATALOG_URL: catalogUrl,
    VITE_ISSUER: issuer,
  };
}
