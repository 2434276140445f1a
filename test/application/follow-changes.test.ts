import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { ChangeCursors } from '../../src/application/changes/change-cursors.ts';
import { ChangeTail } from '../../src/application/changes/change-tail.ts';
import { FollowChanges } from '../../src/application/changes/follow-changes.ts';
import { EVERY_SPACE, ReadChanges } from '../../src/application/changes/read-changes.ts';
import { CursorExpired, StorageUnavailable } from '../../src/domain/errors.ts';
import type { ChangePage, ChangePosition } from '../../src/domain/ports/records/change-feed.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryChanges } from '../support/doubles/in-memory-changes.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const BUSY = 'busy' as Space;
const QUIET = 'quiet' as Space;
const FOREVER = { withinMs: 3_600_000, ended: new AbortController().signal };

let time: ManualTime;
let changes: InMemoryChanges;
let lastId: number;
let tail: ChangeTail;
let follow: FollowChanges;
let reads: string[];
let isUnavailable: boolean;

async function latest(): Promise<ChangePosition> {
  return await changes.latest();
}

/** Returns the image. */
function add(space = QUIET): number {
  lastId += 1;
  changes.add({ space, type: 'image.created', imageId: lastId, at: new Date(0), by: null });
  return lastId;
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
    changes = new InMemoryChanges();
    lastId = 0;
    reads = [];
    isUnavailable = false;
    const feed = intercepted(changes, async (name, proceed) => {
      reads.push(name);
      if (isUnavailable) throw new StorageUnavailable();
      return await proceed();
    });
    const cursors = new ChangeCursors(new InMemoryCatalogIdentity(), new NodeAddressSeal());
    tail = new ChangeTail(feed, time.after);
    const images = { in: () => ({ findById: async () => undefined }) };
    follow = new FollowChanges(new ReadChanges(feed, cursors, images), tail, time.after);
  });

  it('reads four times a second for all readers together, and not at all without one', async () => {
    const start = await latest();
    const leaving = new AbortController();
    const waits = [1, 2, 3].map(() => follow.next(QUIET, start, 10, { ...FOREVER, ended: leaving.signal }));
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
    const waits = [1, 2, 3].map(() => follow.next(QUIET, start, 10, FOREVER));
    await settled();
    const id = add();
    reads.length = 0;
    await pass(250);

    const [first, ...others] = await Promise.all(waits);
    expect(first && idsOf(first)).to.deep.equal([id]);
    for (const other of others) expect(other).to.equal(first);
    expect(reads).to.deep.equal(['readPage']);
  });

  it('returns nothing when the time is over', async () => {
    const start = await latest();
    const wait = follow.next(QUIET, start, 10, { ...FOREVER, withinMs: 700 });
    await pass(1_000);

    expect(await wait).to.deep.equal({ start, changes: [], next: start, more: false });
  });

  it('rejects when the catalog is restored meanwhile', async () => {
    add();
    const wait = rejection(follow.next(QUIET, await latest(), 10, FOREVER));
    await pass(500);
    changes.begin({ number: 1, mark: 2 ** 40 });
    await pass(500);

    expect(await wait).to.be.instanceOf(CursorExpired);
  });

  it('waits on while the database is unavailable', async () => {
    const start = await latest();
    const wait = follow.next(QUIET, start, 10, FOREVER);
    await settled();
    isUnavailable = true;
    await pass(5_000);
    isUnavailable = false;
    const id = add();
    await pass(500);

    expect(idsOf(await wait)).to.deep.equal([id]);
  });

  it('returns nothing at once when it is stopped', async () => {
    const start = await latest();
    const wait = follow.next(QUIET, start, 10, FOREVER);
    await settled();
    tail.stop();

    expect(idsOf(await wait)).to.deep.equal([]);
    expect(idsOf(await follow.next(QUIET, start, 10, FOREVER))).to.deep.equal([]);
  });

  describe('in one of several spaces', spaces);
});

function spaces(): void {
  it('waits on while others change', async () => {
    const start = await latest();
    let isOver = false;
    const wait = follow.next(QUIET, start, 10, FOREVER).then((page) => {
      isOver = true;
      return page;
    });
    for (let round = 0; round < 40; round += 1) {
      for (let at = 0; at < 60; at += 1) add(BUSY);
      await pass(250);
    }
    const wasOver = isOver;
    const id = add(QUIET);
    await pass(250);

    expect(wasOver).to.equal(false);
    expect(idsOf(await wait)).to.deep.equal([id]);
    expect((await wait).more).to.equal(false);
  });

  it('moves its position on with the whole catalog, so that it does not expire', async () => {
    const start = await latest();
    const wait = follow.next(QUIET, start, 10, { ...FOREVER, withinMs: 10_100 });
    for (let round = 0; round < 40; round += 1) {
      add(BUSY);
      await pass(250);
    }
    const newest = await latest();
    await changes.removeOlder(new Date());
    await pass(250);

    expect(await wait).to.deep.include({ changes: [], next: newest, more: false });
    const after = follow.next(QUIET, (await wait).next, 10, FOREVER);
    const id = add(QUIET);
    await pass(500);
    expect(idsOf(await after)).to.deep.equal([id]);
  });

  it('shows each reader the changes of its space, and those of all to one of every space', async () => {
    const start = await latest();
    const waits = [BUSY, QUIET, EVERY_SPACE] as const;
    const [busy, quiet, all] = waits.map((space) => follow.next(space, start, 10, FOREVER));
    await settled();
    const ids = [add(BUSY), add(QUIET), add(BUSY)];
    await pass(250);

    expect(busy && idsOf(await busy)).to.deep.equal([ids[0], ids[2]]);
    expect(quiet && idsOf(await quiet)).to.deep.equal([ids[1]]);
    expect(all && idsOf(await all)).to.deep.equal(ids);
    for (const page of [busy, quiet, all]) expect((await page)?.next).to.deep.equal(await latest());
  });

  it('loses and repeats nothing beside others, at any speed of the reader', async () => {
    const expected: number[] = [];
    const found: number[] = [];
    let position = await latest();
    for (let round = 0; round < 60; round += 1) {
      const others = follow.next(BUSY, await latest(), 10, { ...FOREVER, withinMs: 500 });
      const next = follow.next(QUIET, position, 3, { ...FOREVER, withinMs: 250 * (round % 4) });
      for (let at = 0; at < (round * 7) % 150; at += 1) {
        if (at % 50 === 3) expected.push(add(QUIET));
        else add(BUSY);
        if (at % 40 === 0) await pass(250);
      }
      await pass(1_000);
      await others;
      const page = await next;
      found.push(...idsOf(page));
      position = page.next;
    }
    found.push(...idsOf(await follow.next(QUIET, position, 1_000, { ...FOREVER, withinMs: 0 })));
    expect(found).to.deep.equal(expected);
  });

  it('waits behind a page without reading it again', async () => {
    const start = await latest();
    const wait = follow.behind(QUIET, { start, changes: [], next: start, more: false }, 10, FOREVER);
    await settled();
    expect(reads).to.deep.equal(['latest']);
    const id = add(QUIET);
    await pass(250);

    expect(idsOf(await wait)).to.deep.equal([id]);
  });
}
