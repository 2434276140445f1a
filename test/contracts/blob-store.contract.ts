import { access } from 'node:fs/promises';
import { expect } from 'chai';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { BlobStorage, ByteRange } from '../../src/domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { collect, patternedBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { madeForEach } from './made-for-each.ts';

export interface BlobStoreUnderTest {
  /** Empty before each test. */
  readonly blobs: BlobStorage;
  /** Stages bytes in a staging area from which `blobs` takes files. */
  stage(bytes: Uint8Array): Promise<StagedFile>;
  /** How many opened blobs still hold a resource; left out if the adapter cannot tell. */
  countOpen?(): Promise<number>;
  tearDown(): Promise<void>;
}

const KEY = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';
const OTHER_KEY = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e43';
const OWNER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const OTHER_OWNER = '7c9e6679-7425-40de-944b-e07fc1f90ae8';
const MIB = 1024 * 1024;

/** Of the running test: set before each. */
let made: BlobStoreUnderTest;
let blobs: BlobStorage;

/** Registers tests of all guarantees of the `BlobStore` port; `setUp` runs before each test and returns an empty store. */
export function behavesLikeABlobStore(name: string, setUp: () => Promise<BlobStoreUnderTest>): void {
  describe(`${name} behaves like a BlobStore`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      blobs = made.blobs;
    });

    describe('put and open', putAndOpenCases);
    describe('find', findCases);
    describe('open', openCases);
    describe('remove', removeCases);
    describe('a prefix', prefixCases);
    describe('an opened blob', openedBlobCases);
    describe('the owner', ownerCases);
    describe('ping', pingCases);
  });
}

async function put(key: BlobKey, bytes: Uint8Array): Promise<StagedFile> {
  const file = await made.stage(bytes);
  await blobs.put(key, file);
  return file;
}

async function opened(key: BlobKey, range?: ByteRange): Promise<OpenedBlob> {
  const blob = await blobs.open(key, range);
  if (blob === undefined) throw new Error(`There is no blob ${key}`);
  return blob;
}

function putAndOpenCases(): void {
  for (const size of [1, 65_535, 65_536, 65_537, 3 * MIB]) {
    it(`return the same ${size} bytes`, async () => {
      const bytes = patternedBytes(size);
      await put(KEY, bytes);

      const blob = await opened(KEY);

      expect(blob.size).to.equal(size);
      expect(Buffer.compare(blob.buffered ?? bytes, bytes)).to.equal(0);
      expect(Buffer.compare(await collect(blob.read()), bytes)).to.equal(0);
    });
  }

  it('keep blobs apart if they are put at the same time', async () => {
    const uuids = new SequentialUuids();
    const keys = Array.from({ length: 8 }, () => uuids.next());
    await Promise.all(keys.map((key, index) => put(key, patternedBytes(100 + index))));

    const sizes = await Promise.all(
      keys.map(async (key) => (await collect((await opened(key)).read())).length),
    );

    expect(sizes).to.deep.equal(keys.map((_, index) => 100 + index));
  });

  it('keep the blob if the staged file is discarded afterwards', async () => {
    const bytes = patternedBytes(1000);
    const file = await put(KEY, bytes);

    await file.discard();

    expect(await collect((await opened(KEY)).read())).to.deep.equal(bytes);
  });

  it('leave no blob if the put is rejected', async () => {
    const file = await made.stage(patternedBytes(1000));
    await file.discard();

    await rejection(blobs.put(KEY, file));

    expect(await blobs.open(KEY)).to.equal(undefined);
  });
}

function findCases(): void {
  it('returns the size of a blob, and nothing of an unknown or removed one', async () => {
    await put(KEY, patternedBytes(70_000));
    expect((await blobs.find(KEY))?.size).to.equal(70_000);
    await blobs.remove(KEY);

    for (const key of [KEY, OTHER_KEY] as const) expect(await blobs.find(key)).to.equal(undefined);
  });
}

function openCases(): void {
  it('returns undefined for an unknown key', async () => {
    await put(KEY, patternedBytes(10));

    expect(await blobs.open(OTHER_KEY)).to.equal(undefined);
    expect(await blobs.open(OTHER_KEY, { start: 0, end: 0 })).to.equal(undefined);
  });

  const LAST = 200_000 - 1;
  const RANGES: ReadonlyArray<readonly [string, ByteRange]> = [
    ['the first byte', { start: 0, end: 0 }],
    ['a range in the middle', { start: 65_000, end: 140_001 }],
    ['the last byte', { start: LAST, end: LAST }],
    ['the whole blob', { start: 0, end: LAST }],
  ];
  for (const [what, range] of RANGES) {
    it(`returns ${what} and the size of the whole blob for the range of ${what}`, async () => {
      const bytes = patternedBytes(LAST + 1);
      await put(KEY, bytes);

      const blob = await opened(KEY, range);

      expect(blob.size).to.equal(LAST + 1);
      const expected = bytes.slice(range.start, range.end + 1);
      expect(Buffer.compare(blob.buffered ?? expected, expected)).to.equal(0);
      expect(Buffer.compare(await collect(blob.read()), expected)).to.equal(0);
    });
  }

  it('serves two readers of one blob at the same time', async () => {
    const bytes = patternedBytes(200_000);
    await put(KEY, bytes);
    const [whole, part] = [await opened(KEY), await opened(KEY, { start: 100, end: 199 })];

    const [first, second] = await Promise.all([collect(whole.read()), collect(part.read())]);

    expect(Buffer.compare(first, bytes)).to.equal(0);
    expect(second).to.deep.equal(bytes.slice(100, 200));
  });
}

