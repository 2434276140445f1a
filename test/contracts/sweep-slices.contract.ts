import { expect } from 'chai';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import {
  type SweepSlice,
  type SweepSlices,
  TWO_DIGITS,
} from '../../src/domain/ports/records/sweep-slices.ts';
import { madeForEach } from './made-for-each.ts';

export interface SweepSlicesUnderTest {
  /** One instance per process. */
  readonly processes: readonly [SweepSlices, SweepSlices, ...SweepSlices[]];
  tearDown(): Promise<void>;
}

const LEASE_MS = 60_000;
const LONG_MS = 3_600_000;
const [LOW, LAST, HIGH] = ['0a000000', '0affffff', 'ffffffff'].map((digits) =>
  parseBlobKey(`${digits}-0000-4000-8000-ffffffffffff`),
) as [BlobKey, BlobKey, BlobKey];
const WHOLE = { prefix: '0a', page: '' };

let made: SweepSlicesUnderTest;
let slices: SweepSlices;
let other: SweepSlices;

/** Registers tests of all guarantees of the `SweepSlices` port; `setUp` runs before each test. */
export function behavesLikeSweepSlices(name: string, setUp: () => Promise<SweepSlicesUnderTest>): void {
  describe(`${name} behaves like SweepSlices`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      [slices, other] = made.processes;
    });

    describe('a slice that is due', dueCases);
    describe('a lease', leaseCases);
    describe('watched blobs', watchedCases);
    describe('a page', pageCases);
  });
}

async function taken(prefix = '00', owner = 'a', ms = LEASE_MS): Promise<SweepSlice> {
  const slice = await slices.take(prefix, owner, ms);
  if (slice === undefined) throw new Error(`There is no slice ${prefix}`);
  return slice;
}

/** Ends a turn in a slice. */
async function finish(prefix = '00', keys: readonly BlobKey[] = []): Promise<void> {
  const slice = await taken(prefix);
  await slices.finish(
    slice,
    'a',
    keys.map((key) => ({ key, since: undefined })),
  );
}

/** Takes all slices but this one, for an owner that is killed at once. */
async function takeAllBut(prefix: string, ms = LEASE_MS): Promise<void> {
  for (const other of TWO_DIGITS) if (other !== prefix) await taken(other, 'killed', ms);
}

function dueCases(): void {
  it('is given to one of several processes at a time', async () => {
    const both = await Promise.all(
      [slices, other].flatMap((process, index) =>
        Array.from({ length: 8 }, () => process.takeDue(`${index}`, LONG_MS, LEASE_MS)),
      ),
    );

    expect(both.map((slice) => slice?.prefix)).to.have.members(TWO_DIGITS.slice(0, 16));
  });

  it('was swept long enough ago', async () => {
    await takeAllBut('5f');
    await finish('5f');

    expect(await slices.takeDue('a', LONG_MS, LEASE_MS)).to.equal(undefined);
    expect((await slices.takeDue('a', 0, LEASE_MS))?.prefix).to.equal('5f');
  });

  it('is the one that was taken longest ago', async () => {
    await takeAllBut('7a', 0);

    expect((await slices.takeDue('a', LONG_MS, LEASE_MS))?.prefix).to.equal('7a');
  });

  it('tells how long the longest was not swept', async () => {
    expect(await slices.longestUnsweptMs()).to.equal(undefined);
    for (const prefix of TWO_DIGITS) await finish(prefix);
    expect(await slices.longestUnsweptMs()).to.be.within(0, LONG_MS);
  });
}

