import { symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { FileStoreLocation } from '../../src/adapters/filesystem/file-store-location.ts';
import { SqliteLocation } from '../../src/adapters/sql/sqlite/sqlite-location.ts';
import { isSamePlace } from '../../src/infrastructure/commands/transfer/is-same-place.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

describe('isSamePlace', () => {
  let folder: TemporaryFolder;
  let path: string;

  before(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, 'file');
    await writeFile(path, '');
    await symlink(folder.path, join(folder.path, 'link'));
  });

  after(async () => {
    await folder.remove();
  });

  const spellings: ReadonlyArray<readonly [what: string, spell: () => string]> = [
    ['its own path', () => path],
    ['a path through a link', () => join(folder.path, 'link/file')],
    ['a relative path', () => relative('', path)],
    ['a path with a dot', () => `${folder.path}/./file`],
  ];
  for (const [what, spell] of spellings) {
    it(`recognizes a file by ${what}`, async () => {
      expect(await isSamePlace(new SqliteLocation(path), new SqliteLocation(spell()))).to.equal(true);
    });
  }

  it('recognizes a folder by a path with a trailing slash', async () => {
    const slashed = new FileStoreLocation(`${folder.path}/`);

    expect(await isSamePlace(new FileStoreLocation(folder.path), slashed)).to.equal(true);
  });

  it('returns false for two different paths that do not exist yet', async () => {
    const pathOf = (name: string): FileStoreLocation => new FileStoreLocation(join(folder.path, name));

    expect(await isSamePlace(pathOf('one'), pathOf('other'))).to.equal(false);
  });
});
