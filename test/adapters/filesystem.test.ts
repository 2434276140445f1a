import { spawnSync } from 'node:child_process';
import { existsSync, fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { expect } from 'chai';
import { FilesystemBlobStore } from '../../src/adapters/filesystem/filesystem-blob-store.ts';
import { FilesystemStagingArea } from '../../src/adapters/filesystem/filesystem-staging-area.ts';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { BlobStorage, StoreEntry } from '../../src/domain/ports/bytes/blob-store.ts';
import type { StagedFile, StagingArea } from '../../src/domain/ports/bytes/staging-area.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeAStagingArea } from '../contracts/staging-area.contract.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { interceptSyncs } from '../support/doubles/intercepted-syncs.ts';
import { takeWritesInPart } from '../support/doubles/partial-writes.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { concatenated, patternedBytes, streamBrokenAfter, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const KEY = 'ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e42';
const UUID = '00000000-0000-4000-8000-00000000abcd';
const NO_LIMITS = { maxBytes: 10_000_000, checkHead: (): void => {} };

interface Folders {
  readonly root: string;
  readonly stagingFolder: string;
  readonly tearDown: () => Promise<void>;
}

async function freshFolders(): Promise<Folders> {
  const { path, remove } = await temporaryFolder();
  const [root, stagingFolder] = [join(path, 'blobs'), join(path, 'staging')];
  await mkdir(root);
  await mkdir(stagingFolder);
  return { root, stagingFolder, tearDown: remove };
}

/** Number of open files of this process below `root`; works on Linux only. */
function openFilesBelow(root: string): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd));
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(root)).length;
}

const PROCESSES = new HostProcesses();

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

for (const [where, stagingIn] of [
  ['files', (folder: string) => new FilesystemStagingArea(folder, new SequentialUuids(), PROCESSES)],
  ['memory', () => new InMemoryStagingArea()],
] as const) {
  behavesLikeABlobStore(`FilesystemBlobStore fed from ${where}`, async () => {
    const { root, stagingFolder, tearDown } = await freshFolders();
    const staging = stagingIn(stagingFolder);
    return {
      blobs: new FilesystemBlobStore(root),
      stage: (bytes) => staging.receive(streamOf(bytes), NO_LIMITS),
      ...(existsSync('/proc/self/fd') && { countOpen: async () => openFilesBelow(root) }),
      tearDown,
    };
  });
}

behavesLikeAStagingArea('FilesystemStagingArea', async () => {
  const { stagingFolder, tearDown } = await freshFolders();
  return {
    staging: new FilesystemStagingArea(stagingFolder, new SequentialUuids(), PROCESSES),
    countFiles: async () => (await readdir(stagingFolder)).length,
    tearDown,
  };
});

let folders: Folders;
let blobs: BlobStorage;
let staging: StagingArea;
let blobPath: string;

function useFolders(): void {
  beforeEach(async () => {
    folders = await freshFolders();
    blobs = new FilesystemBlobStore(folders.root);
    staging = new FilesystemStagingArea(folders.stagingFolder, new SequentialUuids(), PROCESSES);
    blobPath = join(folders.root, 'ab', KEY);
  });

  afterEach(() => folders.tearDown());
}

async function staged(length = 1000): Promise<StagedFile> {
  return await staging.receive(streamOf(patternedBytes(length)), NO_LIMITS);
}

describe('FilesystemBlobStore', () => {
  useFolders();

  it('stores a blob as a file named by its key in a shard named by the first two pairs of digits', async () => {
    await blobs.put(KEY, await staged());

    expect(await filesBelow(folders.root)).to.deep.equal([blobPath]);
    expect(new Uint8Array(await readFile(blobPath))).to.deep.equal(patternedBytes(1000));
  });

  for (const size of [1000, 1_000_000]) {
    it(`returns the path of an opened blob of ${size} bytes`, async () => {
      await blobs.put(KEY, await staged(size));

      const blob = await blobs.open(KEY);
      await blob?.close();

      expect(blob?.localPath).to.equal(blobPath);
    });
  }

  it('moves the staged file instead of copying it', async () => {
    const file = await staged();
    const { ino } = await stat(file.localPath ?? '');

    await blobs.put(KEY, file);

    expect((await stat(blobPath)).ino).to.equal(ino);
    expect(await readdir(folders.stagingFolder)).to.deep.equal([]);
  });

  for (const [where, area] of [
    ['this file system', () => staging],
    ['elsewhere', () => new InMemoryStagingArea()],
  ] as const) {
    it(`allows only its own user to read a blob that comes from ${where}`, async () => {
      await blobs.put(KEY, await area().receive(streamOf(patternedBytes(10)), NO_LIMITS));

      expect((await stat(blobPath)).mode & 0o777).to.equal(0o600);
    });
  }
});