function leaseCases(): void {
  beforeEach(async () => await takeAllBut('00'));

  it('keeps other owners away until it ends', async () => {
    await taken('00', 'killed', LEASE_MS);
    expect(await other.takeDue('b', LONG_MS, LEASE_MS)).to.equal(undefined);
    await taken('00', 'killed', 0);

    expect((await other.takeDue('b', LONG_MS, LEASE_MS))?.prefix).to.equal('00');
  });

  it('is renewed by its owner', async () => {
    await taken('00', 'a', 0);

    expect(await slices.renew('00', 'a', LEASE_MS)).to.equal(true);
    expect(await other.takeDue('b', LONG_MS, LEASE_MS)).to.equal(undefined);
  });

  it('is not renewed once another owner has it', async () => {
    await taken('00', 'a', 0);
    await other.takeDue('b', LONG_MS, LEASE_MS);

    expect(await slices.renew('00', 'a', LEASE_MS)).to.equal(false);
  });

  it('is given up with all others of the owner', async () => {
    await taken();
    await slices.release('a');

    expect(await slices.renew('00', 'a', LEASE_MS)).to.equal(false);
    expect((await other.takeDue('b', LONG_MS, LEASE_MS))?.prefix).to.equal('00');
  });

  it('is taken from its holder by name', async () => {
    await taken();

    expect((await other.take('00', 'b', LEASE_MS))?.prefix).to.equal('00');
    expect(await slices.renew('00', 'a', LEASE_MS)).to.equal(false);
  });
}

function watchedCases(): void {
  it('are kept with the time at which they were first seen', async () => {
    await finish('0a', [LOW]);
    const [first] = (await taken('0a')).watched;
    const watched = [
      { key: LOW, since: first?.since },
      { key: LAST, since: undefined },
    ];
    await slices.finish(WHOLE, 'a', watched);
    const { takenAt, watched: kept } = await taken('0a');

    expect(kept.map(({ key }) => key)).to.have.members([LOW, LAST]);
    expect(kept.find(({ key }) => key === LOW)).to.deep.equal(first);
    expect(first?.since?.getTime()).to.be.at.most(takenAt.getTime());
  });

  it('are those of the slice, and forgotten if a sweep does not name them again', async () => {
    await finish('0a', [LOW]);
    await finish('ff', [HIGH]);
    await finish('0a');

    expect((await taken('0a')).watched).to.deep.equal([]);
    expect((await taken('ff')).watched.map(({ key }) => key)).to.deep.equal([HIGH]);
  });

  it('are not changed by an owner that has lost the slice', async () => {
    await taken('0a');
    await other.take('0a', 'b', LEASE_MS);
    await slices.finish(WHOLE, 'a', [{ key: LOW, since: undefined }]);

    expect((await taken('0a')).watched).to.deep.equal([]);
  });

  it('may be many', async () => {
    const keys = Array.from({ length: 1500 }, (_, number) =>
      parseBlobKey(`0a${String(number).padStart(6, '0')}-0000-4000-8000-000000000000`),
    );
    await finish('0a', keys);

    expect((await taken('0a')).watched).to.have.length(1500);
  });
}

function pageCases(): void {
  it('is the next one in each turn, and the slice is swept after the last one', async () => {
    await takeAllBut('0a');
    await taken('0a');
    await slices.divide('0a', 'a');
    const pages: Array<string | undefined> = [];
    for (let slice: SweepSlice | undefined; ; ) {
      slice = await slices.takeDue('a', LONG_MS, LEASE_MS);
      if (slice === undefined) break;
      pages.push(slice.page);
      await slices.finish(slice, 'a', []);
    }

    expect(pages).to.deep.equal(TWO_DIGITS);
    expect((await taken('0a')).page).to.equal('');
  });

  it('has the watched blobs of its part, and replaces no others', async () => {
    await finish('0a', [LOW, LAST]);
    await taken('0a');
    await slices.divide('0a', 'a');
    const first = await taken('0a');
    await slices.finish(first, 'a', []);
    for (const _ of TWO_DIGITS.slice(1, -1)) await finish('0a');
    const last = await taken('0a');

    expect([first, last].map(({ page, watched }) => [page, watched.map(({ key }) => key)])).to.deep.equal([
      ['00', [LOW]],
      ['ff', [LAST]],
    ]);
  });

  it('is begun by the owner of the slice alone', async () => {
    await taken('0a', 'b');
    await slices.divide('0a', 'a');

    expect((await taken('0a')).page).to.equal('');
  });
}
