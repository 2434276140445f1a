import { readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  FilesystemRenditionCache,
  USE_GRANULARITY_MS,
} from '../../src/adapters/filesystem/filesystem-rendition-cache.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { patternedBytes } from '../support/bytes.ts';
import { settled } from '../support/gate.ts';
import { InMemoryRenditionCache } from '../support/in-memory-rendition-cache.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { rejection } from '../support/rejection.ts';
import { SequentialUuids } from '../support/sequential-uuids.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const UUID = 'ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e42';
const NAME = '0a1b2c3d-320xauto-inside-q75.webp';
const GIB = 1024 ** 3;
const KIB = 1024;
const MINUTE = 60_000;

behavesLikeARenditionCache('InMemoryRenditionCache', async () => ({
  cache: new InMemoryRenditionCache(),
  tearDown: async () => {},
}));

behavesLikeARenditionCache('FilesystemRenditionCache', async () => {
  const { path, remove } = await temporaryFolder();
  return { cache: new FilesystemRenditionCache(path, GIB, new ManualClock()), tearDown: remove };
});

describe('FilesystemRenditionCache', () => {
  let folder: TemporaryFolder;
  let clock: ManualClock;

  beforeEach(async () => {
    folder = await temporaryFolder();
    // The time of now, because that is what the system gives files at first.
    clock = new ManualClock(new Date());
  });

  afterEach(async () => {
    await folder.remove();
  });

  function cacheOf(maxBytes: number): FilesystemRenditionCache {
    return new FilesystemRenditionCache(folder.path, maxBytes, clock);
  }

  function files(): readonly string[] {
    const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  function bytesKept(): number {
    return files().reduce((sum, path) => sum + statSync(path).size, 0);
  }

  /** The folder is measured beside the writers, and whoever looks may see it change: then it looks again. */
  async function eventuallyAtMost(bound: number): Promise<void> {
    for (let turn = 0; turn < 5000 && !(bytesKeptIfStill() <= bound); turn += 1) await settled();
    expect(bytesKept()).to.be.at.most(bound);
  }

  function bytesKeptIfStill(): number {
    try {
      return bytesKept();
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  it('keeps a rendition as a file in a folder of its image', async () => {
    await cacheOf(GIB).put({ uuid: UUID, name: NAME }, patternedBytes(1000));

    const path = join(folder.path, 'ab', UUID, NAME);
    expect(files()).to.deep.equal([path]);
    expect(new Uint8Array(await readFile(path))).to.deep.equal(patternedBytes(1000));
  });

  it('lets nobody but its own user read a rendition', async () => {
    await cacheOf(GIB).put({ uuid: UUID, name: NAME }, patternedBytes(10));

    const [path = ''] = files();
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('shows what another process has put', async () => {
    await cacheOf(GIB).put({ uuid: UUID, name: NAME }, patternedBytes(10));

    expect((await cacheOf(GIB).open({ uuid: UUID, name: NAME }))?.size).to.equal(10);
  });

  it('writes beside and renames: what others have opened stays as it is', async () => {
    const cache = cacheOf(GIB);
    await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));
    const [path = ''] = files();
    const { ino } = await stat(path);

    await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));

    expect((await stat(path)).ino).not.to.equal(ino);
    expect(files()).to.have.length(1);
  });

  it('leaves no file behind when the rename fails', async () => {
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

  it('does not take what a power cut has left without its bytes for a rendition', async () => {
    const key = { uuid: UUID, name: NAME };
    await cacheOf(GIB).put(key, patternedBytes(10));
    const [path = ''] = files();
    await writeFile(path, '');

    expect(await cacheOf(GIB).open(key)).to.equal(undefined);
  });

  it('removes the folder of an image with its renditions', async () => {
    const cache = cacheOf(GIB);
    await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));

    await cache.removeAllOf(UUID);

    expect(await readdir(join(folder.path, 'ab'))).to.deep.equal([]);
  });

  for (const name of [
    '',
    '.',
    '..',
    '../escape',
    'a/b',
    'a\\b',
    '.hidden',
    'UPPER',
    'a b',
    'ä',
    'a\n',
    'a\0',
  ]) {
    it(`refuses ${JSON.stringify(name)} as a name: it is a mistake of ours`, async () => {
      const cache = cacheOf(GIB);

      expect(await rejection(cache.open({ uuid: UUID, name }))).to.be.instanceOf(TypeError);
      expect(await rejection(cache.put({ uuid: UUID, name }, patternedBytes(1)))).to.be.instanceOf(TypeError);
    });
  }

  for (const uuid of ['', '..', '../../etc', UUID.toUpperCase(), `${UUID}\n`]) {
    it(`refuses ${JSON.stringify(uuid)} as the id of an image: it is a mistake of ours`, async () => {
      const cache = cacheOf(GIB);

      expect(await rejection(cache.open({ uuid, name: NAME }))).to.be.instanceOf(TypeError);
      expect(await rejection(cache.removeAllOf(uuid))).to.be.instanceOf(TypeError);
    });
  }

  describe('when its folder is removed under its feet', () => {
    it('knows nothing any more, and works again', async () => {
      const cache = cacheOf(GIB);
      await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));
      await rm(folder.path, { recursive: true });

      expect(await cache.open({ uuid: UUID, name: NAME })).to.equal(undefined);
      await cache.removeAllOf(UUID);
      await cache.put({ uuid: UUID, name: NAME }, patternedBytes(20));

      expect((await cache.open({ uuid: UUID, name: NAME }))?.size).to.equal(20);
    });

    it('makes room again', async () => {
      const cache = cacheOf(10 * KIB);
      for (const uuid of uuids(5)) await cache.put({ uuid, name: NAME }, patternedBytes(KIB));
      await rm(folder.path, { recursive: true });

      for (const uuid of uuids(30)) await cache.put({ uuid, name: NAME }, patternedBytes(KIB));

      expect(bytesKept()).to.be.within(KIB, 10 * KIB);
    });
  });

  it('says that the storage is unavailable when something else is in the place of its folder', async () => {
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, 'in the way');
    const cache = cacheOf(GIB);

    const put = cache.put({ uuid: UUID, name: NAME }, patternedBytes(1));
    expect(await rejection(put)).to.be.instanceOf(StorageUnavailable);
    expect(await rejection(cache.open({ uuid: UUID, name: NAME }))).to.be.instanceOf(StorageUnavailable);
  });

  describe('has a bound, and', () => {
    const BOUND = 10 * KIB;

    it('never keeps more once a rendition was put', async () => {
      const cache = cacheOf(BOUND);
      for (const uuid of uuids(40)) {
        await cache.put({ uuid, name: NAME }, patternedBytes(KIB));
        clock.advance(MINUTE);
        expect(bytesKept()).to.be.at.most(BOUND);
      }
    });

    it('never keeps more once renditions were put at the same time', async () => {
      const cache = cacheOf(BOUND);

      await Promise.all(uuids(40).map((uuid) => cache.put({ uuid, name: NAME }, patternedBytes(KIB))));

      expect(bytesKept()).to.be.within(KIB, BOUND);
    });

    it('keeps everything that fits', async () => {
      const cache = cacheOf(BOUND);
      for (const uuid of uuids(10)) await cache.put({ uuid, name: NAME }, patternedBytes(KIB));

      expect(bytesKept()).to.equal(BOUND);
    });

    it('keeps nothing with a bound of zero', async () => {
      await cacheOf(0).put({ uuid: UUID, name: NAME }, patternedBytes(10));

      expect(files()).to.deep.equal([]);
    });

    it('does not keep a rendition larger than all of it', async () => {
      await cacheOf(BOUND).put({ uuid: UUID, name: NAME }, patternedBytes(BOUND + 1));

      expect(files()).to.deep.equal([]);
    });

    it('lets go what was used least recently', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(11);
      for (const uuid of all) {
        await cache.put({ uuid, name: NAME }, patternedBytes(KIB));
        clock.advance(MINUTE);
      }

      expect(await kept(cache, all)).to.deep.equal(all.slice(2));
    });

    it('takes an opening for a use', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(11);
      const [first = ''] = all;
      for (const uuid of all) {
        await cache.open({ uuid: first, name: NAME });
        await cache.put({ uuid, name: NAME }, patternedBytes(KIB));
        clock.advance(MINUTE);
      }

      expect(await kept(cache, all)).to.deep.equal([first, ...all.slice(3)]);
    });

    it('notes a use at most once in a while', async () => {
      const cache = cacheOf(BOUND);
      const start = clock.now();
      await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));
      const [path = ''] = files();

      clock.advance(USE_GRANULARITY_MS - 1);
      await cache.open({ uuid: UUID, name: NAME });
      expect((await stat(path)).mtime).to.deep.equal(start);

      clock.advance(1);
      await cache.open({ uuid: UUID, name: NAME });
      expect((await stat(path)).mtime).to.deep.equal(clock.now());
    });

    it('counts what was there before it was started', async () => {
      for (const uuid of uuids(30)) await cacheOf(GIB).put({ uuid, name: NAME }, patternedBytes(KIB));

      await cacheOf(BOUND).put({ uuid: UUID, name: NAME }, patternedBytes(KIB));

      await eventuallyAtMost(BOUND);
    });

    it('counts what other processes write', async () => {
      const [cache, other] = [cacheOf(BOUND), cacheOf(BOUND)];
      for (const uuid of uuids(20)) {
        await cache.put({ uuid, name: 'one' }, patternedBytes(KIB));
        await other.put({ uuid, name: 'two' }, patternedBytes(KIB));
        clock.advance(MINUTE);
      }

      await eventuallyAtMost(BOUND);
    });

    it('lets go what a process that was killed has left half-written', async () => {
      const cache = cacheOf(BOUND);
      await cache.put({ uuid: UUID, name: NAME }, patternedBytes(10));
      const [path = ''] = files();
      const leftover = `${path}.0000.part`;
      await writeFile(leftover, patternedBytes(8 * KIB));
      clock.advance(2 * MINUTE);
      for (const uuid of uuids(3)) await cache.put({ uuid, name: NAME }, patternedBytes(KIB));

      expect(files()).not.to.include(leftover);
    });

    it('removes the folder of an image with its last rendition', async () => {
      const cache = cacheOf(BOUND);
      await cache.put({ uuid: UUID, name: NAME }, patternedBytes(KIB));
      clock.advance(MINUTE);
      await cache.put({ uuid: UUID.replace('42', '43'), name: NAME }, patternedBytes(10 * KIB));

      expect(await readdir(join(folder.path, 'ab'))).not.to.include(UUID);
    });

    it('goes on making room while images are deleted', async () => {
      const cache = cacheOf(BOUND);
      const all = uuids(200);
      await Promise.all(
        all.map(async (uuid) => {
          await cache.put({ uuid, name: NAME }, patternedBytes(KIB));
          await cache.removeAllOf(uuid);
        }),
      );

      expect(files()).to.deep.equal([]);
    });
  });
});

function uuids(count: number): readonly string[] {
  const generator = new SequentialUuids();
  return Array.from({ length: count }, () => generator.next());
}

async function kept(cache: FilesystemRenditionCache, all: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(all.map((uuid) => cache.open({ uuid, name: NAME })));
  return all.filter((_, index) => found[index] !== undefined);
}
