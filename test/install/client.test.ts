import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { installedPackage } from '../support/fixtures/installed-package.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const CLIENT = join(PROJECT_FOLDER, 'client');
const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');

const PROGRAM = `
  import { ImageCatalog, openFile } from '@image-catalog/client';
  const [url, token, path] = process.argv.slice(1);
  const images = new ImageCatalog({ url, getToken: () => token });
  await images.upload(await openFile(path));
  for await (const { originalName } of images.list()) console.log(originalName);
`;

(existsSync(join(CLIENT, 'package.json')) ? describe : describe.skip)(
  'The tarball of the client',
  function () {
    this.timeout(LONG_TEST_MS);

    it('is imported from an empty folder, and talks to the service', async () => {
      const installed = await installedPackage(CLIENT);
      const folder = await ServiceFolder.open();
      const { url } = await folder.start();

      const args = ['--input-type=module', '--eval', PROGRAM, url, folder.token, CAT];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: installed.path });
      await folder.close();
      await installed.remove();

      expect(stdout).to.equal('cat-chelsea.png\n');
    });
  },
);
