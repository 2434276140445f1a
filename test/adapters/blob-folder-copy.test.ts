import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { BlobFolderCopy } from '../../src/adapters/filesystem/blob-folder-copy.ts';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import type { BlobKey } from '../../src/domain/image/blob-key.ts';
import { breakDisks } from '../support/doubles/broken-disks.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const KEY = '3f8d6083-c6cc-46c6-b98a-35729e86b32d' as BlobKey;
const BYTES = Buffer.from('the bytes of a picture');
const IMAGE = {
  uuid: KEY,
  size: BYTES.length,
  sha256: createHash('sha256').update(BYTES).digest('hex'),
};

describe('BlobFolderCopy', () => {
  let folder: TemporaryFolder;
  let source: string;
  let target: string;
  let copy: BlobFolderCopy;
  let restore: () => void;

  beforeEach(async () => {
    folder = await temporaryFolder();
    const [from, to] = [join(folder.path, 'from'), join(folder.path, 'to')];
    [source, target] = [shardedPath(from, KEY), shardedPath(to, KEY)];
    copy = new BlobFolderCopy(from, to);
    await mkdir(dirname(source), { recursive: true });
    await writeFile(source, BYTES);
    restore = (): void => {};
  });

  afterEach(async () => {
    restore();
    await folder.remove();
  });

  it('links a blob, and reads it', async () => {
    expect(await copy.add(KEY)).to.equal(true);
    expect(await copy.isIntact(IMAGE)).to.equal(true);
    expect((await stat(target)).ino).to.equal((await stat(source)).ino);
  });

  it('copies a blob to another disk', async () => {
    restore = breakDisks({ unreadable: new Set(), areApart: true });

    expect(await copy.add(KEY)).to.equal(true);
    expect(await copy.isIntact(IMAGE)).to.equal(true);
    expect(await readFile(target)).to.deep.equal(BYTES);
  });

  it('leaves nothing on the other disk of a blob that cannot be read to its end', async () => {
    restore = breakDisks({ unreadable: new Set([source]), areApart: true });

    expect(await copy.add(KEY)).to.equal(false);
    expect(existsSync(target)).to.equal(false);
  });

  it('fails if the other disk cannot be written to', async () => {
    restore = breakDisks({ unreadable: new Set(), unwritable: new Set([target]), areApart: true });

    expect(await rejection(copy.add(KEY))).to.include({ code: 'EIO' });
  });

  it('says that a linked blob is damaged if it cannot be read', async () => {
    await copy.add(KEY);
    restore = breakDisks({ unreadable: new Set([target]), areApart: false });

    expect(await copy.isIntact(IMAGE)).to.equal(false);
  });

  it('says that a copy is damaged if its source cannot be read either', async () => {
    restore = breakDisks({ unreadable: new Set(), areApart: true });
    await copy.add(KEY);
    restore();
    restore = breakDisks({ unreadable: new Set([source, target]), areApart: true });

    expect(await copy.isIntact(IMAGE)).to.equal(false);
  });

  it('fails if the other disk cannot be read', async () => {
    restore = breakDisks({ unreadable: new Set([target]), areApart: true });
    await copy.add(KEY);

    expect(await rejection(copy.isIntact(IMAGE))).to.include({ code: 'EIO' });
  });
});
