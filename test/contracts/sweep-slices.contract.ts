import { expect } from 'chai';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import {
  HEX_DIGITS,
  type SweepSlice,
  type SweepSlices,
} from '../../src/domain/ports/records/sweep-slices.ts';

export interface SweepSlicesUnderTest {
  /** One instance per process. */
  readonly processes: readonly [SweepSlices, SweepSlices];
  tearDown(): Promise<void>;
}

const LEASE_MS = 60_000;
const LONG_MS = 3_600_000;
const [LOW, HIGH] = ['0a000000', 'ffffffff'].map((digits) =>
  parseBlobKey(`${digits}-0000-4000-8000-ffffffffffff`),
) as [BlobKey, BlobKey];

let made: SweepSlicesUnderTest;
let slices: SweepSlices;
let other: SweepSlices;

/** Registers tests of all guarantees of the `SweepSlices` port; `setUp` runs before each test. */
export function behavesLikeSweepSlices(name: string, setUp: () => Promise<SweepSlicesUnderTest>): void {
  describe(`${name} behaves like SweepSlices`, () => {
    beforeEach(async () => {
      made = await setUp();
      [slices, other] = made.processes;
    });

    afterEach(async () => {
      await made.tearDown();
    });

    describe('a slice that is due', dueCases);
    describe('a lease', leaseCases);
    describe('watched blobs', watchedCases);
    describe('a split', splitCases);
  });
}

async function taken(prefix = '', owner = 'a', ms = LEASE_MS): Promise<SweepSlice> {
  const slice = await slices.take(prefix, owner, ms);
  if (slice === undefined) throw new Error(`There is no slice ${prefix}`);
  return slice;
}

async function finish(prefix = ''): Promise<void> {
  await taken(prefix);
  await slices.finish(prefix, 'a', []);
}

function dueCases(): void {
  it('is at first the whole store', async () => {
    expect(await slices.prefixes()).to.deep.equal(['']);
    expect(await slices.takeDue('a', LONG_MS, LEASE_MS)).to.deep.include({ prefix: '', watched: [] });
  });

  it('is given to one of several processes at a time', async () => {
    await taken();
    await slices.split('', 'a');

    const both = await Promise.all(
      [slices, other].flatMap((process, index) =>
        Array.from({ length: 8 }, () => process.takeDue(`${index}`, LONG_MS, LEASE_MS)),
      ),
    );

    expect(both.map((slice) => slice?.prefix)).to.have.members(HEX_DIGITS);
    expect(await slices.takeDue('a', LONG_MS, LEASE_MS)).to.equal(undefined);
  });

  it('was swept long enough ago', async () => {
    await finish();

    expect(await slices.takeDue('a', LONG_MS, LEASE_MS)).to.equal(undefined);
    expect((await slices.takeDue('a', 0, LEASE_MS))?.prefix).to.equal('');
  });

  it('is the one that was taken longest ago', async () => {
    await taken();
    await slices.split('', 'a');
    for (const prefix of HEX_DIGITS) if (prefix !== '7') await taken(prefix, 'a', 0);

    expect((await slices.takeDue('a', LONG_MS, LEASE_MS))?.prefix).to.equal('7');
  });

  it('tells how long the longest was not swept', async () => {
    expect(await slices.longestUnsweptMs()).to.equal(undefined);
    await finish();
    expect(await slices.longestUnsweptMs()).to.be.within(0, LONG_MS);
  });
}

function leaseCases(): void {
  it('keeps other owners away until it ends', async () => {
    await taken('', 'killed', LEASE_MS);
    expect(await other.takeDue('b', LONG_MS, LEASE_MS)).to.equal(undefined);
    await taken('', 'killed', 0);

    expect((await other.takeDue('b', LONG_MS, LEASE_MS))?.prefix).to.equal('');
  });

  it('is renewed by its owner', async () => {
    await taken('', 'a', 0);

    expect(await slices.renew('', 'a', LEASE_MS)).to.equal(true);
    expect(await other.takeDue('b', LONG_MS, LEASE_MS)).to.equal(undefined);
  });

  it('is not renewed once another owner has it', async () => {
    await taken('', 'a', 0);
    await other.takeDue('b', LONG_MS, LEASE_MS);

    expect(await slices.renew('', 'a', LEASE_MS)).to.equal(false);
  });

  it('is given up with all others of the owner', async () => {
    await taken();
    await slices.release('a');

    expect(await slices.renew('', 'a', LEASE_MS)).to.equal(false);
    expect((await other.takeDue('b', LONG_MS, LEASE_MS))?.prefix).to.equal('');
  });

  it('is taken from its holder by name', async () => {
    await taken();

    expect((await other.take('', 'b', LEASE_MS))?.prefix).to.equal('');
    expect(await slices.renew('', 'a', LEASE_MS)).to.equal(false);
  });
}

function watchedCases(): void {
  it('are kept with the time at which they were first seen', async () => {
    await taken();
    await slices.finish('', 'a', [{ key: LOW, since: undefined }]);
    const [first] = (await taken()).watched;
    await slices.finish('', 'a', [
      { key: LOW, since: first?.since },
      { key: HIGH, since: undefined },
    ]);
    const { takenAt, watched } = await taken();

    expect(watched.map(({ key }) => key)).to.have.members([LOW, HIGH]);
    expect(watched.find(({ key }) => key === LOW)).to.deep.equal(first);
    expect(first?.since?.getTime()).to.be.at.most(takenAt.getTime());
  });

  it('are forgotten if a sweep does not name them again', async () => {
    await taken();
    await slices.finish('', 'a', [{ key: LOW, since: undefined }]);
    await finish();

    expect((await taken()).watched).to.deep.equal([]);
  });

  it('are not changed by an owner that has lost the slice', async () => {
    await taken();
    await other.take('', 'b', LEASE_MS);
    await slices.finish('', 'a', [{ key: LOW, since: undefined }]);

    expect((await taken()).watched).to.deep.equal([]);
    expect(await slices.longestUnsweptMs()).to.equal(undefined);
  });

  it('may be many', async () => {
    const watched = Array.from({ length: 1500 }, (_, number) => ({
      key: parseBlobKey(`${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`),
      since: undefined,
    }));
    await taken();
    await slices.finish('', 'a', watched);

    expect((await taken()).watched).to.have.length(1500);
  });
}

function splitCases(): void {
  it('makes slices of one more digit, which have the watched blobs of their part', async () => {
    await taken();
    await slices.finish(
      '',
      'a',
      [LOW, HIGH].map((key) => ({ key, since: undefined })),
    );
    await taken();
    await slices.split('', 'a');

    expect(await slices.prefixes()).to.deep.equal(HEX_DIGITS);
    expect(await slices.take('', 'a', LEASE_MS)).to.equal(undefined);
    expect((await taken('0')).watched.map(({ key }) => key)).to.deep.equal([LOW]);
    expect((await taken('f')).watched.map(({ key }) => key)).to.deep.equal([HIGH]);
  });

  it('does not change when the parts were swept', async () => {
    await finish();
    await taken();
    await slices.split('', 'a');

    expect(await slices.takeDue('a', LONG_MS, LEASE_MS)).to.equal(undefined);
    expect((await slices.takeDue('a', 0, LEASE_MS))?.prefix).to.equal('0');
  });

  it('is left to the owner of the slice', async () => {
    await taken('', 'b');
    await slices.split('', 'a');

    expect(await slices.prefixes()).to.deep.equal(['']);
  });
}
