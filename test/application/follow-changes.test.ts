import { expect } from 'chai';
import { AesCursorSeal } from '../../src/adapters/system/aes-cursor-seal.ts';
import { ChangeCursors } from '../../src/application/changes/change-cursors.ts';
import { ChangeTail } from '../../src/application/changes/change-tail.ts';
import { FollowChanges } from '../../src/application/changes/follow-changes.ts';
import { ReadChanges } from '../../src/application/changes/read-changes.ts';
import { CursorExpired, StorageUnavailable } from '../../src/domain/errors.ts';
import type { ChangePage, ChangePosition } from '../../src/domain/ports/records/change-feed.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { settled } from '../support/doubles/gate.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { ManualTime } from '../support/doubles/manual-time.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const FOREVER = { withinMs: 3_600_000, ended: new AbortController().signal };

let time: ManualTime;
let images: InMemoryImageRepository;
let tail: ChangeTail;
let follow: FollowChanges;
let reads: string[];
let isUnavailable: boolean;

async function latest(): Promise<ChangePosition> {
  return await images.changes.latest();
}

/** Lets time pass in the steps of the poller. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) await time.settle(250);
}

function idsOf({ changes }: ChangePage): readonly number[] {
  return changes.map(({ imageId }) => imageId);
}

describe('FollowChanges', () => {
  beforeEach(() => {
    time = new ManualTime();
    images = new InMemoryImageRepository(new ManualClock());
    reads = [];
    isUnavailable = false;
    const feed = intercepted(images.changes, async (name, proceed) => {
      reads.push(name);
      if (isUnavailable) throw new StorageUnavailable();
      return await proceed();
    });
    const cursors = new ChangeCursors(new InMemoryCatalogIdentity(), new AesCursorSeal());
    tail = new ChangeTail(feed, time.after);
    follow = new FollowChanges(new ReadChanges(feed, cursors, images), tail, time.after);
  });

  it('returns at once what is there', async () => {
    const start = await latest();
    const { id } = await images.in(COMMON_SPACE).add(newImage());

    expect(idsOf(await follow.next(start, 10, FOREVER))).to.deep.equal([id]);
    expect(reads).to.deep.equal(['readPage']);
  });

  it('reads four times a second for all readers together, and not at all without one', async () => {
    const start = await latest();
    const leaving = new AbortController();
    const waits = [1, 2, 3].map(() => follow.next(start, 10, { ...FOREVER, ended: leaving.signal }));
    await settled();
    reads.length = 0;
    await pass(10_000);
    expect(reads).to.have.length(40);

    leaving.abort();
    for (const wait of waits) expect(idsOf(await wait)).to.deep.equal([]);
    reads.length = 0;
    await pass(10_000);
    expect(reads).to.deep.equal([]);
  });

  it('gives one page to all readers at the end of the feed', async () => {
    const start = await latest();
    const waits = [1, 2, 3].map(() => follow.next(start, 10, FOREVER));
    await settled();
    const { id } = await images.in(COMMON_SPACE).add(newImage());
    reads.length = 0;
    await pass(250);

    const [first, ...others] = await Promise.all(waits);
    expect(first && idsOf(first)).to.deep.equal([id]);
    for (const other of others) expect(other).to.equal(first);
    expect(reads).to.deep.equal(['readPage']);
  });

  it('loses nothing between the history and what comes, at any speed of the reader', async () => {
    const expected: number[] = [];
    const found: number[] = [];
    let position = await latest();
    for (let round = 0; round < 20; round += 1) {
      for (let at = 0; at < round % 4; at += 1)
        expected.push((await images.in(COMMON_SPACE).add(newImage())).id);
      const next = follow.next(position, 2, { ...FOREVER, withinMs: 250 * (round % 3) });
      await pass(1_000);
      const page = await next;
      found.push(...idsOf(page));
      position = page.next;
    }
    while (found.length < expected.length) {
      const page = await follow.next(position, 2, FOREVER);
      found.push(...idsOf(page));
      position = page.next;
    }
    expect(found).to.deep.equal(expected);
  });

  it('returns nothing when the time is over', async () => {
    const start = await latest();
    const wait = follow.next(start, 10, { ...FOREVER, withinMs: 700 });
    await pass(1_000);

    expect(await wait).to.deep.equal({ start, changes: [], next: start, more: false });
  });

  it('rejects when the catalog is restored meanwhile', async () => {
    await images.in(COMMON_SPACE).add(newImage());
    const wait = rejection(follow.next(await latest(), 10, FOREVER));
    await pass(500);
    await images.changes.begin({ number: 1, mark: 2 ** 40 });
    await pass(500);

    expect(await wait).to.be.instanceOf(CursorExpired);
  });

  it('waits on while the database is unavailable', async () => {
    const start = await latest();
    const wait = follow.next(start, 10, FOREVER);
    await settled();
    isUnavailable = true;
    await pass(5_000);
    isUnavailable = false;
    const { id } = await images.in(COMMON_SPACE).add(newImage());
    await pass(500);

    expect(idsOf(await wait)).to.deep.equal([id]);
  });

  it('returns nothing at once when it is stopped', async () => {
    const start = await latest();
    const wait = follow.next(start, 10, FOREVER);
    await settled();
    tail.stop();

    expect(idsOf(await wait)).to.deep.equal([]);
    expect(idsOf(await follow.next(start, 10, FOREVER))).to.deep.equal([]);
  });
});
