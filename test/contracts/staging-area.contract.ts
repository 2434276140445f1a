import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { FileTooLarge, UnsupportedMediaType } from '../../src/domain/errors.ts';
import { SIGNATURE_BYTES } from '../../src/domain/image/media-type-of.ts';
import type { StagedFile, StagingArea, StagingLimits } from '../../src/domain/ports/bytes/staging-area.ts';
import { collect, patternedBytes, streamBrokenAfter, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { madeForEach } from './made-for-each.ts';

export interface StagingAreaUnderTest {
  /** Empty before each test. */
  readonly staging: StagingArea;
  /** How many staged files there are, complete or not. */
  countFiles(): Promise<number>;
  tearDown(): Promise<void>;
}

const MIB = 1024 * 1024;
const NO_LIMITS: StagingLimits = { maxBytes: 10 * MIB, checkHead: () => {} };

/** Of the running test: set before each. */
let made: StagingAreaUnderTest;
let staging: StagingArea;

/** Registers tests of all guarantees of the `StagingArea` port; `setUp` runs before each test and returns an empty area. */
export function behavesLikeAStagingArea(name: string, setUp: () => Promise<StagingAreaUnderTest>): void {
  describe(`${name} behaves like a StagingArea`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      staging = made.staging;
    });

    describe('a staged file', stagedFileCases);
    describe('discard', discardCases);
    describe('maxBytes', maxBytesCases);
    describe('checkHead', checkHeadCases);
    describe('a stream that fails', brokenStreamCases);
    describe('findOrphans', findOrphansCases);
  });
}

async function stage(bytes: Uint8Array, chunkSize?: number): Promise<StagedFile> {
  return await staging.receive(streamOf(bytes, chunkSize), NO_LIMITS);
}

/** The signature, or all of a file that is shorter. */
function expectHead(head: Uint8Array | undefined, bytes: Uint8Array): void {
  expect(head?.byteLength).to.be.at.least(Math.min(SIGNATURE_BYTES, bytes.length));
  expect(head && Uint8Array.from(head)).to.deep.equal(bytes.slice(0, head?.byteLength));
}

function stagedFileCases(): void {
  for (const [size, chunkSize] of [
    [0, undefined],
    [1, undefined],
    [65_535, undefined],
    [65_536, undefined],
    [65_537, undefined],
    [3 * MIB, undefined],
    [100_000, 65_536],
    [5000, 7],
    [1000, 1],
    [SIGNATURE_BYTES, 1],
    [SIGNATURE_BYTES - 1, 1],
  ] as const) {
    it(`of ${size} bytes in chunks of ${chunkSize ?? 'any size'} is what was sent, at each reading`, async () => {
      const bytes = patternedBytes(size);

      const file = await stage(bytes, chunkSize);

      expect(file.size).to.equal(size);
      expect(file.sha256).to.equal(createHash('sha256').update(bytes).digest('hex'));
      for (const _ of ['once', 'twice']) {
        expect(Buffer.compare(await collect(file.read()), bytes)).to.equal(0);
      }
      expect(Buffer.compare(file.buffered ?? bytes, bytes)).to.equal(0);
    });
  }

  it('does not depend on empty chunks', async () => {
    const bytes = patternedBytes(20);
    async function* gappy(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) {
        yield new Uint8Array();
        yield Uint8Array.of(byte);
      }
    }

    const file = await staging.receive(gappy(), NO_LIMITS);

    expect(file.size).to.equal(20);
    expect(await collect(file.read())).to.deep.equal(bytes);
  });

  it('can be read again after a reader stopped early', async () => {
    const file = await stage(patternedBytes(200_000));
    for await (const chunk of file.read()) if (chunk.byteLength > 0) break;

    expect((await collect(file.read())).byteLength).to.equal(200_000);
  });

  it('is kept apart from one that is received at the same time', async () => {
    const [first, second] = [patternedBytes(50_000), patternedBytes(60_000).toReversed()];

    const files = await Promise.all([stage(first, 1000), stage(second, 1000)]);

    const read = await Promise.all(files.map((file) => collect(file.read())));
    expect(read.map((bytes, index) => Buffer.compare(bytes, [first, second][index] ?? bytes))).to.deep.equal([
      0, 0,
    ]);
    expect(await made.countFiles()).to.equal(2);
  });
}

function discardCases(): void {
  it('removes the file, which can be read no more, and can be repeated', async () => {
    const file = await stage(patternedBytes(10));

    for (const _ of ['once', 'twice']) await file.discard();

    expect(await made.countFiles()).to.equal(0);
    await rejection(collect(file.read()));
  });

  it('keeps other files', async () => {
    const [file, other] = [await stage(patternedBytes(10)), await stage(patternedBytes(20))];

    await file.discard();

    expect(await made.countFiles()).to.equal(1);
    expect((await collect(other.read())).byteLength).to.equal(20);
  });
}

function maxBytesCases(): void {
  for (const chunkSize of [65_536, 1000, 1]) {
    it(`accepts a file of exactly that size, in chunks of ${chunkSize}`, async () => {
      const bytes = patternedBytes(3000);

      const file = await staging.receive(streamOf(bytes, chunkSize), { ...NO_LIMITS, maxBytes: 3000 });

      expect(file.size).to.equal(3000);
    });

    it(`rejects a file of one byte more and leaves no file, in chunks of ${chunkSize}`, async () => {
      const bytes = patternedBytes(3001);

      const error = await rejection(
        staging.receive(streamOf(bytes, chunkSize), { ...NO_LIMITS, maxBytes: 3000 }),
      );

      expect(error).to.be.instanceOf(FileTooLarge).with.property('maxBytes', 3000);
      expect(await made.countFiles()).to.equal(0);
    });
  }

  it('stops reading as soon as the limit is exceeded', async () => {
    const source = new CountedChunks(200, 65_536);

    await rejection(staging.receive(source, { ...NO_LIMITS, maxBytes: 100_000 }));

    expect(source.given).to.be.lessThan(40);
    expect(source.isStopped).to.equal(true);
  });
}

