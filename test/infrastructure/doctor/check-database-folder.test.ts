import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteLocation } from '../../../src/adapters/sql/sqlite/sqlite-location.ts';
import {
  checkDatabaseFolder,
  distantFileSystem,
} from '../../../src/infrastructure/doctor/check-database-folder.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/fixtures/temporary-folder.ts';

describe('checkDatabaseFolder', () => {
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
  });

  after(() => folder.remove());

  it('uses a database in the nearest folder that exists, and leaves nothing', async () => {
    const database = new SqliteLocation(join(folder.path, 'data/deep/catalog.sqlite'));
    const [first] = await checkDatabaseFolder(database);

    expect(first).to.deep.equal({
      level: 'ok',
      text: `DATABASE_URL: a database was made, written and removed in ${folder.path}`,
    });
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('says in words that no database can be made', async () => {
    // No file can be made there, not even by root.
    const [only, ...others] = await checkDatabaseFolder(new SqliteLocation('/proc/self/catalog.sqlite'));

    expect(others).to.deep.equal([]);
    expect(only).to.include({ level: 'problem' });
    expect(only?.text).to.match(
      /^DATABASE_URL: a database in \/proc\/self would fail: \/proc\/self cannot be/,
    );
  });

  it('knows the file systems of other machines and of programs', function () {
    if (process.platform !== 'linux') this.skip();
    const types = [0x6969, 0xff534d42, 0xff534d42 - 2 ** 32, 0x65735546, 0xef53, 0x01021994];

    expect(types.map(distantFileSystem)).to.deep.equal(['NFS', 'SMB', 'SMB', 'FUSE', undefined, undefined]);
  });
});
