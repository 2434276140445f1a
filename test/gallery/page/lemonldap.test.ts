import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { lastingPort } from '../../support/servers/lasting-port.ts';
import { LemonLdap } from '../../support/servers/lemonldap.ts';
import { ServiceFolder } from '../../support/servers/service-folder.ts';
import type { Environment, RunningService } from '../../support/servers/service-process.ts';
import { describeIf } from '../../support/skipped/skip-aloud.ts';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeInChromium, sharedChromium } from '../support/in-chromium.ts';

const { audience, galleryClientId, person, worker } = LemonLdap;

let folder: ServiceFolder;
let provider: LemonLdap;
let service: RunningService;
let settings: Environment;
let galleryUrl: string;

describeIf(LemonLdap.isInstalled(), 'lemonldap-ng is not installed')('LemonLDAP::NG as the provider', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    galleryUrl = `http://127.0.0.1:${await lastingPort()}/`;
    provider = await LemonLdap.start(galleryUrl);
    settings = await initialize();
    service = await folder.start(settings);
  });

  after(async () => {
    await folder?.close();
    await provider?.stop();
  });

  it('has settings from init with which doctor finds no problem', async () => {
    const { code, stdout } = await folder.run(['doctor'], settings);

    expect(code, stdout).to.equal(0);
  });

  it('lets a program upload with client credentials', async () => {
    const [picture] = await makePictures(1);
    const pictures = join(folder.path, 'pictures');
    await mkdir(pictures);
    await writeFile(join(pictures, 'worker.jpg'), picture?.buffer ?? '');
    const { code, stderr } = await folder.run(['import', pictures], {
      CATALOG_URL: service.url,
      CATALOG_ISSUER: provider.issuer,
      CATALOG_CLIENT_ID: worker.clientId,
      CATALOG_CLIENT_SECRET: worker.clientSecret,
      CATALOG_SCOPE: worker.scope,
    });

    expect(code, stderr + provider.log).to.equal(0);
  });

  describeInChromium('the gallery', () => {
    it('signs in with PKCE, shows the picture of the program, and uploads one', async () => {
      const gallery = await GalleryPage.open(await sharedChromium(), galleryUrl);
      const { page } = gallery;

      await gallery.signInButton.click();
      await page.getByPlaceholder('Login').fill(person);
      await page.getByPlaceholder('Password').fill(person);
      // What moved was on the page of the provider.
      gallery.watch.forget();
      await page.getByRole('button', { name: 'Connect' }).click();
      await gallery.accountButton.waitFor();
      await gallery.expectPictures(1);
      await gallery.picture(0).getByRole('img').waitFor();
      await gallery.expectPicturesLoaded();

      await gallery.upload(await makePictures(1, 1));
      await gallery.expectUploads('1 uploaded');
      await gallery.expectPictures(2);
      await gallery.picture(1).getByRole('img').waitFor();
      await gallery.expectPicturesLoaded();
      gallery.watch.expectCalm('the gallery with another provider');
      await gallery.close();
    });
  });
});

/** What `init` writes, with the addresses of this test. */
async function initialize(): Promise<Environment> {
  const own = join(folder.path, 'settings');
  await mkdir(own);
  const known = ['--issuer', provider.issuer, '--audience', audience, '--client', galleryClientId];
  const { code, stderr } = await folder.run(['init', '--yes', ...known], {}, own);
  expect(code, stderr).to.equal(0);
  const written = parseEnv(await readFile(join(own, '.env'), 'utf8'));
  return { ...written, WEB_HOST: '127.0.0.1', WEB_PORT: new URL(galleryUrl).port };
}