describe('FilesystemBlobStore as the store of a catalog', () => {
  useFolders();

  describe('the owner marker', () => {
    const OWNER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const noted = (): string => join(folders.root, '.catalog');
    let restore: (() => void) | undefined;

    afterEach(() => {
      restore?.();
    });

    it('is a readable, removable folder, without other files or folders', async () => {
      await blobs.claim(OWNER);
      await blobs.claim(UUID);

      expect(await readdir(noted())).to.deep.equal([OWNER]);
      expect((await readdir(folders.root)).filter((name) => name.startsWith('.catalog.'))).to.deep.equal([]);
      expect(await filesBelow(folders.root)).to.deep.equal([]);
    });

    it('is synced with its folder before the claim resolves', async () => {
      const synced = new Set<number>();
      restore = await interceptSyncs(({ fd }) => synced.add(fstatSync(fd).ino));

      await blobs.claim(OWNER);

      expect(synced).to.include((await stat(noted())).ino);
      expect(synced).to.include((await stat(folders.root)).ino);
    });

    it('is never partially visible: a crash leaves a draft, which is not reported as foreign', async () => {
      await mkdir(`${noted()}.${UUID}`);
      const entries = [];
      for await (const entry of blobs.list()) entries.push(entry);

      expect(entries).to.deep.equal([]);
      expect(await blobs.owner()).to.equal(undefined);
    });

    it('is read although a file manager has added files to it', async () => {
      await blobs.claim(OWNER);
      await writeFile(join(noted(), '.DS_Store'), '');

      expect(await blobs.owner()).to.equal(OWNER);
    });

    it('is restored in a copy of the folder that lost its content', async () => {
      await mkdir(noted());
      await blobs.claim(OWNER);

      expect(await blobs.owner()).to.equal(OWNER);
    });

    it('is undefined if two folders were merged', async () => {
      await blobs.claim(OWNER);
      await mkdir(join(noted(), UUID));

      expect(await blobs.owner())
        .to.include(OWNER)
        .and.to.include(UUID);
    });

    it('cannot be read if the folder is missing', async () => {
      await rm(folders.root, { recursive: true });

      for (const call of [blobs.owner(), blobs.claim(OWNER), blobs.release()]) {
        expect(await rejection(call)).to.be.instanceOf(StorageUnavailable);
      }
    });
  });

  it('lists a blob that a killed process has left unfinished, does not open it, and removes it', async () => {
    await mkdir(join(folders.root, 'ab'));
    await writeFile(`${blobPath}.part`, 'the first bytes');
    const listed: StoreEntry[] = [];
    for await (const entry of blobs.list()) listed.push(entry);

    expect(listed).to.have.length(1);
    expect(listed[0]).to.include({ kind: 'blob', key: KEY });
    expect(await blobs.open(KEY)).to.equal(undefined);
    await blobs.remove(KEY);
    expect(await filesBelow(folders.root)).to.deep.equal([]);
  });
});

describe('FilesystemBlobStore when writing', () => {
  useFolders();

  describe('put', () => {
    let restore: () => void;

    afterEach(() => {
      restore();
    });

    it('syncs the bytes before the blob becomes visible, its folder afterwards, and that with the new folder', async () => {
      const syncs: Array<{ readonly inode: number; readonly isShown: boolean }> = [];
      restore = await interceptSyncs(({ fd }) => {
        syncs.push({ inode: fstatSync(fd).ino, isShown: existsSync(blobPath) });
      });
      const file = await staged();
      const inode = await inodeOf(file.localPath ?? '');

      await blobs.put(KEY, file);

      expect(syncs.at(0)).to.deep.equal({ inode, isShown: false });
      expect(syncs).to.deep.include({ inode: await inodeOf(join(blobPath, '..')), isShown: true });
      expect(syncs.map((sync) => sync.inode)).to.include(await inodeOf(folders.root));
    });

    it('syncs the bytes of a file from another file system', async () => {
      const file = await new InMemoryStagingArea().receive(streamOf(patternedBytes(10)), NO_LIMITS);
      const syncs: Array<{ readonly inode: number; readonly isShown: boolean }> = [];
      restore = await interceptSyncs(({ fd }) => {
        syncs.push({ inode: fstatSync(fd).ino, isShown: existsSync(blobPath) });
      });

      await blobs.put(KEY, file);

      expect(syncs).to.deep.include({ inode: await inodeOf(blobPath), isShown: false });
    });

    for (const shard of ['a new', 'an existing']) {
      it(`leaves no file if the folder of ${shard} shard cannot be synced`, async () => {
        if (shard === 'an existing') await mkdir(join(blobPath, '..'), { recursive: true });
        const file = await staged();
        restore = await interceptSyncs(({ fd }) => {
          if (fstatSync(fd).isDirectory()) throw inputOutputError();
        });

        const error = await rejection(blobs.put(KEY, file));

        expect(error).to.be.instanceOf(StorageUnavailable);
        expect(await filesBelow(folders.root)).to.deep.equal([]);
      });
    }

    it('leaves no file if a file from another file system ends early', async () => {
      restore = (): void => {};
      const cut = new Error('cut');
      const file: StagedFile = {
        ...(await new InMemoryStagingArea().receive(streamOf(patternedBytes(10)), NO_LIMITS)),
        read: () => streamBrokenAfter(patternedBytes(5), cut),
      };

      await rejection(blobs.put(KEY, file));

      expect(await filesBelow(folders.root)).to.deep.equal([]);
    });
  });
});

