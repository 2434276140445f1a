import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FilesystemRenditionCache } from '../../src/adapters/filesystem/filesystem-rendition-cache.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { RenditionKey } from '../../src/domain/ports/bytes/rendition-cache.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { patternedBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const UUID = 'ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e42';
const NAME = '0a1b2c3d-320xauto-inside-q75.webp';
const KEY: RenditionKey = { uuid: UUID, name: NAME };
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const KIB = 1024;
const MINUTE = 60_000;

/** Takes 4 KiB on the disk, with its seal. */
const BLOCK = patternedBytes(4000);

behavesLikeARenditionCache('FilesystemRenditionCache', async () => {
  const { path, remove } = await temporaryFolder();
  return { cache: new FilesystemRenditionCache(path, GIB, new ManualClock()), tearDown: remove };
});

let folder: TemporaryFolder;
let clock: ManualClock;

function useFolder(): void {
  beforeEach(async () => {
    folder = await temporaryFolder();
    // The current time, because the file system gives new files that time.
    clock = new ManualClock(new Date());
  });

  afterEach(() => folder.remove());
}

function cacheOf(maxBytes: number): FilesystemRenditionCache {
  return new FilesystemRenditionCache(folder.path, maxBytes, clock);
}

function files(): readonly string[] {
  const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Disk usage of the folder, as `du` measures it. */
function bytesOnDisk(): number {
  const total = Number.parseInt(execFileSync('du', ['-sk', folder.path], { encoding: 'utf8' }), 10) * KIB;
  return total - statSync(folder.path).blocks * 512;
}

/** Waits, because other processes write while the folder is measured. */
async function eventuallyAtMost(bound: number): Promise<void> {
  expect(await eventually(bytesOnDiskIfStill, (bytes) => bytes <= bound)).to.be.at.most(bound);
}

/** Infinity if `du` fails, as it does if a file vanishes while it reads the folder. */
function bytesOnDiskIfStill(): number {
  try {
    return bytesOnDisk();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

describe('FilesystemRenditionCache', () => {
  useFolder();

  it('stores a rendition as a file that begins with its bytes, and that only its own user may read', async () => {
    await cacheOf(GIB).put(KEY, patternedBytes(1000));

    const path = join(folder.path, 'ab', `${UUID}.${NAME}`);
    expect(files()).to.deep.equal([path]);
    expect(new Uint8Array(await readFile(path)).subarray(0, 1000)).to.deep.equal(patternedBytes(1000));
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('writes a new file and renames it, so that opened files do not change', async () => {
    const cache = cacheOf(GIB);
    await cache.put(KEY, patternedBytes(10));
    const [path = ''] = files();
    const { ino } = await stat(path);

    await cache.put(KEY, patternedBytes(10));

    expect((await stat(path)).ino).not.to.equal(ino);
    expect(files()).to.have.length(1);
  });

  it('leaves no file if the rename fails', async () => {
    const cache = cacheOf(GIB);
    await cache.put({ uuid: UUID, name: 'folder.webp' }, patternedBytes(10));
    const [path = ''] = files();
    await rm(path);
    await cache.put({ uuid: UUID, name: 'other.webp' }, patternedBytes(10));
    await mkdir(path);

    const error = await rejection(cache.put({ uuid: UUID, name: 'folder.webp' }, patternedBytes(10)));

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(files().filter((file) => file.endsWith('.part'))).to.deep.equal([]);
  });

  describe('with a damaged file', () => {
    type Damage = readonly [string, (path: string, size: number) => Promise<unknown>];
    const DAMAGES: readonly Damage[] = [
      ['truncated by one byte', (path, size) => truncate(path, size - 1)],
      ['truncated to nothing', (path) => truncate(path, 0)],
      ['whose second half is zeros', (path, size) => fill(path, size / 2, size)],
      ['of zeros only', (path, size) => fill(path, 0, size)],
      ['of eight zeros', (path) => writeFile(path, new Uint8Array(8))],
      ['with an additional byte at its end', (path) => writeFile(path, '!', { flag: 'a' })],
      ['with one bit changed', (path, size) => changeByte(path, size / 2)],
      ['with one bit of its seal changed', (path, size) => changeByte(path, size - 1)],
    ];

    async function fill(path: string, from: number, to: number): Promise<void> {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0, Math.floor(from), to));
    }

    async function changeByte(path: string, position: number): Promise<void> {
      const bytes = await readFile(path);
      const place = Math.floor(position);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      await writeFile(path, bytes);
    }

    for (const size of [10 * KIB, MIB]) {
      for (const [what, damage] of DAMAGES) {
        it(`returns no rendition of ${size} bytes from a file ${what}, and removes the file`, async () => {
          const cache = cacheOf(GIB);
          await cache.put(KEY, patternedBytes(size));
          const [path = ''] = files();
          await damage(path, (await stat(path)).size);

          expect(await cache.open(KEY)).to.equal(undefined);
          expect(files()).to.deep.equal([]);
        });
      }

      it(`returns no rendition of ${size} bytes that was truncated after it was read`, async () => {
        const cache = cacheOf(GIB);
        await cache.put(KEY, patternedBytes(size));
        await (await cache.open(KEY))?.close();
        await truncate(files()[0] ?? '', size / 2);

        expect(await cache.open(KEY)).to.equal(undefined);
      });
    }
  });
});

describe('FilesystemRenditionCache with foreign files', () => {
  useFolder();

  it('removes the file of an unfinished write with the renditions of its image', async () => {
    const cache = cacheOf(GIB);
    await cache.put(KEY, patternedBytes(10));
    await writeFile(`${files()[0]}.0000.part`, patternedBytes(10));

    await cache.removeAllOf(UUID);

    expect(files()).to.deep.equal([]);
  });

  for (const name of ['', 'a/b', '.hidden', 'UPPER', 'a\n']) {
    it(`rejects the name ${JSON.stringify(name)} as a programming error`, async () => {
      const cache = cacheOf(GIB);

      expect(await rejection(cache.open({ uuid: UUID, name }))).to.be.instanceOf(TypeError);
      expect(await rejection(cache.put({ uuid: UUID, name }, patternedBytes(1)))).to.be.instanceOf(TypeError);
    });
  }

  describe('when its folder is removed while it runs', () => {
    it('returns no earlier rendition, and stores new ones', async () => {
      const cache = cacheOf(GIB);
      await cache.put(KEY, patternedBytes(10));
      await rm(folder.path, { recursive: true });

      expect(await cache.open(KEY)).to.equal(undefined);
      await cache.removeAllOf(UUID);
      await cache.put(KEY, patternedBytes(20));

      expect((await cache.open(KEY))?.size).to.equal(20);
    });

    it('evicts again', async () => {
      const cache = cacheOf(40 * KIB);
      for (const uuid of uuids(5)) await cache.put({ uuid, name: NAME }, BLOCK);
      await rm(folder.path, { recursive: true });

      for (const uuid of uuids(30)) await cache.put({ uuid, name: NAME }, BLOCK);

      expect(bytesOnDisk()).to.be.within(KIB, 40 * KIB);
    });
  });

  it('rejects with StorageUnavailable if a file is in the place of its folder', async () => {
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, 'in the way');
    const cache = cacheOf(GIB);

    const put = cache.put(KEY, patternedBytes(1));
    expect(await rejection(put)).to.be.instanceOf(StorageUnavailable);
    expect(await rejection(cache.open(KEY))).to.be.instanceOf(StorageUnavailable);
  });
});

/** Bytes of ten renditions and their folder. */
const BOUND = 44 * KIB;

describe('FilesystemRenditionCache with a size limit', () => {
  useFolder();

  describe('has a bound and', () => {
    it('never exceeds it after a rendition was put', async () => {
      const cache = cacheOf(BOUND);
      for (const uuid of uuids(40)) {
        await cache.put({ uuid, name: NAME }, BLOCK);
        clock.advance(MINUTE);
        expect(bytesOnDisk()).to.be.at.most(BOUND);
      }
    });

    it('never exceeds it after renditions were put at the same time', async () => {
      const cache = cacheOf(BOUND);

      await Promise.all(uuids(40).map((uuid) => cache.put({ uuid, name: NAME }, BLOCK)));

      expect(bytesOnDisk()).to.be.within(KIB, BOUND);
    });

    it('keeps everything that fits', async () => {
      const cache = cacheOf(BOUND);
      for (const uuid of uuids(10)) await cache.put({ uuid, name: NAME }, BLOCK);

      expect(files()).to.have.length(10);
    });

    for (const [bound, size] of [
      [0, 10],
      [BOUND, BOUND + 1],
    ] as const) {
      it(`does not keep a rendition of ${size} bytes if it is ${bound}`, async () => {
        await cacheOf(bound).put(KEY, patternedBytes(size));

        expect(files()).to.deep.equal([]);
      });
    }

    it('evicts the least recently used rendition', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(11);
      for (const uuid of all) {
        await cache.put({ uuid, name: NAME }, BLOCK);
        clock.advance(MINUTE);
      }

      const left = await kept(cache, all);
      expect(left).to.have.length.within(8, 10);
      expect(left).to.deep.equal(all.slice(-left.length));
    });

    it('counts opening as a use', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(11);
      const [first = UUID] = all;
      for (const uuid of all) {
        await cache.open({ uuid: first, name: NAME });
        await cache.put({ uuid, name: NAME }, BLOCK);
        clock.advance(MINUTE);
      }

      const left = await kept(cache, all);
      expect(left).to.have.length.within(8, 10);
      expect(left).to.deep.equal([first, ...all.slice(1 - left.length)]);
    });

    it('records a use at most once per interval', async () => {
      const cache = cacheOf(BOUND);
      const start = clock.now();
      await cache.put(KEY, patternedBytes(10));
      const [path = ''] = files();

      clock.advance(60_000 - 1);
      await cache.open(KEY);
      expect((await stat(path)).mtime).to.deep.equal(start);

      clock.advance(1);
      await cache.open(KEY);
      expect((await stat(path)).mtime).to.deep.equal(clock.now());
    });
  });
});

describe('FilesystemRenditionCache with a size limit', () => {
  useFolder();

  describe('has a bound and', () => {
    it('counts renditions from before its start', async () => {
      for (const uuid of uuids(30)) await cacheOf(GIB).put({ uuid, name: NAME }, BLOCK);

      await cacheOf(BOUND).put(KEY, BLOCK);

      await eventuallyAtMost(BOUND);
    });

    it('tells its space on the disk, once it has been measured', async () => {
      const cache = cacheOf(MIB);
      expect(cache.bytes).to.equal(undefined);
      await cache.put(KEY, BLOCK);

      await eventually(
        () => cache.bytes,
        (bytes) => bytes !== undefined,
      );
      expect(cache.bytes).to.be.within(BLOCK.length, MIB);
    });

    it('counts renditions that other processes write', async () => {
      const [cache, other] = [cacheOf(BOUND), cacheOf(BOUND)];
      for (const uuid of uuids(20)) {
        await cache.put({ uuid, name: 'one' }, BLOCK);
        await other.put({ uuid, name: 'two' }, BLOCK);
        clock.advance(MINUTE);
      }

      await eventuallyAtMost(BOUND);
    });

    it('evicts the half-written files of a killed process', async () => {
      const cache = cacheOf(BOUND);
      await cache.put(KEY, patternedBytes(10));
      const [path = ''] = files();
      const halfWritten = `${path}.0000.part`;
      await writeFile(halfWritten, patternedBytes(36 * KIB));
      clock.advance(2 * MINUTE);
      for (const uuid of uuids(3)) await cache.put({ uuid, name: NAME }, BLOCK);

      expect(files()).not.to.include(halfWritten);
    });

    it('removes a folder with its last rendition', async () => {
      const cache = cacheOf(BOUND);
      for (const name of ['one', 'two', 'three']) await cache.put({ uuid: UUID, name }, BLOCK);
      clock.advance(MINUTE);
      await cache.put({ uuid: parseBlobKey(UUID.replace('ab', 'cd')), name: NAME }, patternedBytes(28 * KIB));

      expect(await readdir(folder.path)).to.deep.equal(['cd']);
    });

    it('counts blocks and folders, so that tiny renditions stay below it on the disk', async () => {
      const bound = 400 * KIB;
      const cache = cacheOf(bound);
      for (let count = 0; count < 140; count += 1) {
        await cache.put({ uuid: randomUUID(), name: NAME }, patternedBytes(190));
        if (count % 20 === 0) expect(bytesOnDisk()).to.be.at.most(bound);
      }

      expect(bytesOnDisk()).to.be.within(bound / 2, bound);
    });

    it('does not wait for space that foreign files take', async () => {
      const cache = cacheOf(KIB);
      await mkdir(join(folder.path, 'ab'));
      await writeFile(join(folder.path, 'ab', 'notes.txt'), BLOCK);

      await cache.put(KEY, BLOCK);

      expect(files()).to.deep.equal([join(folder.path, 'ab', 'notes.txt')]);
    });

    it('evicts while images are deleted', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(200);
      await Promise.all(
        all.map(async (uuid) => {
          await cache.put({ uuid, name: NAME }, BLOCK);
          await cache.removeAllOf(uuid);
        }),
      );

      expect(files()).to.deep.equal([]);
    });
  });
});

function uuids(count: number): readonly BlobKey[] {
  const generator = new SequentialUuids();
  return Array.from({ length: count }, () => generator.next());
}

async function kept(cache: FilesystemRenditionCache, all: readonly BlobKey[]): Promise<readonly BlobKey[]> {
  const found = await Promise.all(all.map((uuid) => cache.open({ uuid, name: NAME })));
  return all.filter((_, index) => found[index] !== undefined);
}
