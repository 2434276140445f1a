import { expect } from 'chai';
import { QuotaExceeded, SpaceInUse } from '../../src/domain/errors.ts';
import type { CatalogImage, NewImage } from '../../src/domain/image/image.ts';
import type { ClaimRequest, KeyRecords } from '../../src/domain/ports/records/idempotency-keys.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { Page } from '../../src/domain/ports/records/page.ts';
import type {
  SpacePageQuery,
  SpaceRecords,
  SpaceStatus,
} from '../../src/domain/ports/records/space-records.ts';
import { COMMON_SPACE, NO_LIMITS, NOTHING, type Space } from '../../src/domain/space/space.ts';
import { keyOfTicket, type Ticket } from '../../src/domain/ticket/ticket.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { claimed } from './idempotency-keys.contract.ts';
import { madeForEach } from './made-for-each.ts';

export interface SpacesUnderTest {
  readonly spaces: SpaceRecords;
  /** In the same database, as several processes have it; empty before each test. */
  readonly processes: readonly [ImageRecords, ...ImageRecords[]];
  readonly keys: KeyRecords;
  /** The same spaces, whose pages look at so many candidates at most. */
  readonly boundedTo: (candidates: number) => SpaceRecords;
  /** Makes the counters of a space wrong: one image more, and a byte. Left out if they cannot be. */
  readonly miscount?: (space: Space) => Promise<void>;
  tearDown(): Promise<void>;
}

const [ALICE, BOB, CAROL] = ['alice', 'bob', 'Ωmega 🐈'] as [Space, Space, Space];
const EVERYTHING = { order: 'asc', limit: 1000 } as const;
const REQUEST: ClaimRequest = { space: ALICE, scope: 'a client', key: 'a key', sha256: 'a'.repeat(64) };

const TICKET: ClaimRequest = { ...REQUEST, ...keyOfTicket({ id: 'a ticket' } as Ticket) };

/** Of the running test: set before each. */
let made: SpacesUnderTest;
let spaces: SpaceRecords;
let images: ImageRecords;

/** Registers tests of all guarantees of `SpaceRecords`, and those of `ImageRepository` about other spaces and quotas. */
export function keepsSpacesApart(name: string, setUp: () => Promise<SpacesUnderTest>): void {
  describe(`${name} keeps spaces apart`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      spaces = made.spaces;
      [images] = made.processes;
    });

    describe('the images of a space', imageCases);
    describe('the usage of a space', usageCases);
    describe('a limit', limitCases);
    describe('limits of their own', ownLimitCases);
    describe('the spaces of a page', pageCases);
    for (const [from, to] of RENAMED) describe(`rename of '${from}' to '${to}'`, () => renameCases(from, to));
    describe('forget', forgetCases);
    describe('recount', recountCases);
  });
}

async function add(space: Space, stated: Partial<NewImage> = {}): Promise<CatalogImage> {
  return await images.in(space).add(newImage(stated));
}

async function addByTicket(space: Space): Promise<CatalogImage> {
  return await images.in(space).add(newImage(), await claimed(made.keys, { ...TICKET, space }));
}

async function idsIn(space: Space): Promise<readonly number[]> {
  return (await images.findPage({ ...EVERYTHING, space })).map(({ id }) => id);
}

function namesOn({ items }: Page<SpaceStatus, Space>): readonly Space[] {
  return items.map(({ item }) => item.space);
}

async function amountOf(space: Space): Promise<object> {
  const { images: count, bytes } = await spaces.find(space);
  return { images: count, bytes };
}

