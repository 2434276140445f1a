import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { FilesystemTemporaryFiles } from '../../src/adapters/filesystem/filesystem-temporary-files.ts';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { TemporaryFile } from '../../src/domain/ports/bytes/temporary-files.ts';
import { collect, patternedBytes, streamBrokenAfter, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';

const BYTES = patternedBytes(1_000_003);

let folder: TemporaryFolder;
let files: FilesystemTemporaryFiles;
let file: TemporaryFile;

/** Files of the folder that this process has open. */
async function openDescriptors(): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder.path)).length;
}

async function descriptorsBecome(count: number): Promise<void> {
  await eventually(openDescriptors, (open) => open === count);
}

describe('FilesystemTemporaryFiles', () => {
  beforeEach(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = await temporaryFolder();
    files = new FilesystemTemporaryFiles(folder.path, new RandomUuids(), new HostProcesses());
    file = await files.write(streamOf(BYTES));
  });

  afterEach(() => folder.remove());

  it('gives the bytes to several readers, whole and in part, and has no name', async () => {
    const whole = file.open();
    const part = file.open({ start: 500_000, end: 999_999 });
    file.release();

    expect(await readdir(folder.path)).to.deep.equal([]);
    expect([file.size, whole.size, part.size]).to.deep.equal([BYTES.length, BYTES.length, BYTES.length]);
    expect(file.sha256).to.equal(createHash('sha256').update(BYTES).digest('hex'));
    const [all, some] = await Promise.all([collect(whole.read()), collect(part.read())]);
    expect(Buffer.compare(all, BYTES)).to.equal(0);
    expect(Buffer.compare(some, BYTES.subarray(500_000, 1_000_000))).to.equal(0);
    await descriptorsBecome(0);
  });

  it('can be opened until the end of the turn in which it is released', async () => {
    file.release();
    const opened = file.open();
    await settled();

    expect(Buffer.compare(await collect(opened.read()), BYTES)).to.equal(0);
    await descriptorsBecome(0);
    expect(() => file.open()).to.throw(TypeError);
  });

  it('is closed when its last reader leaves: unread, in the middle of a read, and twice', async () => {
    const [unread, left] = [file.open(), file.open()];
    file.release();
    await unread.close();
    await unread.close();
    expect(await openDescriptors()).to.equal(1);
    const stream = left.read() as Readable;
    await once(stream, 'readable');
    await left.close();
    await left.close();
    await descriptorsBecome(0);
  });

  it('leaves nothing if its source fails, or the folder is not there', async () => {
    const error = new Error('broken');
    expect(await rejection(files.write(streamBrokenAfter(BYTES, error)))).to.equal(error);
    file.release();
    await descriptorsBecome(0);
    await folder.remove();
    expect(await rejection(files.write(streamOf(BYTES)))).to.be.instanceOf(StorageUnavailable);
  });
});
