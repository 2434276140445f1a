import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';

const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');

describe('the program in an old version of Node.js', () => {
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
  });

  after(() => folder.remove());

  async function runIn(version: string): Promise<readonly [code: number | null, stderr: string]> {
    const preload = join(folder.path, `${version}.cjs`);
    await writeFile(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
    );
    const program = NodeProcess.start(['--require', preload, PROGRAM, '--version'], { cwd: folder.path });
    const { code } = await program.exited;
    return [code, program.stderr];
  }

  it('ends with 78 and one sentence', async () => {
    const sentence =
      /^image-catalog needs Node\.js 20\.19 or later, and this is v[^:]*: install a later one from .*\n$/;
    for (const version of ['12.22.12', '18.20.8', '20.18.3']) {
      const [code, stderr] = await runIn(version);
      expect([version, code]).to.deep.equal([version, 78]);
      expect(stderr).to.match(sentence);
    }
  });

  it('runs in the oldest version that the package names, and in later ones', async () => {
    const { engines } = JSON.parse(await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
      readonly engines: { readonly node: string };
    };

    for (const version of [`${engines.node.slice('>='.length)}.0`, '22.0.0']) {
      expect(await runIn(version)).to.deep.equal([0, '']);
    }
  });
});