describe('FilesystemBlobStore without its folders', () => {
  useFolders();

  describe('with a file in the place of a shard', () => {
    beforeEach(async () => {
      await writeFile(join(folders.root, 'ab'), 'in the way');
    });

    it('put rejects with StorageUnavailable and keeps that file', async () => {
      const error = await rejection(blobs.put(KEY, await staged()));

      expect(error).to.be.instanceOf(StorageUnavailable).with.property('cause').that.is.instanceOf(Error);
      expect(await filesBelow(folders.root)).to.deep.equal([join(folders.root, 'ab')]);
    });

    it('open rejects with StorageUnavailable', async () => {
      expect(await rejection(blobs.open(KEY))).to.be.instanceOf(StorageUnavailable);
    });
  });

  it('ping rejects with StorageUnavailable if the folder is missing', async () => {
    await rm(folders.root, { recursive: true });

    expect(await rejection(blobs.ping())).to.be.instanceOf(StorageUnavailable);
  });
});

describe('FilesystemStagingArea', () => {
  useFolders();

  it('keeps the bytes of a small file in memory, and not those of a large one', async () => {
    const small = await staging.receive(streamOf(patternedBytes(100_000)), NO_LIMITS);
    const large = await staging.receive(streamOf(patternedBytes(600_000)), NO_LIMITS);
    expect(small.buffered?.byteLength).to.equal(100_000);
    expect(large.buffered).to.equal(undefined);
  });

  for (const size of [100_000, 600_000]) {
    it(`uses no chunk of ${size} bytes any more that it has named as stored`, async () => {
      const bytes = patternedBytes(size);
      const chunks: Uint8Array[] = [];

      const file = await staging.receive(streamOf(bytes, 65_536), NO_LIMITS, (chunk) => {
        chunks.push(Uint8Array.from(chunk));
        chunk.fill(0);
      });

      expect(Buffer.compare(concatenated(chunks), bytes)).to.equal(0);
      expect(Buffer.compare(await readFile(file.localPath ?? ''), bytes)).to.equal(0);
      expect(Buffer.compare(file.buffered ?? bytes, bytes)).to.equal(0);
    });

    it(`writes all ${size} bytes if the system takes a write only in part`, async () => {
      const bytes = patternedBytes(size);
      const restore = takeWritesInPart(50_001);

      const { localPath } = await staging.receive(streamOf(bytes, 65_536), NO_LIMITS).finally(restore);

      expect(Buffer.compare(await readFile(localPath ?? ''), bytes)).to.equal(0);
    });
  }

  it('holds no file open that was received or refused', async () => {
    await staging.receive(streamOf(patternedBytes(600_000)), NO_LIMITS);
    await rejection(staging.receive(streamOf(patternedBytes(600_000)), { ...NO_LIMITS, maxBytes: 500_000 }));

    expect(openFilesBelow(folders.stagingFolder)).to.equal(0);
  });

  it('allows only its own user to read a staged file', async () => {
    const { localPath } = await staging.receive(streamOf(patternedBytes(10)), NO_LIMITS);

    expect((await stat(localPath ?? '')).mode & 0o777).to.equal(0o600);
  });

  const SOURCES: ReadonlyArray<readonly [string, () => AsyncIterable<Uint8Array>]> = [
    ['a generator', () => streamOf(patternedBytes(100_000), 1000)],
    ['a stalled Node.js stream', stalledStream],
  ];
  for (const [what, source] of SOURCES) {
    it(`rejects ${what} with StorageUnavailable if the folder is missing`, async () => {
      await rm(folders.stagingFolder, { recursive: true });

      const error = await rejection(staging.receive(source(), NO_LIMITS));

      expect(error).to.be.instanceOf(StorageUnavailable);
    });
  }

  it('leaves no file if the bytes cannot be synced', async () => {
    const restore = await interceptSyncs(() => {
      throw inputOutputError();
    });

    const error = await rejection(staging.receive(streamOf(patternedBytes(10)), NO_LIMITS)).finally(restore);

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(await readdir(folders.stagingFolder)).to.deep.equal([]);
  });

  it('does not sync bytes that need not survive a power cut', async () => {
    let syncs = 0;
    const restore = await interceptSyncs(() => {
      syncs += 1;
    });
    const volatile = new FilesystemStagingArea(
      folders.stagingFolder,
      new SequentialUuids(),
      PROCESSES,
      'volatile',
    );

    await volatile.receive(streamOf(patternedBytes(10)), NO_LIMITS).finally(restore);

    expect(syncs).to.equal(0);
  });
});