function imageCases(): void {
  it('are not in other spaces', async () => {
    const sha256 = 'c'.repeat(64);
    const { id } = await add(ALICE, { sha256 });

    for (const other of [COMMON_SPACE, BOB, CAROL]) {
      expect(await images.in(other).findById(id)).to.equal(undefined);
      expect(await images.in(other).removeById(id)).to.equal(false);
      expect(await images.in(other).findIdsBySha256([sha256])).to.deep.equal(new Map());
      expect(await idsIn(other)).to.deep.equal([]);
    }
    expect(await images.in(ALICE).findById(id)).to.include({ id });
    expect(await images.in(ALICE).findIdsBySha256([sha256])).to.deep.equal(new Map([[sha256, [id]]]));
    expect(await images.in(ALICE).removeById(id)).to.equal(true);
  });

  it('are read together with those of other spaces', async () => {
    const added = [await add(ALICE), await add(COMMON_SPACE), await add(CAROL)];
    const owned = added.map((image, at) => ({ ...image, space: [ALICE, COMMON_SPACE, CAROL][at] }));

    expect(await images.findPage(EVERYTHING)).to.deep.equal(owned);
    expect(await Promise.all(added.map(({ id }) => images.findById(id)))).to.deep.equal(owned);
    expect(await images.count()).to.equal(3);
    for (const { id, space } of owned) expect(await idsIn(space as Space)).to.deep.equal([id]);
  });

  it('are found by concurrent readers of different spaces, each its own', async () => {
    const [{ id: one }, { id: other }] = [await add(ALICE), await add(BOB)];

    const found = await Promise.all(
      [ALICE, BOB].flatMap((space) => [one, other].map((id) => images.in(space).findById(id))),
    );

    expect(found.map((image) => image?.id)).to.deep.equal([one, undefined, undefined, other]);
  });

  it('are removed by the space that has them, of several that try at the same time', async () => {
    const { id } = await add(BOB);

    const removals = await Promise.all(
      [ALICE, BOB, ALICE, BOB].map((space) => images.in(space).removeById(id)),
    );

    expect(removals).to.deep.equal([false, true, false, false]);
    expect(await amountOf(BOB)).to.deep.equal(NOTHING);
  });

  it('say who has uploaded them', async () => {
    const added = await images.in(ALICE).add(newImage(), undefined, undefined, 'Alice herself');

    expect(added.createdBy).to.equal('Alice herself');
    expect(await images.in(ALICE).findById(added.id)).to.deep.equal(added);
    expect((await add(ALICE)).createdBy).to.equal(null);
  });

  it('are restored into their spaces, with those who have uploaded them', async () => {
    const restored = [ALICE, COMMON_SPACE, ALICE].map((space, at) => ({
      ...newImage({ size: 10 }),
      id: at + 5,
      space,
      createdBy: at === 0 ? 'Alice herself' : null,
      createdAt: new Date('2025-06-01T08:30:00.123Z'),
    }));

    await images.restore(restored);
    await images.restore(restored);

    const found = await images.findPage(EVERYTHING);
    expect(found.map(({ id, space, createdBy }) => ({ id, space, createdBy }))).to.deep.equal(
      restored.map(({ id, space, createdBy }) => ({ id, space, createdBy })),
    );
    expect(await amountOf(ALICE)).to.deep.equal({ images: 2, bytes: 20 });
  });
}

function usageCases(): void {
  it('counts images and bytes', async () => {
    const { id } = await add(ALICE, { size: 2 ** 41 });
    await add(ALICE, { size: 7 });
    await add(COMMON_SPACE, { size: 100 });
    expect(await amountOf(ALICE)).to.deep.equal({ images: 2, bytes: 2 ** 41 + 7 });

    await images.in(ALICE).removeById(id);

    expect(await amountOf(ALICE)).to.deep.equal({ images: 1, bytes: 7 });
    expect(await amountOf(COMMON_SPACE)).to.deep.equal({ images: 1, bytes: 100 });
  });

  it('is listed by name for spaces that have an image or a limit', async () => {
    for (const space of [CAROL, BOB, COMMON_SPACE]) await add(space, { size: 3 });
    const { id } = await add('emptied' as Space);
    await images.in('emptied' as Space).removeById(id);
    await spaces.setLimits(ALICE, { images: 0 });

    expect(
      (await spaces.findAll()).map(({ space, images: count, bytes }) => [space, count, bytes]),
    ).to.deep.equal([
      [COMMON_SPACE, 1, 3],
      [ALICE, 0, 0],
      [BOB, 1, 3],
      [CAROL, 1, 3],
    ]);
  });

  it('is exact after concurrent uploads and removals of several processes', async () => {
    const sizes = Array.from({ length: 40 }, (_, at) => at + 1);
    const added = await Promise.all(
      sizes.map((size, at) =>
        processOf(at)
          .in([ALICE, BOB][at % 2] as Space)
          .add(newImage({ size })),
      ),
    );
    await Promise.all(
      added.slice(0, 20).map(({ id }, at) =>
        processOf(at + 1)
          .in(ALICE)
          .removeById(id),
      ),
    );

    expect(await amountOf(ALICE)).to.deep.equal(sumOf(sizes.filter((size) => size > 20 && size % 2 === 1)));
    expect(await amountOf(BOB)).to.deep.equal(sumOf(sizes.filter((size) => size % 2 === 0)));
    expect(await spaces.recount()).to.deep.equal([]);
  });
}

