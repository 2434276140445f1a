import { expect } from 'chai';
import type { OpenedBlob } from '../../src/domain/ports/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../src/domain/ports/rendition-cache.ts';
import { collect, patternedBytes } from '../support/bytes.ts';

export interface RenditionCacheUnderTest {
  /** Empty, and with room for everything that the contract puts into it. */
  readonly cache: RenditionCache;
  tearDown(): Promise<void>;
}

const UUID = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';
const OTHER_UUID = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e43';
const KEY: RenditionKey = { uuid: UUID, name: '0a1b2c3d-320xauto-inside-q75.webp' };
const OTHER_NAME: RenditionKey = { uuid: UUID, name: '0a1b2c3d-640xauto-inside-q75.webp' };
const OTHER_IMAGE: RenditionKey = { uuid: OTHER_UUID, name: KEY.name };
const MIB = 1024 * 1024;

/** Every promise of the `RenditionCache` port; `setUp` runs before each test and gives an empty cache. */
export function behavesLikeARenditionCache(
  name: string,
  setUp: () => Promise<RenditionCacheUnderTest>,
): void {
  describe(`${name} behaves like a RenditionCache`, () => {
    let made: RenditionCacheUnderTest;
    let cache: RenditionCache;

    beforeEach(async () => {
      made = await setUp();
      cache = made.cache;
    });

    afterEach(async () => {
      await made.tearDown();
    });

    async function opened(key: RenditionKey): Promise<OpenedBlob> {
      const rendition = await cache.open(key);
      if (rendition === undefined) throw new Error(`There is no rendition ${key.uuid}/${key.name}`);
      return rendition;
    }

    async function bytesOf(key: RenditionKey): Promise<Uint8Array> {
      return await collect((await opened(key)).read());
    }

    for (const size of [1, 65_537, 256 * 1024, 256 * 1024 + 1, MIB]) {
      it(`gives ${size} bytes back as they were`, async () => {
        const bytes = patternedBytes(size);
        await cache.put(KEY, bytes);

        const rendition = await opened(KEY);
        expect(rendition.size).to.equal(size);
        expect(Buffer.compare(rendition.buffered ?? bytes, bytes)).to.equal(0);
        expect(Buffer.compare(await collect(rendition.read()), bytes)).to.equal(0);
      });
    }

    it('knows no rendition that was never put', async () => {
      await cache.put(KEY, patternedBytes(10));

      expect(await cache.open(OTHER_NAME)).to.equal(undefined);
      expect(await cache.open(OTHER_IMAGE)).to.equal(undefined);
    });

    it('keeps the renditions of an image apart, and those of several images', async () => {
      await cache.put(KEY, patternedBytes(10));
      await cache.put(OTHER_NAME, patternedBytes(20));
      await cache.put(OTHER_IMAGE, patternedBytes(30));

      const sizes = [KEY, OTHER_NAME, OTHER_IMAGE].map(async (key) => (await bytesOf(key)).length);
      expect(await Promise.all(sizes)).to.deep.equal([10, 20, 30]);
    });

    it('keeps renditions apart that are put at the same time', async () => {
      const keys = Array.from(
        { length: 8 },
        (_, index): RenditionKey => ({ uuid: UUID, name: `rendition-${index}` }),
      );
      await Promise.all(keys.map((key, index) => cache.put(key, patternedBytes(100 + index))));

      const sizes = await Promise.all(keys.map(async (key) => (await bytesOf(key)).length));
      expect(sizes).to.deep.equal(keys.map((_, index) => 100 + index));
    });

    it('takes a rendition that it has already', async () => {
      await cache.put(KEY, patternedBytes(1000));
      await cache.put(KEY, patternedBytes(1000));

      expect(await bytesOf(KEY)).to.deep.equal(patternedBytes(1000));
    });

    it('shows a reader all of a rendition or none of it while it is put again and again', async () => {
      const bytes = patternedBytes(MIB);
      const writing = Promise.all(Array.from({ length: 4 }, () => cache.put(KEY, bytes)));
      const seen = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const rendition = await cache.open(KEY);
          return rendition && Buffer.compare(await collect(rendition.read()), bytes);
        }),
      );
      await writing;

      expect(seen.filter((difference) => difference !== undefined && difference !== 0)).to.deep.equal([]);
    });

    it('lets a reader who opened a rendition before its removal read it to its end', async () => {
      const bytes = patternedBytes(MIB);
      await cache.put(KEY, bytes);
      const rendition = await opened(KEY);

      await cache.removeAllOf(UUID);

      expect(Buffer.compare(await collect(rendition.read()), bytes)).to.equal(0);
    });

    it('lets an opened rendition be closed unread, and twice', async () => {
      await cache.put(KEY, patternedBytes(MIB));
      const rendition = await opened(KEY);

      await rendition.close();
      await rendition.close();

      expect(await bytesOf(KEY)).to.have.length(MIB);
    });

    describe('listImages', () => {
      async function listed(): Promise<readonly string[]> {
        const uuids: string[] = [];
        for await (const uuid of cache.listImages()) uuids.push(uuid);
        return uuids.sort();
      }

      it('gives nothing where nothing is kept', async () => {
        expect(await listed()).to.deep.equal([]);
      });

      it('gives each image once, however many renditions of it there are', async () => {
        await cache.put(KEY, patternedBytes(10));
        await cache.put(OTHER_NAME, patternedBytes(10));
        await cache.put(OTHER_IMAGE, patternedBytes(10));

        expect(await listed()).to.deep.equal([UUID, OTHER_UUID]);
      });

      it('does not give an image whose renditions were removed', async () => {
        await cache.put(KEY, patternedBytes(10));
        await cache.put(OTHER_IMAGE, patternedBytes(10));

        await cache.removeAllOf(UUID);

        expect(await listed()).to.deep.equal([OTHER_UUID]);
      });
    });

    describe('removeAllOf', () => {
      it('removes every rendition of an image', async () => {
        await cache.put(KEY, patternedBytes(10));
        await cache.put(OTHER_NAME, patternedBytes(20));

        await cache.removeAllOf(UUID);

        expect([await cache.open(KEY), await cache.open(OTHER_NAME)]).to.deep.equal([undefined, undefined]);
      });

      it('leaves those of other images', async () => {
        await cache.put(KEY, patternedBytes(10));
        await cache.put(OTHER_IMAGE, patternedBytes(20));

        await cache.removeAllOf(UUID);

        expect(await bytesOf(OTHER_IMAGE)).to.have.length(20);
      });

      it('does nothing where there are none', async () => {
        await cache.removeAllOf(UUID);

        expect(await cache.open(KEY)).to.equal(undefined);
      });

      it('lets a rendition be put again', async () => {
        await cache.put(KEY, patternedBytes(10));
        await cache.removeAllOf(UUID);

        await cache.put(KEY, patternedBytes(20));

        expect(await bytesOf(KEY)).to.have.length(20);
      });
    });
  });
}
