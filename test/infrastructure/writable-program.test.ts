import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { writableProgramFolders } from '../../src/infrastructure/start/writable-program.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('writableProgramFolders', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('names dist and node_modules of a checkout', async () => {
    for (const name of ['dist', 'node_modules']) await mkdir(join(folder.path, name));

    expect(await writableProgramFolders(folder.path)).to.deep.equal([
      join(folder.path, 'dist'),
      join(folder.path, 'node_modules'),
    ]);
  });

  it('names the packages beside an installed one', async () => {
    const own = join(folder.path, 'node_modules', 'image-catalog-service');
    await mkdir(join(own, 'dist'), { recursive: true });

    expect(await writableProgramFolders(own)).to.deep.equal([
      join(own, 'dist'),
      join(folder.path, 'node_modules'),
    ]);
  });

  it('names none that this user can neither write to nor replace', async function () {
    if (process.getuid?.() === 0) skipAloud(this, 'root may write everywhere');
    for (const name of ['dist', 'node_modules']) await mkdir(join(folder.path, name), { mode: 0o555 });
    await chmod(folder.path, 0o555);

    expect(await writableProgramFolders(folder.path)).to.deep.equal([]);
    await chmod(folder.path, 0o755);
  });
});