describe('FilesystemStagingArea after a crash', () => {
  useFolders();

  describe('findOrphans', () => {
    const LONG_AGO = new Date(0);

    async function leave(name: string): Promise<string> {
      await writeFile(join(folders.stagingFolder, name), 'left over');
      return name;
    }

    function nameOfProcess(pid: number, instance = '0badcafe'): string {
      return `${PROCESSES.self.replace(/-.*/, `-${pid}-${instance}`)}-${UUID}.part`;
    }

    async function found(unseenBefore: Date): Promise<readonly string[]> {
      return (await staging.findOrphans(unseenBefore)).names;
    }

    const LATER = new Date(Date.now() + 24 * 3_600_000);
    const own = (): string => `${PROCESSES.self}-${UUID}.part`;
    const ofOtherMachine = (): string => `${'0'.repeat(12)}${nameOfProcess(1).slice(12)}`;
    const ended = (): string => nameOfProcess(spawnSync(process.execPath, ['--version']).pid);
    const recycled = (): string => nameOfProcess(process.ppid);

    /** The name of the file, when it was last not seen, and whether it is found. */
    const FILES: ReadonlyArray<readonly [string, () => string, Date, boolean]> = [
      ['of a process that has ended', ended, LONG_AGO, true],
      ['of an earlier process with the same process id', () => nameOfProcess(process.pid), LONG_AGO, true],
      ['whose process id another process has got', recycled, LONG_AGO, false],
      ['whose process id another has got, not written to for long enough', recycled, LATER, true],
      ['of another machine, whose processes are not visible', ofOtherMachine, LONG_AGO, false],
      ['of another machine, not written to for long enough', ofOtherMachine, LATER, true],
      ['of its own, however old', own, LATER, false],
    ];
    for (const [what, nameOf, unseenBefore, isFound] of FILES) {
      it(`${isFound ? 'finds' : 'skips'} a file ${what}`, async () => {
        const name = await leave(nameOf());

        expect(await found(unseenBefore)).to.deep.equal(isFound ? [name] : []);
      });
    }

    it('skips the files of a process that is known to run, however old', async () => {
      const isRunning = (name: string): boolean => name === PROCESSES.self;
      const running = { self: 'self', isGone: () => false, isRunning };
      staging = new FilesystemStagingArea(folders.stagingFolder, new SequentialUuids(), running);
      await leave(own());

      expect(await found(LATER)).to.deep.equal([]);
    });

    for (const name of ['README', `${UUID}.part`, '.gitkeep', KEY]) {
      it(`reports a file named ${name} as foreign`, async () => {
        await leave(name);

        expect(await staging.findOrphans(LATER)).to.deep.equal({
          names: [],
          foreign: [join('staging', name)],
        });
      });
    }

    it('rejects with StorageUnavailable if the folder is missing', async () => {
      await rm(folders.stagingFolder, { recursive: true });

      expect(await rejection(staging.findOrphans(LONG_AGO))).to.be.instanceOf(StorageUnavailable);
    });
  });

  it('removes an orphaned staged file', async () => {
    await writeFile(join(folders.stagingFolder, 'left'), 'over');

    await staging.removeOrphan('left');

    expect(await readdir(folders.stagingFolder)).to.deep.equal([]);
  });
});

/** Sends a few bytes, then neither more nor an end. */
function stalledStream(): Readable {
  const stream = new PassThrough();
  stream.write(patternedBytes(100));
  return stream;
}

async function inodeOf(path: string): Promise<number> {
  return (await stat(path)).ino;
}

function inputOutputError(): Error {
  return Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
}
