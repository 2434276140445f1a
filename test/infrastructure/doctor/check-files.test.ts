import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseStorageConfig, type StorageConfig } from '../../../src/infrastructure/config/config.ts';
import { checkFiles } from '../../../src/infrastructure/doctor/check-files.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';

let folder: TemporaryFolder;

function config(env: Readonly<Record<string, string>> = {}): StorageConfig {
  return parseStorageConfig({
    BLOB_STORE_URL: `file:${folder.path}/data/blobs`,
    RENDITION_CACHE_URL: `file:${folder.path}/data/renditions`,
    ...env,
  });
}

async function levelsOf(
  changes: Partial<Parameters<typeof checkFiles>[1]> = {},
  storage = config(),
): Promise<readonly string[]> {
  const surroundings = { workingFolder: folder.path, isProduction: false, programFolders: [], ...changes };
  return (await checkFiles(storage, surroundings)).map(({ level, text }) => `${level} ${text}`);
}

describe('checkFiles', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('hints at a .env that a decoder could put into the working folder', async () => {
    const [first = '', ...others] = await levelsOf();

    expect(others).to.deep.equal([]);
    expect(first).to.match(/^hint The service reads \.env in .*rename a picture to \.env/);
  });

  it('hints at it too if only uploads in progress are on the same file system', async () => {
    const bucket = { BLOB_STORE_URL: 's3://my-bucket', RENDITION_CACHE_URL: 's3://my-bucket/renditions' };

    expect(
      await levelsOf({}, config({ ...bucket, STAGING_URL: `file:${folder.path}/staging` })),
    ).to.have.length(1);
  });

  it('finds nothing if the pictures are on another file system', async function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs /proc');

    expect(await levelsOf({ workingFolder: '/proc/self' })).to.deep.equal([]);
  });

  it('finds nothing if the process cannot write to the working folder', async function () {
    if (process.getuid?.() === 0) skipAloud(this, 'root may write everywhere');
    const closed = join(folder.path, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o555);

    expect(await levelsOf({ workingFolder: closed })).to.deep.equal([]);
  });

  it('hints at a program that the service could change', async () => {
    const [, second = ''] = await levelsOf({ programFolders: ['/srv/app/dist', '/srv/app/node_modules'] });

    expect(second).to.match(/^hint .* its program in \/srv\/app\/dist and \/srv\/app\/node_modules\./);
  });

  it('warns of both where NODE_ENV is production', async () => {
    const levels = await levelsOf({ programFolders: ['/srv/app/dist'], isProduction: true });

    expect(levels.map((line) => line.split(' ')[0])).to.deep.equal(['warning', 'warning']);
  });
});
