import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

describe('npm run release -- --with-repository', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('fails with one sentence, and makes nothing, if nothing names the repository', async () => {
    const args = ['run', '--silent', 'release', '--', '--with-repository', '--out', join(folder.path, 'out')];
    const env = { ...process.env, RELEASE_REPOSITORY: '', GITHUB_REPOSITORY: '' };

    const failure: unknown = await promisify(execFile)('npm', args, { cwd: PROJECT_FOLDER, env }).catch(
      (error: unknown) => error,
    );

    expect(failure).to.include({ code: 1, stdout: '' });
    expect((failure as { readonly stderr: string }).stderr).to.match(
      /^[^\n.]+ RELEASE_REPOSITORY [^\n]+\.\n$/,
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
  });
});