function removeCases(): void {
  it('removes the blob and no other, and can be repeated', async () => {
    for (const key of [KEY, OTHER_KEY] as const) await put(key, patternedBytes(10));

    for (const _ of ['once', 'twice']) await blobs.remove(KEY);

    expect(await blobs.open(KEY)).to.equal(undefined);
    expect((await collect((await opened(OTHER_KEY)).read())).byteLength).to.equal(10);
  });

  it('does not interrupt a reader that opened the blob earlier', async () => {
    const bytes = patternedBytes(3 * MIB);
    await put(KEY, bytes);
    const blob = await opened(KEY);

    await blobs.remove(KEY);

    expect(Buffer.compare(await collect(blob.read()), bytes)).to.equal(0);
  });

  it('does not interrupt a reader in the middle of the blob', async () => {
    const bytes = patternedBytes(3 * MIB);
    await put(KEY, bytes);
    const chunks: Uint8Array[] = [];

    for await (const chunk of (await opened(KEY)).read()) {
      if (chunks.length === 0) await blobs.remove(KEY);
      chunks.push(Uint8Array.from(chunk));
    }

    expect(Buffer.compare(Buffer.concat(chunks), bytes)).to.equal(0);
  });
}

function prefixCases(): void {
  async function listed(prefix?: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const entry of blobs.list(prefix)) keys.push(entry.kind === 'blob' ? entry.key : entry.name);
    return keys.sort();
  }

  it('lists the blobs whose keys begin with it', async () => {
    const far = parseBlobKey('50000000-0000-4000-8000-000000000000');
    for (const key of [KEY, OTHER_KEY, far] as const) await put(key, patternedBytes(10));

    for (const prefix of ['5f', '5f0']) expect(await listed(prefix)).to.deep.equal([KEY, OTHER_KEY]);
    for (const prefix of ['', '5']) expect(await listed(prefix)).to.deep.equal([far, KEY, OTHER_KEY]);
    for (const prefix of ['6', '5e', '5f1']) expect(await listed(prefix)).to.deep.equal([]);
    expect(await listed(KEY.slice(0, 8))).to.deep.equal([KEY, OTHER_KEY]);
  });
}

function openedBlobCases(): void {
  let blob: OpenedBlob;

  beforeEach(async () => {
    await put(KEY, patternedBytes(3 * MIB));
    blob = await opened(KEY);
  });

  /**
   * Waits until no blob is open. A stream releases its file after the last byte through the thread pool, as each
   * call here does. The wait is short, because the garbage collector would close a leaked file.
   */
  async function expectNothingOpen(): Promise<void> {
    for (let turn = 0; turn < 30 && (await made.countOpen?.()) !== 0; turn += 1) {
      await access(import.meta.filename);
    }
    expect(await made.countOpen?.()).to.equal(0);
  }

  it('holds a resource until it is read or closed', async function () {
    if (made.countOpen === undefined) this.skip();

    expect(await made.countOpen()).to.equal(1);
    await blob.close();
  });

  for (const [how, release] of [
    ['reading to the end', () => collect(blob.read())],
    [
      'a reader that stops early',
      async () => {
        for await (const chunk of blob.read()) if (chunk.byteLength > 0) break;
      },
    ],
    ['close without being read', () => blob.close()],
  ] as const) {
    it(`is released by ${how}`, async function () {
      if (made.countOpen === undefined) this.skip();

      await release();

      await expectNothingOpen();
    });
  }

  it('of few bytes is released by reading to the end and by close', async function () {
    if (made.countOpen === undefined) this.skip();
    await blob.close();
    await put(OTHER_KEY, patternedBytes(10));

    await collect((await opened(OTHER_KEY)).read());
    await (await opened(OTHER_KEY)).close();

    await expectNothingOpen();
  });

  it('may be closed twice, and after being read to the end, which keeps the stored blob', async () => {
    for (const _ of ['once', 'twice']) await blob.close();
    const again = await opened(KEY);
    expect((await collect(again.read())).byteLength).to.equal(3 * MIB);
    await again.close();
  });
}

function ownerCases(): void {
  async function listed(): Promise<readonly unknown[]> {
    const entries: unknown[] = [];
    for await (const entry of blobs.list()) entries.push(entry);
    return entries;
  }

  it('is undefined in a store that was never claimed, also if it is released', async () => {
    await put(KEY, patternedBytes(10));
    expect(await blobs.owner()).to.equal(undefined);
    await blobs.release();

    expect(await blobs.owner()).to.equal(undefined);
  });

  it('is the first catalog that claimed the store', async () => {
    await blobs.claim(OWNER);
    await blobs.claim(OTHER_OWNER);
    await blobs.claim(OWNER);

    expect(await blobs.owner()).to.equal(OWNER);
  });

  it('is one of several catalogs that claim the store at the same time', async () => {
    const claimants = Array.from({ length: 8 }, (_, index) => OWNER.slice(0, -1) + index);

    await Promise.all(claimants.map((claimant) => blobs.claim(claimant)));

    expect(claimants).to.include(await blobs.owner());
  });

  it('is undefined after the store is released, then the next claimant', async () => {
    await blobs.claim(OWNER);
    await blobs.release();
    expect(await blobs.owner()).to.equal(undefined);

    await blobs.claim(OTHER_OWNER);

    expect(await blobs.owner()).to.equal(OTHER_OWNER);
  });

  it('is not listed as a blob', async () => {
    await blobs.claim(OWNER);
    await blobs.claim(OTHER_OWNER);

    expect(await listed()).to.deep.equal([]);
  });
}

function pingCases(): void {
  it('resolves', async () => {
    await blobs.ping();
  });
}
