import { expect } from 'chai';
import { IdempotencyKeyInUse } from '../../src/domain/errors.ts';
import { checkPatch, NO_METADATA } from '../../src/domain/image/metadata.ts';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';
import type { Change, ChangePosition, ChangeRecords } from '../../src/domain/ports/records/change-feed.ts';
import type { MetadataRecords } from '../../src/domain/ports/records/image-metadata-store.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { ManualClock } from '../support/doubles/manual-clock.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

export interface ChangeFeedUnderTest {
  /** Without changes before each test. */
  readonly changes: ChangeRecords;
  /** The first is that of `changes`. */
  readonly images: readonly [ImageRecords, ...ImageRecords[]];
  readonly metadata: MetadataRecords;
  readonly clock: ManualClock;
  tearDown(): Promise<void>;
}

const LOST_CLAIM = { scope: 's', key: 'k', token: 'ffffffff-ffff-4fff-bfff-ffffffffffff' };
const MAX_WORDS = 1_000;

/** Of the running test: set before each. */
let made: ChangeFeedUnderTest;
let changes: ChangeRecords;
let images: ImageRecords;

/** Registers tests of all guarantees of the `ChangeRecords` ports; `setUp` runs before each test. */
export function behavesLikeAChangeFeed(name: string, setUp: () => Promise<ChangeFeedUnderTest>): void {
  describe(`${name} behaves like a ChangeFeed`, () => {
    beforeEach(async () => {
      made = await setUp();
      ({ changes } = made);
      images = made.images[0];
    });

    afterEach(async () => {
      await made.tearDown();
    });

    describe('what is a change', recordedCases);
    describe('read', readCases);
    describe('removeOlder', removeOlderCases);
    describe('begin and append', transferCases);
  });
}

async function all(): Promise<readonly Change[]> {
  const page = await changes.readPage(undefined, 1_000);
  return page?.changes ?? [];
}

async function summary(): Promise<readonly unknown[]> {
  return (await all()).map(({ type, imageId, version, by }) =>
    version === undefined ? [type, imageId, by] : [type, imageId, version, by],
  );
}

async function addImages(count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) ids.push((await images.add(newImage())).id);
  return ids;
}

function recordedCases(): void {
  it('is an upload, an edit and a delete, each once, with its client, time and version', async () => {
    const { clock, metadata } = made;
    const { id } = await images.add(newImage(), undefined, NO_METADATA, 'alice');
    clock.advance(1_000);
    await metadata.patch(id, checkPatch({ title: 'cat' }), () => true, 'bob');
    clock.advance(-5_000);
    await images.removeById(id, 'carol');

    expect(await summary()).to.deep.equal([
      ['image.created', id, 'alice'],
      ['image.updated', id, 2, 'bob'],
      ['image.deleted', id, 'carol'],
    ]);
    const start = clock.now().getTime() + 4_000;
    const times = (await all()).map(({ at }) => at.getTime() - start);
    expect(times).to.deep.equal([0, 1_000, -4_000]);
  });

  it('is what no client has asked for', async () => {
    const { id } = await images.add(newImage());
    await made.metadata.patch(id, checkPatch({ title: 'cat' }));

    expect((await all()).map(({ by }) => by)).to.deep.equal([null, null]);
  });

  it('is not an edit or a delete without effect', async () => {
    const [id = 0] = await addImages(1);
    await made.metadata.patch(id, checkPatch({ title: null }));
    await made.metadata.editMany([id, 404], checkEdit({ removeTags: ['x'] }), MAX_WORDS);
    await images.removeById(404);

    expect(await summary()).to.deep.equal([['image.created', id, null]]);
  });

  it('is not an upload whose claim was lost, beside others that are', async () => {
    const outcomes = await Promise.all([
      rejection(images.add(newImage(), LOST_CLAIM)),
      images.add(newImage(), undefined, NO_METADATA, 'alice'),
      rejection(images.add(newImage(), LOST_CLAIM)),
    ]);

    expect(outcomes[0]).to.be.instanceOf(IdempotencyKeyInUse);
    expect(await summary()).to.deep.equal([['image.created', outcomes[1].id, 'alice']]);
  });

  it('is each of several uploads, edits and deletes at the same time', async () => {
    const added = await Promise.all(
      ['a', 'b', 'c'].map((by) => images.add(newImage(), undefined, NO_METADATA, by)),
    );
    const ids = added.map(({ id }) => id);
    const [first = 0] = ids;
    await Promise.all(
      ['d', 'e', 'f'].map((by) => made.metadata.patch(first, checkPatch({ title: by }), () => true, by)),
    );
    await Promise.all(['g', 'h', 'i'].map((by, at) => images.removeById(ids[at] ?? 0, by)));

    const found = await summary();
    expect(found.slice(0, 3)).to.have.deep.members(ids.map((id, at) => ['image.created', id, 'abc'[at]]));
    expect(found.slice(3, 6)).to.deep.equal([
      ['image.updated', first, 2, 'd'],
      ['image.updated', first, 3, 'e'],
      ['image.updated', first, 4, 'f'],
    ]);
    expect(found.slice(6)).to.have.deep.members(ids.map((id, at) => ['image.deleted', id, 'ghi'[at]]));
  });

  it('is each image of a bulk edit, in the order of its ids', async () => {
    const ids = await addImages(45);
    const shuffled = [...ids.slice(20).toReversed(), ...ids.slice(0, 20)];
    const unchanged = shuffled.splice(3, 1);
    await made.metadata.editMany(unchanged, checkEdit({ addTags: ['x'] }), MAX_WORDS);
    const before = (await all()).length;
    const edit = checkEdit({ addTags: ['x'] });
    await made.metadata.editMany([...shuffled, ...unchanged], edit, MAX_WORDS, 'alice');

    const edited = (await all()).slice(before);
    expect(edited.map(({ imageId }) => imageId)).to.deep.equal(shuffled);
    expect(edited.every(({ by, version }) => by === 'alice' && version === 2)).to.equal(true);
  });

  it('is an image that is restored', async () => {
    const [image] = [await images.add(newImage())];
    const copied = { ...image, id: image.id + 10, uuid: newImage().uuid };
    await images.restore([copied]);
    await images.restore([copied]);

    expect((await summary()).slice(1)).to.deep.equal([['image.created', copied.id, null]]);
  });
}

