import { expect } from 'chai';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../src/domain/ports/bytes/rendition-cache.ts';
import { InMemoryTemporaryFiles } from '../support/doubles/in-memory-temporary-files.ts';
import { collect, patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { madeForEach } from './made-for-each.ts';

export interface RenditionCacheUnderTest {
  /** Empty before each test, and large enough for all renditions of the contract. */
  readonly cache: RenditionCache;
  tearDown(): Promise<void>;
}

const UUID = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';
const OTHER_UUID = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e43';
const KEY: RenditionKey = { uuid: UUID, name: '0a1b2c3d-320xauto-inside-q75.webp' };
const OTHER_NAME: RenditionKey = { uuid: UUID, name: '0a1b2c3d-640xauto-inside-q75.webp' };
const OTHER_IMAGE: RenditionKey = { uuid: OTHER_UUID, name: KEY.name };
const MIB = 1024 * 1024;

/** Of the running test: set before each. */
let made: RenditionCacheUnderTest;
let cache: RenditionCache;

/** Registers tests of all guarantees of the `RenditionCache` port; `setUp` runs before each test and returns an empty cache. */
export function behavesLikeARenditionCache(
  name: string,
  setUp: () => Promise<RenditionCacheUnderTest>,
): void {
  describe(`${name} behaves like a RenditionCache`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      cache = made.cache;
    });

    describe('put and open', putAndOpenCases);
    describe('listImages', listImagesCases);
    describe('removeAllOf', removeAllOfCases);
  });
}

async function opened(key: RenditionKey): Promise<OpenedBlob> {
  const rendition = await cache.open(key);
  if (rendition === undefined) throw new Error(`There is no rendition ${key.uuid}/${key.name}`);
  return rendition;
}

async function* noBytes(): AsyncGenerator<Uint8Array, void, undefined> {}

async function bytesOf(key: RenditionKey): Promise<Uint8Array> {
  return await collect((await opened(key)).read());
}

function putAndOpenCases(): void {
  for (const size of [1, 65_537, 256 * 1024, 256 * 1024 + 1, MIB]) {
    it(`return the same ${size} bytes`, async () => {
      const bytes = patternedBytes(size);
      await cache.put(KEY, bytes);

      const rendition = await opened(KEY);
      expect(rendition.size).to.equal(size);
      expect(Buffer.compare(rendition.buffered ?? bytes, bytes)).to.equal(0);
      expect(Buffer.compare(await collect(rendition.read()), bytes)).to.equal(0);
    });
  }

  for (const size of [1_000, MIB]) {
    it(`return a range of ${size} bytes, with the size of the whole`, async () => {
      const bytes = patternedBytes(size);
      await cache.put(KEY, bytes);

      for (const [start, end] of [
        [0, 0],
        [10, size - 10],
        [size - 1, size - 1],
      ] as const) {
        const part = await cache.open(KEY, { start, end });
        expect(part?.size).to.equal(size);
        const read = await collect(part?.read() ?? noBytes());
        expect(Buffer.compare(read, bytes.subarray(start, end + 1))).to.equal(0);
      }
      expect(await bytesOf(KEY)).to.have.length(size);
    });

    it(`return ${size} bytes of a temporary file`, async () => {
      const bytes = patternedBytes(size);
      const file = await new InMemoryTemporaryFiles().write(streamOf(bytes));
      await cache.put(KEY, file);

      expect(Buffer.compare(await bytesOf(KEY), bytes)).to.equal(0);
    });
  }

  it('return undefined for an unknown rendition', async () => {
    await cache.put(KEY, patternedBytes(10));

    expect(await cache.open(OTHER_NAME)).to.equal(undefined);
    expect(await cache.open(OTHER_IMAGE)).to.equal(undefined);
  });

  it('keep the renditions of one image and of several images apart', async () => {
    await cache.put(KEY, patternedBytes(10));
    await cache.put(OTHER_NAME, patternedBytes(20));
    await cache.put(OTHER_IMAGE, patternedBytes(30));

    const sizes = [KEY, OTHER_NAME, OTHER_IMAGE].map(async (key) => (await bytesOf(key)).length);
    expect(await Promise.all(sizes)).to.deep.equal([10, 20, 30]);
  });

  it('never return a part of a rendition while it is put repeatedly', async () => {
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

  it('let a reader finish a rendition that is removed after it was opened', async () => {
    const bytes = patternedBytes(MIB);
    await cache.put(KEY, bytes);
    const rendition = await opened(KEY);

    await cache.removeAllOf(UUID);

    expect(Buffer.compare(await collect(rendition.read()), bytes)).to.equal(0);
  });

  it('allow closing an opened rendition unread, and twice', async () => {
    await cache.put(KEY, patternedBytes(MIB));
    const rendition = await opened(KEY);

    await rendition.close();
    await rendition.close();

    expect(await bytesOf(KEY)).to.have.length(MIB);
  });
}

function listImagesCases(): void {
  async function listed(prefix?: string): Promise<readonly string[]> {
    const uuids: string[] = [];
    for await (const uuid of cache.listImages(prefix)) uuids.push(uuid);
    return uuids.sort();
  }

  it('returns only images whose keys begin with a prefix', async () => {
    const far = parseBlobKey('50000000-0000-4000-8000-000000000000');
    await cache.put(KEY, patternedBytes(10));
    await cache.put({ ...KEY, uuid: far }, patternedBytes(10));

    for (const prefix of ['5f', '5f0']) expect(await listed(prefix)).to.deep.equal([UUID]);
    for (const prefix of ['', '5']) expect(await listed(prefix)).to.deep.equal([far, UUID]);
    for (const prefix of ['6', '5e', '5f1']) expect(await listed(prefix)).to.deep.equal([]);
  });

  it('returns each image once, however many renditions it has, as long as it has one', async () => {
    expect(await listed()).to.deep.equal([]);
    for (const key of [KEY, OTHER_NAME, OTHER_IMAGE]) await cache.put(key, patternedBytes(10));
    expect(await listed()).to.deep.equal([UUID, OTHER_UUID]);

    await cache.removeAllOf(UUID);

    expect(await listed()).to.deep.equal([OTHER_UUID]);
  });
}

function removeAllOfCases(): void {
  it('removes every rendition of an image and no other, which can be put again', async () => {
    await cache.removeAllOf(UUID);
    for (const key of [KEY, OTHER_NAME, OTHER_IMAGE]) await cache.put(key, patternedBytes(10));

    await cache.removeAllOf(UUID);

    expect([await cache.open(KEY), await cache.open(OTHER_NAME)]).to.deep.equal([undefined, undefined]);
    expect(await bytesOf(OTHER_IMAGE)).to.have.length(10);
    await cache.put(KEY, patternedBytes(20));
    expect(await bytesOf(KEY)).to.have.length(20);
  });
}
