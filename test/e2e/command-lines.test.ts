import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';

let folder: ServiceFolder;

/** Below the folder of the catalog. */
async function namesIn(name: string): Promise<readonly string[]> {
  return await readdir(join(folder.path, name));
}

describe('what stands behind -- on a command line', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    const service = await folder.start();
    uploadedId(await folder.client(service).upload(new Uint8Array(tinyPng(1)), 'a.png'));
    await service.process.stop();
  });

  after(() => folder?.close());

  it('is a folder for backup, export and import', async () => {
    expect((await folder.run(['backup', '--', '--copy'])).code).to.equal(0);
    expect(await namesIn('--copy')).to.include('catalog.sqlite');
    expect((await folder.run(['export', '--direct', '--', '-out'])).code).to.equal(0);
    const names = await namesIn('-out');
    expect(names).not.to.deep.equal([]);
    await cp(join(folder.path, '-out'), join(folder.path, '--help'), { recursive: true });
    const { code, stdout } = await folder.run(['import', '--direct', '--dry-run', '--', '--help']);
    expect(code).to.equal(0);
    expect(stdout).not.to.contain('Usage:');
  });

  it('is a number or a URL for webhooks', async () => {
    for (const name of ['--format', '-1', '--help']) {
      const { code, stderr } = await folder.run(['webhooks', 'resume', '--', name]);
      expect(code).to.equal(64);
      expect(stderr).to.contain('There is no such endpoint');
    }
    const replay = ['webhooks', 'replay', '--after', 'latest', '--', '--after'];
    expect((await folder.run(replay)).stderr).to.contain('There is no such endpoint');
  });

  it('is a name for spaces', async () => {
    for (const name of ['--yes', '-x', '--']) {
      expect((await folder.run(['spaces', 'set', '--max-images', '3', '--', name])).code).to.equal(0);
    }
    const { stdout } = await folder.run(['spaces', '--format', 'json']);
    const names = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { space: string }).space);
    expect(names).to.deep.equal(['', '--', '--yes', '-x']);
    expect((await folder.run(['spaces', 'remove', '--', '-x', '--yes'])).code).to.equal(64);
    expect((await folder.run(['spaces', 'remove', '--yes', '--', '-x'])).code).to.equal(0);
    expect((await folder.run(['spaces', 'assign', '--', '--yes', '--max-images'])).code).to.equal(0);
  });

  it('is refused by commands that take neither', async () => {
    for (const call of [
      ['changes', '--', 'latest'],
      ['verify', '--', '--format'],
      ['migrate', '--', 'x'],
    ]) {
      expect((await folder.run(call)).code, call.join(' ')).to.equal(64);
    }
    expect((await folder.run(['changes', '--space', '-x'])).code).to.equal(64);
    expect((await folder.run(['changes', '--space=-x', '--'])).code).to.equal(0);
  });
});
