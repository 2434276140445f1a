import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from '../../client/src/node.ts';
import { describeInChromium, sharedChromium } from '../gallery/support/in-chromium.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { DemoWithPage } from './support/demo-with-page.ts';
import { DESKTOP, expireToken, newPage } from './support/example-page.ts';

/** The page of docs/frameworks.md, with the addresses of this demo. */
async function documentedPage({ catalogUrl, issuer }: DemoWithPage): Promise<string> {
  const text = await readFile(join(PROJECT_FOLDER, 'docs/frameworks.md'), 'utf8');
  const page = /^```html\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
  return page.replace('http://127.0.0.1:3000/', catalogUrl).replace('http://127.0.0.1:3001/', issuer);
}

describeInChromium('the page of docs/frameworks.md', () => {
  let demo: DemoWithPage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let vite: NodeProcess;

  before(async () => {
    demo = await DemoWithPage.start();
    folder = await temporaryFolder();
    await symlink(join(PROJECT_FOLDER, 'node_modules'), join(folder.path, 'node_modules'));
    await writeFile(join(folder.path, 'index.html'), await documentedPage(demo));
    // The cache of prepared packages must not be shared with other runs.
    const config = `export default { cacheDir: 'cache', server: { fs: { strict: false } } };`;
    await writeFile(join(folder.path, 'vite.config.mjs'), config);
    const args = ['--host', '127.0.0.1', '--port', demo.pagePort, '--strictPort'];
    const program = join(PROJECT_FOLDER, 'node_modules/vite/bin/vite.js');
    vite = NodeProcess.start([program, ...args], { cwd: folder.path, env: { NO_COLOR: '1' } });
    await vite.line((line) => (line.includes('Local:') ? line : undefined));
  });

  after(async () => {
    await vite?.stop();
    await demo?.stop();
    await folder?.remove();
  });

  it('has at most ten lines, signs in at the provider of the demo, also after the token has expired, and shows a picture', async () => {
    await demo.images().upload(await openFile(join(PROJECT_FOLDER, 'demo/cat-chelsea.png')));
    const page = await newPage(await sharedChromium(), DESKTOP);

    await page.goto(`${demo.pageOrigin}/`);
    await page.getByRole('button', { name: 'Sign in as Demo' }).click();

    const picture = page.locator('img');
    await picture.waitFor();
    const size = await picture.evaluate(async (image: { decode(): Promise<void>; naturalWidth: number }) => {
      await image.decode();
      return image.naturalWidth;
    });
    expect(size).to.equal(451);
    await expireToken(page);
    await page.goto(`${demo.pageOrigin}/`);
    // The provider remembers the person, and redirects at once.
    await page.waitForURL(/[?&]state=/);
    await picture.waitFor();
    expect((await documentedPage(demo)).trim().split('\n')).to.have.length.of.at.most(10);
    await page.context().close();
  });
});
