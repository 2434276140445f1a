import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { uploadSeveral } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const SERVICE = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');

describe('the commands on a terminal', () => {
  let folder: ServiceFolder;

  before(async function () {
    if (spawnSync('script', ['--version']).status !== 0) skipAloud(this, 'script is not installed');
    folder = await ServiceFolder.open();
    const service = await folder.start();
    await uploadSeveral(folder, service, 2);
    await service.process.stop();
  });

  after(() => folder?.close());

  /** What a person sees. */
  function onTerminal(...args: readonly string[]): string {
    const command = [process.execPath, SERVICE, ...args].map((part) => `'${part}'`).join(' ');
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: `sqlite:${databaseFile(folder.path)}`,
      BLOB_STORE_URL: `file:${blobFolder(folder.path)}`,
      SWEEP_GRACE_SECONDS: '0',
    };
    return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: folder.path, env, encoding: 'utf8' })
      .stdout;
  }

  it('verify ends with a sentence', () => {
    expect(onTerminal('verify')).to.include('2 records checked: all of them have their bytes.');
  });

  it('backup ends with a sentence', () => {
    const copy = join(folder.path, 'copy');

    expect(onTerminal('backup', copy)).to.include(`2 images copied to ${copy}.`);
  });

  it('sweep ends with a sentence', () => {
    expect(onTerminal('sweep', '--dry-run')).to.include('Would remove 0 staged files, 0 blobs,');
  });
});

describe('image-catalog --version', () => {
  it('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
      version: string;
    };

    expect(spawnSync(process.execPath, [SERVICE, '--version'], { encoding: 'utf8' }).stdout).to.equal(
      `${version}\n`,
    );
  });
});

describe('--help', () => {
  const help = (...args: readonly string[]) =>
    spawnSync(process.execPath, [SERVICE, ...args], { encoding: 'utf8' });

  it('lists every command', () => {
    const { stdout, status } = help('--help');

    expect(help('help').stdout).to.equal(stdout);
    for (const name of ['serve', 'doctor', 'migrate', 'verify', 'sweep', 'backup DIR', 'transfer']) {
      expect(stdout).to.include(`\n  ${name} `);
    }
    expect(status).to.equal(0);
    expect(help('verify', '--help').stdout).to.match(/^Usage: image-catalog verify \[options\]/);
  });
});