function checkHeadCases(): void {
  for (const [chunkSize, size] of [
    [1, 1000],
    [7, 1000],
    [65_536, 1000],
    [1, SIGNATURE_BYTES],
    [1000, SIGNATURE_BYTES],
    [1, SIGNATURE_BYTES - 1],
    [1000, SIGNATURE_BYTES - 1],
  ] as const) {
    it(`gets the signature once if ${size} bytes arrive in chunks of ${chunkSize}`, async () => {
      const bytes = patternedBytes(size);
      const heads: Uint8Array[] = [];
      const checkHead = (head: Uint8Array): void => void heads.push(Uint8Array.from(head));

      await staging.receive(streamOf(bytes, chunkSize), { ...NO_LIMITS, checkHead });

      expect(heads).to.have.length(1);
      expectHead(heads[0], bytes);
    });
  }

  it('is not called for an empty file', async () => {
    let calls = 0;
    const checkHead = (): void => void (calls += 1);

    await staging.receive(streamOf(new Uint8Array()), { ...NO_LIMITS, checkHead });

    expect(calls).to.equal(0);
  });

  it('gets the first bytes before the rest is read', async () => {
    const source = new CountedChunks(200, 65_536);
    let givenAtCheck = 0;
    const checkHead = (): void => void (givenAtCheck = source.given);

    await staging.receive(source, { maxBytes: 20 * MIB, checkHead });

    expect(source.given).to.equal(200);
    expect(givenAtCheck).to.be.greaterThan(0).and.lessThan(40);
  });

  it('stops reading by throwing', async () => {
    const source = new CountedChunks(200, 65_536);

    await rejection(staging.receive(source, { maxBytes: 20 * MIB, checkHead: refuse }));

    expect(source.given).to.be.lessThan(40);
    expect(source.isStopped).to.equal(true);
  });

  for (const size of [3, 100_000]) {
    it(`rejects a file of ${size} bytes with its own error and leaves no file`, async () => {
      const error = await rejection(
        staging.receive(streamOf(patternedBytes(size)), { ...NO_LIMITS, checkHead: refuse }),
      );

      expect(error).to.equal(REFUSAL);
      expect(await made.countFiles()).to.equal(0);
    });
  }
}

function brokenStreamCases(): void {
  for (const [when, size] of [
    ['before its first byte', 0],
    ['within the signature', 3],
    ['half-way', 100_000],
  ] as const) {
    it(`${when} rejects with its own error, also one of the system, and leaves no file`, async () => {
      for (const facts of [{}, { code: 'ECONNRESET', errno: -104, syscall: 'read' }]) {
        const cut = Object.assign(new Error('the client left'), facts);

        const broken = streamBrokenAfter(patternedBytes(size), cut);
        expect(await rejection(staging.receive(broken, NO_LIMITS))).to.equal(cut);
        expect(await made.countFiles()).to.equal(0);
      }
    });
  }

  it('rejects with its own error if it is a destroyed Node.js stream', async () => {
    const cut = new Error('the client left');
    const stream = new PassThrough();
    stream.write(patternedBytes(1000));
    const checkHead = (): void => void stream.destroy(cut);

    const error = await rejection(staging.receive(stream, { ...NO_LIMITS, checkHead }));

    expect(error).to.equal(cut);
    expect(await made.countFiles()).to.equal(0);
  });

  it('keeps other files', async () => {
    const other = await stage(patternedBytes(10));

    await rejection(staging.receive(streamBrokenAfter(patternedBytes(5), new Error('gone')), NO_LIMITS));

    expect(await collect(other.read())).to.deep.equal(patternedBytes(10));
  });
}

function findOrphansCases(): void {
  it('does not find a file of an unfinished upload', async () => {
    const file = await stage(patternedBytes(10));

    expect((await staging.findOrphans(new Date())).names).to.deep.equal([]);

    expect(await collect(file.read())).to.deep.equal(patternedBytes(10));
  });

  it('does not find a file that is still being received', async () => {
    const bytes = patternedBytes(2000);
    async function* chunksAroundASweep(): AsyncGenerator<Uint8Array> {
      yield bytes.slice(0, 1000);
      for (const name of (await staging.findOrphans(new Date())).names) await staging.removeOrphan(name);
      yield bytes.slice(1000);
    }

    const file = await staging.receive(chunksAroundASweep(), NO_LIMITS);

    expect(await collect(file.read())).to.deep.equal(bytes);
  });
}

const REFUSAL = new UnsupportedMediaType('other', ['image/jpeg']);

function refuse(): void {
  throw REFUSAL;
}

/** A stream that counts the chunks it was asked for, and notes whether its reader has stopped. */
class CountedChunks implements AsyncIterable<Uint8Array> {
  given = 0;
  isStopped = false;

  constructor(
    private readonly count: number,
    private readonly chunkSize: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (; this.given < this.count; ) {
        this.given += 1;
        yield new Uint8Array(this.chunkSize);
      }
    } finally {
      this.isStopped = true;
    }
  }
}
