import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CatalogClient } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  NodeProcess,
  PROJECT_FOLDER,
  temporaryFolder,
  whenListening,
} from '../support/servers/service-process.ts';

const run = promisify(execFile);
const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');
const NPM_ENVIRONMENT = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };

/** The path of the tarball. */
async function pack(folder: string): Promise<string> {
  // Without scripts, because `npm run test:install` has built.
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', args, { cwd: PROJECT_FOLDER, env: NPM_ENVIRONMENT });
  const [tarball] = await readdir(folder);
  return join(folder, tarball ?? '');
}

/**
 * Without scripts: compiling sqlite3 takes a minute, and the installation of the project has compiled the same package. No other
 * package needs a script.
 */
async function install(tarball: string, folder: string): Promise<void> {
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', tarball], {
    cwd: folder,
    env: NPM_ENVIRONMENT,
  });
  const compiled = 'node_modules/sqlite3/build/Release';
  await cp(join(PROJECT_FOLDER, compiled), join(folder, compiled), { recursive: true });
}

describe('The tarball of npm pack, installed in an empty folder', function () {
  this.timeout(5 * 60_000);

  let installed: string;
  let packed: string;
  let remove: () => Promise<void>;

  before(async () => {
    const temporary = await temporaryFolder();
    remove = temporary.remove;
    packed = join(temporary.path, 'packed');
    installed = join(temporary.path, 'installed');
    await mkdir(packed);
    await mkdir(installed);
    await install(await pack(packed), installed);
  });

  after(async () => {
    await remove?.();
  });

  it('contains what runs and its documentation, and no sources or tests', async () => {
    const entries = await readdir(join(installed, 'node_modules/image-catalog-service'));

    expect(entries).to.have.members([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'deploy',
      'dist',
      'docs',
      'package.json',
    ]);
  });

  it('has the command image-catalog', async () => {
    const { stdout } = await run('npx', ['--no', '--', 'image-catalog', '--help'], { cwd: installed });

    expect(stdout).to.match(/^Usage: image-catalog \[command\]/m);
  });

  it('starts and stores an upload', async () => {
    const folder = await ServiceFolder.open();
    const command = join(installed, 'node_modules/.bin/image-catalog');
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
});