function processOf(at: number): ImageRecords {
  return made.processes[at % made.processes.length] as ImageRecords;
}

function sumOf(sizes: readonly number[]): object {
  return { images: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function limitCases(): void {
  it('of 0 admits nothing, leaves nothing of a refused upload, and concerns its space alone', async () => {
    await spaces.setLimits(ALICE, { images: 0 });
    const image = newImage();

    expect(await rejection(images.in(ALICE).add(image))).to.be.instanceOf(QuotaExceeded);
    expect(await images.findUuidsAmong([image.uuid])).to.deep.equal(new Set());
    await add(BOB);
    await add(COMMON_SPACE);
    expect(await images.count()).to.equal(2);
  });

  for (const space of [COMMON_SPACE, ALICE]) {
    it(`of images or bytes is reached but not passed, in '${space}'`, async () => {
      await spaces.setLimits(space, { images: 2, bytes: 100 });

      await add(space, { size: 60 });
      expect(await rejection(add(space, { size: 41 }))).to.be.instanceOf(QuotaExceeded);
      const { id } = await add(space, { size: 40 });
      expect(await rejection(add(space, { size: 1 }))).to.be.instanceOf(QuotaExceeded);

      await images.in(space).removeById(id);
      await add(space, { size: 1 });
      expect(await spaces.find(space)).to.deep.equal({
        images: 2,
        bytes: 61,
        trashed: NOTHING,
        limits: { images: 2, bytes: 100 },
      });
    });
  }

  it('is never passed by concurrent uploads of several processes together', async () => {
    await spaces.setLimits(ALICE, { bytes: 1_000 });

    const uploads = await Promise.allSettled(
      Array.from({ length: 60 }, (_, at) =>
        processOf(at)
          .in(at % 3 === 0 ? BOB : ALICE)
          .add(newImage({ size: 101 })),
      ),
    );

    const refused = uploads.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).to.have.length(40 - 9);
    for (const { reason } of refused) expect(reason).to.be.instanceOf(QuotaExceeded);
    expect(await amountOf(ALICE)).to.deep.equal({ images: 9, bytes: 909 });
    expect(await amountOf(BOB)).to.deep.equal({ images: 20, bytes: 2_020 });
    expect(await spaces.recount()).to.deep.equal([]);
  });

  it('admits smaller images that are uploaded together with one that does not fit', async () => {
    await spaces.setLimits(ALICE, { bytes: 100 });

    const uploads = await Promise.allSettled([60, 50, 40].map((size) => add(ALICE, { size })));

    expect(uploads.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not count an image that fails for another reason', async () => {
    await spaces.setLimits(ALICE, { images: 1 });
    const swept = newImage();
    await images.removeUnrecorded(swept.uuid, async () => {});

    const uploads = await Promise.allSettled([images.in(ALICE).add(swept), add(ALICE), add(ALICE)]);

    // In any order: each is recorded alone.
    expect(uploads[0]?.status).to.equal('rejected');
    expect(uploads.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await spaces.recount()).to.deep.equal([]);
    expect(await amountOf(ALICE)).to.include({ images: 1 });
  });

  it('leaves the claim of a refused upload as it is', async () => {
    await spaces.setLimits(ALICE, { images: 0 });
    const claim = await claimed(made.keys, REQUEST);

    expect(await rejection(images.in(ALICE).add(newImage(), claim))).to.be.instanceOf(QuotaExceeded);
    expect((await made.keys.claim(REQUEST)).state).to.equal('in_use');
    await made.keys.release(claim);

    expect((await made.keys.claim(REQUEST)).state).to.equal('claimed');
  });

  it('concerns neither restored images nor unlimited ones', async () => {
    await spaces.setLimits(ALICE, { images: 0 });

    await images.unlimited.in(ALICE).add(newImage({ size: 3 }));
    const restored = {
      ...newImage({ size: 4 }),
      id: 100,
      space: ALICE,
      createdBy: null,
      createdAt: new Date(),
    };
    await images.restore([restored]);

    expect(await amountOf(ALICE)).to.deep.equal({ images: 2, bytes: 7 });
    expect(await rejection(add(ALICE))).to.be.instanceOf(QuotaExceeded);
  });
}

function ownLimitCases(): void {
  it('change one by one, and return to the defaults', async () => {
    await spaces.setLimits(ALICE, { images: 5, bytes: 2 ** 50 });
    await spaces.setLimits(ALICE, { images: 0 });
    expect((await spaces.find(ALICE)).limits).to.deep.equal({ images: 0, bytes: 2 ** 50 });

    await spaces.setLimits(ALICE, { images: 'default', bytes: 'default' });

    expect((await spaces.find(ALICE)).limits).to.deep.equal(NO_LIMITS);
    expect(await spaces.findAll()).to.deep.equal([]);
  });

  it('may be none at all, which is not the same as the default', async () => {
    const changed = await spaces.setLimits(ALICE, { images: null, bytes: Number.MAX_SAFE_INTEGER });

    expect(changed).to.deep.equal({
      ...NO_USAGE,
      space: ALICE,
      limits: { images: null, bytes: Number.MAX_SAFE_INTEGER },
    });
    expect(await spaces.findAll()).to.deep.equal([changed]);
    await spaces.setLimits(ALICE, { bytes: null });
    expect(await spaces.findStatus(ALICE)).to.deep.equal({ ...NO_USAGE, space: ALICE });
    await add(ALICE, { size: 5 });
    expect((await spaces.setLimits(ALICE, {})).bytes).to.equal(5);
  });

  it('make no space if they are the defaults', async () => {
    expect(await spaces.setLimits(ALICE, { images: 'default' })).to.deep.equal({ ...NO_USAGE, space: ALICE });
    expect(await spaces.findAll()).to.deep.equal([]);
  });
}

const NO_USAGE = { ...NOTHING, trashed: NOTHING, limits: NO_LIMITS };

function pageCases(): void {
  it('are those with an image or a limit, by code point', async () => {
    for (const space of [CAROL, BOB, COMMON_SPACE]) await add(space);
    await spaces.setLimits(ALICE, { images: 1 });
    await claimed(made.keys, { ...REQUEST, space: 'dora' as Space });
    const namesOf = async (query: Partial<SpacePageQuery>): Promise<readonly Space[]> =>
      namesOn(await spaces.findPage({ limit: 9, ...query }));

    expect(await namesOf({})).to.deep.equal([COMMON_SPACE, ALICE, BOB, CAROL]);
    const { items, next } = await spaces.findPage({ limit: 9 });
    expect(items.map(({ item }) => item)).to.deep.equal(await spaces.findAll());
    expect(next).to.equal(undefined);
    expect(await namesOf({ limit: 2 })).to.deep.equal([COMMON_SPACE, ALICE]);
    expect(await namesOf({ limit: 2, after: ALICE })).to.deep.equal([BOB, CAROL]);
    expect(await namesOf({ after: COMMON_SPACE })).to.deep.equal([ALICE, BOB, CAROL]);
    expect(await namesOf({ after: 'alien' as Space })).to.deep.equal([BOB, CAROL]);
    expect(await namesOf({ after: CAROL })).to.deep.equal([]);
  });

  it('go on after the last one of a full page, and end with the last one', async () => {
    for (const space of [ALICE, BOB, CAROL]) await add(space);
    const nextOf = async (query: SpacePageQuery): Promise<Space | undefined> =>
      (await spaces.findPage(query)).next;

    expect(await nextOf({ limit: 2 })).to.equal(BOB);
    expect(await nextOf({ limit: 3 })).to.equal(undefined);
    expect(await nextOf({ limit: 2, after: ALICE })).to.equal(undefined);
    expect(await nextOf({ limit: 2, after: CAROL })).to.equal(undefined);
  });

  it('end early after so many candidates, and go on after them', async () => {
    for (const space of [CAROL, BOB, COMMON_SPACE, ALICE]) await add(space);
    for (const name of ['amy', 'ann', 'ava', 'zoe', 'zoé']) {
      await claimed(made.keys, { ...REQUEST, space: name as Space });
    }
    const bounded = made.boundedTo(2);
    const pages: Array<readonly Space[]> = [];
    let after: Space | undefined;
    do {
      const page = await bounded.findPage({ limit: 9, after });
      pages.push(namesOn(page));
      after = page.next;
    } while (after !== undefined);

    expect(pages.flat()).to.deep.equal([COMMON_SPACE, ALICE, BOB, CAROL]);
    expect(Math.max(...pages.map(({ length }) => length))).to.equal(2);
    expect(namesOn(await bounded.findPage({ limit: 1, after: COMMON_SPACE }))).to.deep.equal([ALICE]);
  });

  it('are found one by one, if they have something', async () => {
    await add(BOB, { size: 5 });
    await claimed(made.keys, { ...REQUEST, space: CAROL });

    expect(await spaces.findStatus(BOB)).to.deep.equal({ ...NO_USAGE, space: BOB, images: 1, bytes: 5 });
    for (const none of [ALICE, CAROL, COMMON_SPACE]) {
      expect(await spaces.findStatus(none)).to.equal(undefined);
    }
  });
}

const RENAMED: ReadonlyArray<readonly [Space, Space]> = [
  [ALICE, CAROL],
  [COMMON_SPACE, CAROL],
  [ALICE, COMMON_SPACE],
];

function renameCases(from: Space, to: Space): void {
  it('tells whether there is such a space, and does nothing if nothing is in it', async () => {
    expect(await spaces.rename('nobody' as Space, to)).to.equal(false);
    await spaces.rename(from, to);
    expect(await spaces.findAll()).to.deep.equal([]);
    await add(from);

    expect(await spaces.rename(from, to)).to.equal(true);
  });

  it('gives images, counters and limits to the new name', async () => {
    const { id } = await add(from, { size: 5 });
    await add(BOB);
    await spaces.setLimits(from, { bytes: 9 });

    await spaces.rename(from, to);

    expect(await idsIn(to)).to.deep.equal([id]);
    expect(await idsIn(from)).to.deep.equal([]);
    expect(await images.in(to).findById(id)).to.include({ id });
    expect(await spaces.find(to)).to.deep.include({
      images: 1,
      bytes: 5,
      limits: { images: null, bytes: 9 },
    });
    expect(await spaces.find(from)).to.deep.equal({ ...NOTHING, trashed: NOTHING, limits: NO_LIMITS });
    expect(await spaces.recount()).to.deep.equal([]);
    await add(to, { size: 4 });
    await add(from, { size: 10 });
    expect((await idsIn(to)).length).to.equal(2);
  });

  it('gives completed keys to the new name', async () => {
    const { id } = await images
      .in(from)
      .add(newImage(), await claimed(made.keys, { ...REQUEST, space: from }));

    await spaces.rename(from, to);

    expect(await made.keys.claim({ ...REQUEST, space: to })).to.include({ state: 'completed', imageId: id });
    expect((await made.keys.claim({ ...REQUEST, space: from })).state).to.equal('claimed');
  });

  it('keeps what tickets were used for under their names, there and back', async () => {
    const { id } = await addByTicket(from);

    await spaces.rename(from, to);
    expect(await made.keys.claim({ ...TICKET, space: from })).to.include({ state: 'completed', imageId: id });
    expect(await made.keys.find({ ...TICKET, space: to })).to.equal(undefined);
    await spaces.rename(to, from);

    expect(await made.keys.claim({ ...TICKET, space: from })).to.include({ state: 'completed', imageId: id });
    expect(await idsIn(from)).to.deep.equal([id]);
  });

  it('keeps what tickets of the new name were used for', async () => {
    const { id: gone } = await addByTicket(to);
    await images.in(to).removeById(gone);
    const { id } = await addByTicket(from);

    await spaces.rename(from, to);

    expect(await made.keys.claim({ ...TICKET, space: to })).to.include({ state: 'completed', imageId: gone });
    expect(await made.keys.claim({ ...TICKET, space: from })).to.include({ state: 'completed', imageId: id });
  });

  it('lets an upload by ticket go on in a new space of the former name', async () => {
    await add(from);
    const claim = await claimed(made.keys, { ...TICKET, space: from });

    await spaces.rename(from, to);

    const { id } = await images.in(from).add(newImage(), claim);
    expect(await idsIn(from)).to.deep.equal([id]);
  });

  const USES: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ['an image', () => add(to)],
    ['a limit', () => spaces.setLimits(to, { images: 1 })],
    ['a key', () => claimed(made.keys, { ...REQUEST, space: to })],
  ];
  for (const [what, use] of USES) {
    it(`changes nothing if the new name has ${what}`, async () => {
      const { id } = await add(from);
      await use();

      expect(await rejection(spaces.rename(from, to))).to.be.instanceOf(SpaceInUse);
      expect(await idsIn(from)).to.deep.equal([id]);
    });
  }

  it('takes a name whose images are all deleted', async () => {
    const { id } = await add(to);
    await images.in(to).removeById(id);
    const { id: other } = await add(from);

    await spaces.rename(from, to);

    expect(await idsIn(to)).to.deep.equal([other]);
  });
}

function forgetCases(): void {
  for (const space of [COMMON_SPACE, ALICE]) {
    it(`removes keys and limits of '${space}' but for those of tickets, and can be repeated`, async () => {
      await spaces.setLimits(space, { images: 1 });
      await claimed(made.keys, { ...REQUEST, space });
      const { id } = await addByTicket(space);
      await images.in(space).removeById(id);

      expect(await spaces.forget(space)).to.equal(true);
      expect(await spaces.forget(space)).to.equal(true);

      expect(await spaces.findAll()).to.deep.equal([]);
      expect((await made.keys.claim({ ...REQUEST, space })).state).to.equal('claimed');
      expect(await made.keys.claim({ ...TICKET, space })).to.include({ state: 'completed', imageId: id });
      await add(space);
      expect(await amountOf(space)).to.include({ images: 1 });
    });
  }

  it('keeps what tickets of a space that was renamed before were used for', async () => {
    const { id } = await addByTicket(ALICE);
    await spaces.rename(ALICE, CAROL);

    expect(await spaces.forget(ALICE)).to.equal(true);

    expect(await made.keys.claim({ ...TICKET, space: ALICE })).to.include({ imageId: id });
  });

  it('keeps a space with an image, and other spaces', async () => {
    await spaces.setLimits(ALICE, { images: 1 });
    await add(ALICE);
    await spaces.setLimits(BOB, { images: 2 });

    expect(await spaces.forget(ALICE)).to.equal(false);
    expect(await spaces.forget(CAROL)).to.equal(true);

    expect((await spaces.findAll()).map(({ space }) => space)).to.deep.equal([ALICE, BOB]);
  });
}

function recountCases(): void {
  it('finds wrong counters, by name, which can be repaired, each space alone', async function () {
    const { miscount } = made;
    if (miscount === undefined) return this.skip();
    for (const space of [CAROL, COMMON_SPACE, ALICE, BOB]) await add(space, { size: 5 });
    for (const space of [CAROL, COMMON_SPACE]) await miscount(space);

    const [counted, recorded] = [
      { images: 1, bytes: 5 },
      { images: 2, bytes: 6 },
    ];
    const wrong = [COMMON_SPACE, CAROL].map((space) => ({ space, of: 'images', counted, recorded }));
    expect(await spaces.recount()).to.deep.equal(wrong);
    for (const [at, space] of [COMMON_SPACE, CAROL].entries()) {
      expect(await spaces.repair(space)).to.deep.equal(wrong.slice(at, at + 1));
      expect(await amountOf(space)).to.deep.equal(counted);
    }
    for (const right of [BOB, 'nobody' as Space]) expect(await spaces.repair(right)).to.deep.equal([]);
    expect(await spaces.recount()).to.deep.equal([]);
    await add(CAROL, { size: 7 });
    expect(await amountOf(CAROL)).to.deep.equal({ images: 2, bytes: 12 });
  });
}
