import { expect } from 'chai';
import { MAX_SLICE_BLOBS, SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TWO_DIGITS } from '../../src/domain/ports/records/sweep-slices.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const GRACE_MS = 60_000;
const INTERVAL_MS = 60_000;
const LEASE_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
const NOTHING = { blobs: 0, blobsWatched: 0, renditions: 0, foreign: [] };

let { clock, images, blobs, slices, renditions, identity, log, put } = new CatalogDoubles();

function sweepingBlobs(owner: string, store: BlobStorage = blobs): SweepBlobs {
  const storage = { identity, images, slices, blobs: store, sharedRenditions: renditions };
  return new SweepBlobs(storage, clock, owner, GRACE_MS, log);
}

async function addOrphan(digits = '00000000'): Promise<BlobKey> {
  const key = parseBlobKey(`${digits}-0000-4000-8000-000000000000`);
  await put(key);
  return key;
}

/** More orphans than the slice 7a may have. */
function manyOrphans(): Set<BlobKey> {
  const digitsOf = (number: number): string => `7a${(number * 151).toString(16).padStart(6, '0')}`;
  const keys = Array.from({ length: MAX_SLICE_BLOBS + 1 }, (_, number) =>
    parseBlobKey(`${digitsOf(number)}-0000-4000-8000-000000000000`),
  );
  return new Set(keys);
}

function storeOf(keys: Set<BlobKey>): BlobStorage {
  const modified = clock.now();
  const list = async function* (prefix = ''): AsyncGenerator<{ kind: 'blob'; key: BlobKey; modified: Date }> {
    for (const key of keys) if (key.startsWith(prefix)) yield { kind: 'blob', key, modified };
  };
  const remove = async (key: BlobKey): Promise<void> => void keys.delete(key);
  return Object.assign(Object.create(blobs) as BlobStorage, {
    owner: () => blobs.owner(),
    list,
    remove,
  });
}

function beforeRemovals(act: () => Promise<void>): BlobStorage {
  return intercepted<BlobStorage>(blobs, (method, proceed) =>
    method === 'remove' ? act().then(proceed) : proceed(),
  );
}

async function sweepAllDue(by: SweepBlobs): Promise<number> {
  for (let swept = 0; ; swept += 1) {
    if ((await by.sweepDue(INTERVAL_MS, STAYING)) === undefined) return swept;
  }
}

async function openCatalog(): Promise<void> {
  ({ clock, images, blobs, slices, renditions, identity, log, put } = new CatalogDoubles());
  await blobs.claim(await identity.establish());
}

/** Another process holds all others. */
async function openFirstSlice(): Promise<void> {
  await openCatalog();
  for (const prefix of TWO_DIGITS.slice(1)) await slices.take(prefix, 'busy', DAY_MS);
}

describe('SweepBlobs in a slice', () => {
  beforeEach(openFirstSlice);

  it('sweeps a slice once in an interval, whichever process does', async () => {
    const [one, other] = [sweepingBlobs('one'), sweepingBlobs('other')];

    expect(await one.sweepDue(INTERVAL_MS, STAYING)).to.deep.equal(NOTHING);
    expect(await other.sweepDue(INTERVAL_MS, STAYING)).to.equal(undefined);
    clock.advance(INTERVAL_MS - 1);
    expect(await one.sweepDue(INTERVAL_MS, STAYING)).to.equal(undefined);
    clock.advance(1);
    expect(await other.sweepDue(INTERVAL_MS, STAYING)).to.deep.equal(NOTHING);
  });

  it('takes over the slice of a killed process when its lease has ended', async () => {
    await slices.takeDue('killed', INTERVAL_MS, LEASE_MS);
    const by = sweepingBlobs('one');

    expect(await by.sweepDue(INTERVAL_MS, STAYING)).to.equal(undefined);
    clock.advance(LEASE_MS);
    expect(await by.sweepDue(INTERVAL_MS, STAYING)).to.deep.equal(NOTHING);
  });

  it('keeps a lease that a long sweep renews', async () => {
    for (let number = 0; number < 4; number += 1) await addOrphan(`0000000${number}`);
    clock.advance(GRACE_MS);
    const taken: unknown[] = [];
    await sweepingBlobs('one').sweepDue(INTERVAL_MS, STAYING);
    clock.advance(GRACE_MS);
    const slow = beforeRemovals(async () => {
      clock.advance(LEASE_MS - 1);
      taken.push(await slices.takeDue('other', INTERVAL_MS, LEASE_MS));
    });

    expect((await sweepingBlobs('one', slow).sweepDue(INTERVAL_MS, STAYING))?.blobs).to.equal(4);
    expect(taken).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it('ends its sweep if another process has taken the slice', async () => {
    for (const digits of ['00000001', '00000002']) await addOrphan(digits);
    clock.advance(GRACE_MS);
    await sweepingBlobs('one').sweepDue(INTERVAL_MS, STAYING);
    clock.advance(GRACE_MS);
    const halted = beforeRemovals(async () => {
      clock.advance(LEASE_MS);
      await slices.takeDue('other', INTERVAL_MS, LEASE_MS);
    });

    expect((await sweepingBlobs('one', halted).sweepDue(INTERVAL_MS, STAYING))?.blobs).to.equal(1);
    expect(await sweepingBlobs('one').sweepDue(INTERVAL_MS, STAYING)).to.equal(undefined);
  });

  it('gives up its slice when it is stopped', async () => {
    await addOrphan();
    clock.advance(GRACE_MS);

    await rejection(sweepingBlobs('one').sweepDue(INTERVAL_MS, AbortSignal.abort(new Error('stopped'))));
    expect((await sweepingBlobs('other').sweepDue(INTERVAL_MS, STAYING))?.blobsWatched).to.equal(1);
  });

  it('removes shared renditions of deleted images', async () => {
    await renditions.put(
      { uuid: parseBlobKey('00000000-0000-4000-8000-000000000000'), name: 'a' },
      jpegBytes(),
    );

    expect((await sweepingBlobs('one').sweepDue(INTERVAL_MS, STAYING))?.renditions).to.equal(1);
    expect(renditions.keys).to.deep.equal([]);
  });
});

describe('SweepBlobs in all slices', () => {
  beforeEach(openCatalog);

  it('sweeps each once in an interval', async () => {
    expect(await sweepAllDue(sweepingBlobs('one'))).to.equal(TWO_DIGITS.length);
    expect(await sweepAllDue(sweepingBlobs('other'))).to.equal(0);
  });

  it('sweeps one that is too large in a page each turn', async () => {
    const keys = manyOrphans();
    const by = sweepingBlobs('one', storeOf(keys));
    clock.advance(GRACE_MS);

    expect(await sweepAllDue(by)).to.equal(TWO_DIGITS.length + TWO_DIGITS.length);
    clock.advance(INTERVAL_MS);
    expect(await sweepAllDue(by)).to.equal(TWO_DIGITS.length + TWO_DIGITS.length);
    expect(keys.size).to.equal(0);
  });

  it('lists the store once on command', async () => {
    let listings = 0;
    const counted = intercepted<BlobStorage>(blobs, (method, proceed) => {
      if (method === 'list') listings += 1;
      return proceed();
    });
    await addOrphan();
    clock.advance(GRACE_MS);

    expect((await sweepingBlobs('one', counted).sweepAll({ dryRun: false })).blobsWatched).to.equal(1);
    expect(listings).to.equal(1);
  });
});
