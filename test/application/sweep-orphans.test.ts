import { expect } from 'chai';
import { SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import { SweepOrphans, type SweepReport } from '../../src/application/maintenance/sweep-orphans.ts';
import { SweepTrash } from '../../src/application/maintenance/sweep-trash.ts';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../../src/domain/ports/bytes/rendition-cache.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const GRACE_MS = 60_000;
const MAX_UPLOAD_MS = 120_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NAME = 'hero' as Name;
const CHANGES_MS = 30 * 24 * HOUR_MS;
const TRASH_MS = 10 * 24 * HOUR_MS;
const NOTHING: SweepReport = {
  stagedFiles: 0,
  blobs: 0,
  blobsWatched: 0,
  renditions: 0,
  idempotencyKeys: 0,
  changes: 0,
  changeCounts: 0,
  names: 0,
  trashed: 0,
  foreign: [],
};

let catalog = new CatalogDoubles();
let { clock, keys, identity, images, blobs, staging, renditions, slices, log, uuids } = catalog;
let sweeper: SweepOrphans;

function useCatalog(): void {
  beforeEach(async () => {
    catalog = new CatalogDoubles();
    ({ clock, keys, identity, images, blobs, staging, renditions, slices, log, uuids } = catalog);
    await blobs.claim(await identity.establish());
    sweeper = sweeping();
  });
}

function sweeping(
  ports: { images?: ImageRecords; blobs?: BlobStorage } = {},
  changesMs = CHANGES_MS,
): SweepOrphans {
  const { changes, names } = images;
  const storage = { identity, images, keys, changes, names, blobs, staging, slices, ...ports };
  const limits = { graceMs: GRACE_MS, maxUploadMs: MAX_UPLOAD_MS, changesMs };
  const bytes = { blobs: storage.blobs, renditions };
  const clocks = { wall: clock, steady: clock };
  const sweepTrash = new SweepTrash(images.trash, bytes, clocks, TRASH_MS, log);
  const sweep = { blobs: sweepingBlobs(ports), trash: sweepTrash };
  return new SweepOrphans({ ...storage, ownRenditions: renditions }, sweep, clock, limits, log);
}

function sweepingBlobs(
  ports: { images?: ImageRecords; blobs?: BlobStorage; sharedRenditions?: RenditionCache } = {},
  owner = 'a',
): SweepBlobs {
  const storage = { identity, images, blobs, slices, sharedRenditions: undefined, ...ports };
  return new SweepBlobs(storage, clock, owner, GRACE_MS, log);
}

/** Adds a blob without a record. */
async function addOrphan(uuid = uuids.next()): Promise<BlobKey> {
  await catalog.put(uuid);
  return uuid;
}

async function sweepAfter(milliseconds: number, by = sweeper): Promise<SweepReport> {
  clock.advance(milliseconds);
  return await by.execute({ dryRun: false });
}

describe('SweepOrphans removes a blob without a record', () => {
  useCatalog();

  it('that two sweeps have found, the grace apart', async () => {
    await addOrphan();

    expect(await sweepAfter(GRACE_MS)).to.deep.equal({ ...NOTHING, blobsWatched: 1 });
    expect(blobs.keys).to.have.length(1);
    expect(await sweepAfter(GRACE_MS)).to.deep.equal({ ...NOTHING, blobs: 1 });
    expect(blobs.keys).to.deep.equal([]);
  });

  it('but not while it is younger than the grace', async () => {
    await addOrphan();

    expect(await sweepAfter(GRACE_MS - 1)).to.deep.equal(NOTHING);
    expect(await sweepAfter(GRACE_MS - 1)).to.deep.equal({ ...NOTHING, blobsWatched: 1 });
  });

  it('but not if its record is added right before the removal', async () => {
    const uuid = await addOrphan();
    let looks = 0;
    const late = intercepted<ImageRecords>(images, async (method, proceed) => {
      const found = await proceed();
      if (method === 'findUuidsAmong') looks += 1;
      if (method === 'findUuidsAmong' && looks === 2) await images.in(COMMON_SPACE).add(newImage({ uuid }));
      return found;
    });
    const by = sweeping({ images: late });
    await sweepAfter(GRACE_MS, by);

    expect((await sweepAfter(GRACE_MS, by)).blobs).to.equal(0);
    expect(blobs.keys).to.deep.equal([uuid]);
  });

  it('among many blobs, and keeps those with a record', async () => {
    const recorded: string[] = [];
    for (let count = 0; count < 1001; count += 1) {
      const uuid = await addOrphan();
      if (count % 2 === 0) recorded.push((await images.in(COMMON_SPACE).add(newImage({ uuid }))).uuid);
    }
    await sweepAfter(GRACE_MS);

    expect(await sweepAfter(GRACE_MS)).to.deep.equal({ ...NOTHING, blobs: 500 });
    expect(blobs.keys).to.deep.equal(recorded);
  });
});

describe('SweepOrphans', () => {
  useCatalog();

  describe('removes no blob', () => {
    async function expectNothingRemoved(by = sweeper): Promise<void> {
      const before = blobs.keys;
      expect(await sweepAfter(GRACE_MS, by)).to.deep.equal(NOTHING);
      expect(await sweepAfter(GRACE_MS, by)).to.deep.equal(NOTHING);
      expect(blobs.keys).to.deep.equal(before);
    }

    it('from a store of another catalog, and logs a warning', async () => {
      await addOrphan();
      await blobs.release();
      await blobs.claim('another');

      await expectNothingRemoved();
      expect(log.warnings[0]?.facts).to.deep.equal({ catalog: await identity.find(), owner: 'another' });
    });

    it('from a store without an owner, such as an empty mount, and logs a warning', async () => {
      await addOrphan();
      await blobs.release();

      await expectNothingRemoved();
      expect(log.warnings).to.have.length(2);
    });

    it('from a store that was replaced during a sweep', async () => {
      for (let count = 0; count < 600; count += 1) {
        await addOrphan(parseBlobKey(uuids.next().replace(/^../, '5f')));
      }
      let removed = 0;
      const exchanged = intercepted<BlobStorage>(blobs, (method, proceed) => {
        if (method === 'remove') removed += 1;
        return method === 'remove' && removed === 500 ? blobs.release().then(proceed) : proceed();
      });
      const by = sweeping({ blobs: exchanged });
      await sweepAfter(GRACE_MS, by);

      expect((await sweepAfter(GRACE_MS, by)).blobs).to.equal(500);
    });
  });
});

describe('SweepOrphans', () => {
  useCatalog();

  describe('on a dry run', () => {
    const OLD_KEY = { space: COMMON_SPACE, scope: 'a', key: 'k' };

    it('reports files without a record for longer than the grace, and changes nothing', async () => {
      const uuid = await addOrphan();
      await renditions.put({ uuid, name: 'small.jpg' }, jpegBytes());
      await keys.claim({ ...OLD_KEY, sha256: '0' });
      staging.leftovers.add('left.part');
      clock.advance(49 * HOUR_MS);

      const report = await sweeper.execute({ dryRun: true });

      expect(report).to.deep.equal({
        stagedFiles: 1,
        blobs: 1,
        blobsWatched: 0,
        renditions: 1,
        trashed: 0,
        foreign: [],
      });
      expect(await sweeper.execute({ dryRun: true })).to.deep.equal(report);
      expect(blobs.keys).to.deep.equal([uuid]);
      expect(await keys.find(OLD_KEY)).to.include({ state: 'in_use' });
    });
  });

  it('removes the renditions of deleted images, and keeps the others', async () => {
    const { uuid } = await images.in(COMMON_SPACE).add(newImage({ uuid: uuids.next() }));
    await renditions.put({ uuid, name: 'small.jpg' }, jpegBytes());
    await renditions.put({ uuid: uuids.next(), name: 'small.jpg' }, jpegBytes());

    expect(await sweepAfter(0)).to.deep.equal({ ...NOTHING, renditions: 1 });
    expect(renditions.keys).to.deep.equal([`${uuid}/small.jpg`]);
  });

  it('removes changes whose next one is older than the limit, in batches, and keeps the newest', async () => {
    for (let at = 0; at < 3; at += 1) await images.in(COMMON_SPACE).add(newImage());
    clock.advance(CHANGES_MS + 1);
    expect((await sweepAfter(0)).changes).to.equal(2);
    expect((await sweepAfter(0)).changes).to.equal(0);

    const page = await images.changes.readPage(undefined, 10);
    expect(page?.changes.map(({ imageId }) => imageId)).to.deep.equal([3]);
  });

  it('removes idempotency keys after two days, and not within one', async () => {
    await keys.claim({ space: COMMON_SPACE, scope: 'a', key: 'k', sha256: '0' });

    expect((await sweepAfter(24 * HOUR_MS)).idempotencyKeys).to.equal(0);
    expect((await sweepAfter(24 * HOUR_MS + 1)).idempotencyKeys).to.equal(1);
    expect((await sweepAfter(0)).idempotencyKeys).to.equal(0);
  });

  it('removes the staged files of processes that have ended at once', async () => {
    staging.leftovers.add('left.part');

    expect(await sweepAfter(0)).to.deep.equal({ ...NOTHING, stagedFiles: 1 });
    expect(staging.leftovers.size).to.equal(0);
  });

  it('removes staged files that were not written to for the maximum duration of an upload', async () => {
    const asked: Date[] = [];
    staging.findOrphans = async (unseenBefore: Date) => {
      asked.push(unseenBefore);
      return { names: [], foreign: [] };
    };

    await sweeper.sweepStaging();

    expect(asked).to.deep.equal([new Date(clock.now().getTime() - MAX_UPLOAD_MS)]);
  });

  it('keeps foreign files and logs a warning', async () => {
    blobs.foreign.push('notes.txt');
    staging.foreign.push('.staging/notes.txt');

    expect((await sweepAfter(GRACE_MS)).foreign).to.have.members(['notes.txt', '.staging/notes.txt']);
    expect(log.warnings.map(({ facts }) => facts.names)).to.deep.equal([
      ['.staging/notes.txt'],
      ['notes.txt'],
    ]);
  });

  it('logs the first hundred names of foreign files', async () => {
    for (let number = 0; number < 150; number += 1) blobs.foreign.push(`notes-${number}`);
    for (let number = 0; number < 60; number += 1) staging.foreign.push(`.staging/notes-${number}`);

    expect((await sweepAfter(0)).foreign).to.have.length(100);
  });
});

describe('SweepOrphans', () => {
  useCatalog();

  it('stops between two removals when it is asked to', async () => {
    await addOrphan();
    await addOrphan();
    const stopping = new AbortController();
    const by = sweeping({
      blobs: intercepted<BlobStorage>(blobs, (method, proceed) => {
        if (method === 'remove') stopping.abort();
        return proceed();
      }),
    });
    await sweepAfter(GRACE_MS, by);
    clock.advance(GRACE_MS);

    await rejection(by.execute({ dryRun: false, stopped: stopping.signal }));

    expect(blobs.keys).to.have.length(1);
  });
});

describe('SweepOrphans', () => {
  useCatalog();

  for (const [changesMs, days] of [
    [CHANGES_MS, 30],
    [DAY_MS, 8],
  ] as const) {
    it(`forgets names that were removed ${days} days ago, with changes of ${changesMs / DAY_MS} days`, async () => {
      const by = sweeping({}, changesMs);
      const { id } = await images.in(COMMON_SPACE).add(newImage({ uuid: uuids.next() }));
      await images.names.in(COMMON_SPACE).set(NAME, id, {});
      await images.names.in(COMMON_SPACE).remove(NAME, {});
      for (let newer = 0; newer < 2; newer += 1) {
        clock.advance(1);
        await images.in(COMMON_SPACE).add(newImage({ uuid: uuids.next() }));
      }

      expect(await sweepAfter(days * DAY_MS - 3, by)).to.include({ names: 0 });
      expect(await sweepAfter(3, by)).to.include({ names: 1 });
      expect(images.names.all()).to.deep.equal([]);
    });
  }
});
