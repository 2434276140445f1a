import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { addCompiledSqlite, installedPackage } from '../support/fixtures/installed-package.ts';
import type { TemporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { CatalogClient } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { NodeProcess, PROJECT_FOLDER, whenListening } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');

describe('The tarball of npm pack, installed in an empty folder', function () {
  this.timeout(LONG_TEST_MS);

  let installed: TemporaryFolder;

  before(async () => {
    installed = await installedPackage(PROJECT_FOLDER);
    await addCompiledSqlite(installed.path);
  });

  after(() => installed?.remove());

  it('has the command image-catalog', async () => {
    const { stdout } = await promisify(execFile)('npx', ['--no', '--', 'image-catalog', '--help'], {
      cwd: installed.path,
    });

    expect(stdout).to.match(/^Usage: image-catalog \[command\]/m);
  });

  it('starts and stores an upload', async () => {
    const folder = await ServiceFolder.open();
    const command = join(installed.path, 'node_modules/.bin/image-catalog');
    const env = { ...folder.env, HOST: '127.0.0.1', PORT: '0' };
    const service = await whenListening(NodeProcess.start([command], { cwd: folder.path, env }));

    const response = await new CatalogClient(service.url, folder.token).upload(
      new Uint8Array(await readFile(CAT)),
      'cat.png',
    );
    const { code } = await service.process.stop();
    await folder.close();

    expect([response.status, code]).to.deep.equal([201, 0]);
  });

  it('serves the gallery', async () => {
    const folder = await ServiceFolder.open();
    const command = join(installed.path, 'node_modules/.bin/image-catalog');
    const env = { ...folder.env, HOST: '127.0.0.1', PORT: '0', WEB_HOST: '127.0.0.1', WEB_PORT: '0' };
    const { process: service } = await whenListening(NodeProcess.start([command], { cwd: folder.path, env }));

    const port = await service.line((line) => /"port":(\d+),"msg":"web listening"/.exec(line)?.[1]);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    const script = /assets\/gallery-[\w-]+\.js/.exec(await page.text())?.[0];
    const { status } = await fetch(`http://127.0.0.1:${port}/${script}`);
    await service.stop();
    await folder.close();

    expect([page.status, status]).to.deep.equal([200, 200]);
  });
});
