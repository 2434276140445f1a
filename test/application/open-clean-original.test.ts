import { expect } from 'chai';
import { LruCleanForms } from '../../src/adapters/memory/lru-clean-forms.ts';
import { MadeFiles } from '../../src/application/files/made-files.ts';
import { type CleanOriginal, OpenCleanOriginal } from '../../src/application/files/open-clean-original.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { ImageBeyondLimits } from '../../src/domain/errors.ts';
import type { CleanPart } from '../../src/domain/image/clean-parts.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { RenditionCache } from '../../src/domain/ports/bytes/rendition-cache.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeRenditionMaker } from '../support/doubles/fake-rendition-maker.ts';
import { InMemoryTemporaryFiles } from '../support/doubles/in-memory-temporary-files.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { collect, patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { settled } from '../support/time/gate.ts';

const MIB = 1024 * 1024;

/** Every second byte of the original, after two other bytes. */
function listOf(ranges: number): readonly CleanPart[] {
  return ['\x01\xff', ...Array.from({ length: ranges }, (_, at): CleanPart => [2 * at, 2 * at + 1])];
}

function bytesOf(parts: readonly CleanPart[], original: Uint8Array): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : original.subarray(part[0], part[1]),
    ),
  );
}

let { images, blobs, renditions: cache, log, staging } = new CatalogDoubles();
let maker: FakeRenditionMaker;
let temporaryFiles: InMemoryTemporaryFiles;
let original: Uint8Array;
let image: Image;
let openCleanOriginal: OpenCleanOriginal;
/** Of the cache. */
let calls: string[];

async function useOriginal(size: number, parts: readonly CleanPart[]): Promise<void> {
  ({ images, blobs, renditions: cache, log, staging } = new CatalogDoubles());
  maker = new FakeRenditionMaker();
  maker.bytesOf = () => encoded(parts);
  temporaryFiles = new InMemoryTemporaryFiles();
  original = patternedBytes(size);
  image = await images.in(COMMON_SPACE).add(newImage({ size }));
  const limits = { maxBytes: size, checkHead: () => {} };
  await blobs.put(image.uuid, await staging.receive(streamOf(original), limits));
  useNewProcess();
}

/** Remembers nothing; the cache is the same. */
function useNewProcess(): void {
  calls = [];
  const files = new MadeFiles({ images, cache: recorded<RenditionCache>(cache, calls), temporaryFiles });
  openCleanOriginal = new OpenCleanOriginal(
    files,
    new LruCleanForms(),
    { identify: () => 'tag' },
    new OpenImageFile(images, blobs),
    maker,
  );
}

function encoded(parts: readonly CleanPart[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parts));
}

async function open(): Promise<CleanOriginal> {
  const leaving = (): AbortSignal => new AbortController().signal;
  return await openCleanOriginal.execute(image, { leaving, subject: 'alice', log });
}

async function expectBytes(clean: CleanOriginal, parts: readonly CleanPart[]): Promise<void> {
  const all = bytesOf(parts, original);
  expect(clean.size).to.equal(all.length);
  for (const [start, end] of [
    [0, all.length - 1],
    [0, 0],
    [all.length - 1, all.length - 1],
    [3, all.length - 3],
  ] as const) {
    const opened = await clean.open({ start, end });
    expect(Buffer.compare(await collect(opened.read()), all.subarray(start, end + 1))).to.equal(0);
  }
  const whole = await clean.open();
  expect(Buffer.compare(await collect(whole.read()), all)).to.equal(0);
}

async function nothingIsHeld(): Promise<void> {
  await settled();
  expect([blobs.openCount, temporaryFiles.held]).to.deep.equal([0, 0]);
}

function nameOf(extension: string): string {
  return `${image.uuid}/v1-clean${extension}`;
}

describe('OpenCleanOriginal of a file with few parts', () => {
  const PARTS = listOf(1_000);

  beforeEach(() => useOriginal(2_000, PARTS));

  it('stores the list of parts, and reads it once for all requests', async () => {
    await expectBytes(await open(), PARTS);
    calls = [];
    await expectBytes(await open(), PARTS);

    expect(calls).to.deep.equal([]);
    expect(cache.keys).to.deep.equal([nameOf('.json')]);
    useNewProcess();
    await expectBytes(await open(), PARTS);
    expect(maker.encodes).to.equal(1);
    await nothingIsHeld();
  });
});

describe('OpenCleanOriginal of a file with many parts', () => {
  const PARTS = listOf(200_000);
  const MANY = PARTS.slice(0, 100_001);

  beforeEach(() => useOriginal(400_000, MANY));

  it('stores all bytes, and asks one decoder once', async () => {
    const clean = await open();
    expect([...cache.keys].sort()).to.deep.equal([nameOf('.bin'), nameOf('.json')]);
    await expectBytes(clean, MANY);
    useNewProcess();
    await expectBytes(await open(), MANY);

    expect(maker.encodes).to.equal(1);
    await nothingIsHeld();
  });

  it('needs no file for a request that gets no bytes', async () => {
    await open();
    calls = [];
    const clean = await open();
    await clean.requireOriginal();

    expect([clean.size, clean.tag, calls]).to.deep.equal([100_002, 'tag', []]);
    await nothingIsHeld();
  });

  it('returns what is in the cache although the image is beyond the limits by now', async () => {
    await open();
    useNewProcess();
    maker.make = () => Promise.reject(new ImageBeyondLimits('image/png', 'has too many pixels'));

    await expectBytes(await open(), MANY);
  });

  it('makes the file again if the cache has lost it', async () => {
    const clean = await open();
    await cache.removeAllOf(image.uuid);

    await expectBytes(clean, MANY);
    expect(maker.encodes).to.equal(2);
  });
});

describe('OpenCleanOriginal of a file with parts far from each other', () => {
  const PARTS: readonly CleanPart[] = [
    [0, 2],
    [3 * MIB, 3 * MIB + 1_000],
  ];

  it('stores all bytes, so that few bytes cost no read of those between them', async () => {
    await useOriginal(4 * MIB, PARTS);

    await expectBytes(await open(), PARTS);
    expect(cache.keys).to.include(nameOf('.bin'));
    await nothingIsHeld();
  });
});