function readCases(): void {
  it('reads an empty feed from its start, which stays good', async () => {
    const empty = await changes.readPage(undefined, 10);
    const [id = 0] = await addImages(1);
    const page = await changes.readPage(empty?.next, 10);

    expect(empty).to.deep.include({ changes: [], more: false });
    expect(empty?.next).to.deep.equal(empty?.start);
    expect(page?.changes.map(({ imageId }) => imageId)).to.deep.equal([id]);
  });

  it('reads pages that neither lose nor repeat a change', async () => {
    const ids = await addImages(5);
    const read: number[] = [];
    const more: boolean[] = [];
    let after: ChangePosition | undefined;
    for (let page = 0; page < 4; page += 1) {
      const found = await changes.readPage(after, 2);
      read.push(...(found?.changes ?? []).map(({ imageId }) => imageId));
      more.push(found?.more ?? true);
      after = found?.next;
    }

    expect(read).to.deep.equal(ids);
    expect(more).to.deep.equal([true, true, false, false]);
    expect(after).to.deep.equal(await changes.latest());
  });

  it('says of a page that ends with the feed that there is no more', async () => {
    await addImages(2);
    expect((await changes.readPage(undefined, 2))?.more).to.equal(false);
    expect((await changes.readPage(undefined, 1))?.more).to.equal(true);
  });

  it('does not know a number with another mark, nor one that is not there', async () => {
    await addImages(1);
    const { number, mark } = await changes.latest();
    expect(await changes.readPage({ number, mark: mark + 1 }, 1)).to.equal(undefined);
    expect(await changes.readPage({ number: number + 1, mark }, 1)).to.equal(undefined);
  });

  it('shows what each process has committed, in one order', async () => {
    const added = await Promise.all(
      made.images.flatMap((one) => [1, 2, 3, 4, 5].map(() => one.add(newImage()))),
    );
    const numbers = (await all()).map(({ position }) => position.number);

    expect(numbers).to.deep.equal(numbers.map((_, at) => at + 1));
    expect((await all()).map(({ imageId }) => imageId)).to.have.members(added.map(({ id }) => id));
  });
}

function removeOlderCases(): void {
  it('removes a change when the next one is older, so that the newest stays', async () => {
    const { clock } = made;
    const ids = [...(await addImages(2))];
    clock.advance(10_000);
    ids.push(...(await addImages(1)));
    const limit = new Date(clock.now().getTime() - 5_000);
    expect(await changes.countOlder(limit)).to.equal(1);
    expect(await changes.removeOlder(limit)).to.equal(1);
    expect((await all()).map(({ imageId }) => imageId)).to.deep.equal(ids.slice(1));

    clock.advance(100_000);
    expect(await changes.removeOlder(clock.now())).to.equal(1);
    expect(await changes.removeOlder(clock.now())).to.equal(0);
    expect((await all()).map(({ imageId }) => imageId)).to.deep.equal(ids.slice(2));
  });

  it('ends the positions of removed changes, and that of the start', async () => {
    const start = (await changes.readPage(undefined, 1))?.start;
    await addImages(3);
    const [first, second, third] = (await all()).map(({ position }) => position);
    made.clock.advance(1_000);
    await changes.removeOlder(made.clock.now());

    for (const gone of [start, first, second]) {
      expect(await changes.readPage(gone, 1)).to.equal(undefined);
    }
    expect((await changes.readPage(third, 1))?.changes).to.deep.equal([]);
    const now = await changes.readPage(undefined, 1);
    expect(await changes.readPage(now?.start, 1)).to.deep.equal(now);
  });

  it('keeps the start while no change is removed', async () => {
    const start = (await changes.readPage(undefined, 1))?.start;
    await addImages(1);
    made.clock.advance(1_000);
    expect(await changes.removeOlder(made.clock.now())).to.equal(0);

    expect((await changes.readPage(start, 1))?.changes).to.have.length(1);
  });

  it('continues the numbers', async () => {
    await addImages(3);
    made.clock.advance(1_000);
    await changes.removeOlder(made.clock.now());
    await addImages(1);

    expect((await all()).map(({ position }) => position.number)).to.deep.equal([3, 4]);
  });
}

function transferCases(): void {
  it('takes over the feed of another catalog, whose positions stay good', async () => {
    const [id = 0] = await addImages(1);
    const start = { number: 7, mark: 77 };
    const at = new Date('2026-01-01T00:00:00.123Z');
    const theirs: readonly Change[] = [
      { position: { number: 8, mark: 88 }, type: 'image.updated', imageId: id, version: 3, at, by: 'bob' },
      { position: { number: 12, mark: 2 ** 48 - 1 }, type: 'image.deleted', imageId: 4, at, by: null },
    ];
    await changes.begin(start);
    await changes.append(theirs.slice(0, 1));
    await changes.append(theirs.slice(1));

    const page = await changes.readPage(start, 10);
    expect(page?.changes.map((change) => ({ version: undefined, ...change }))).to.deep.equal(
      theirs.map((change) => ({ version: undefined, ...change })),
    );
    expect(await changes.latest()).to.deep.equal(theirs[1]?.position);
    await addImages(1);
    expect((await changes.latest()).number).to.equal(13);
  });
}
