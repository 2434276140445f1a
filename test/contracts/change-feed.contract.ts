import { expect } from 'chai';
import { IdempotencyKeyInUse } from '../../src/domain/errors.ts';
import { checkPatch } from '../../src/domain/image/check-patch.ts';
import { NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';
import type {
  Change,
  ChangePage,
  ChangePosition,
  ChangeRecords,
} from '../../src/domain/ports/records/change-feed.ts';
import type { MetadataRecords } from '../../src/domain/ports/records/image-metadata-store.ts';
import type { ImageRecords, ImageRepository } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { madeForEach } from './made-for-each.ts';

export interface ChangeFeedUnderTest {
  /** Without changes before each test. */
  readonly changes: ChangeRecords;
  /** The first is that of `changes`. */
  readonly images: readonly [ImageRecords, ...ImageRecords[]];
  readonly metadata: MetadataRecords;
  readonly clock: ManualClock;
  tearDown(): Promise<void>;
}

const ALPHA = 'alpha' as Space;
const BETA = 'Beta ❤' as Space;

const LOST_CLAIM = {
  space: COMMON_SPACE,
  scope: 's',
  key: 'k',
  token: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
};
const MAX_WORDS = 1_000;

/** Of the running test: set before each. */
let made: ChangeFeedUnderTest;
let changes: ChangeRecords;
/** Of the common space. */
let images: ImageRepository;

/** Registers tests of all guarantees of the `ChangeRecords` ports; `setUp` runs before each test. */
export function behavesLikeAChangeFeed(name: string, setUp: () => Promise<ChangeFeedUnderTest>): void {
  describe(`${name} behaves like a ChangeFeed`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      ({ changes } = made);
      images = made.images[0].in(COMMON_SPACE);
    });

    describe('what is a change', recordedCases);
    describe('read', readCases);
    describe('in a space', spaceCases);
    describe('removeOlder', removeOlderCases);
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

async function addImages(count: number, space = COMMON_SPACE): Promise<readonly number[]> {
  const ids: number[] = [];
  const images = made.images[0].in(space);
  for (let at = 0; at < count; at += 1) ids.push((await images.add(newImage())).id);
  return ids;
}

function idsOf(page: ChangePage | undefined): readonly number[] | undefined {
  return page?.changes.map(({ imageId }) => imageId);
}

function recordedCases(): void {
  it('is an upload, an edit and a delete, each once, with its client, time and version', async () => {
    const { clock } = made;
    const metadata = made.metadata.in(COMMON_SPACE);
    const { id } = await images.add(newImage(), undefined, NO_METADATA, 'alice');
    clock.advance(1_000);
    await metadata.patch(id, checkPatch({ title: 'cat' }), undefined, { by: 'bob' });
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

  it('is not an edit or a delete without effect', async () => {
    const [id = 0] = await addImages(1);
    await made.metadata.in(COMMON_SPACE).patch(id, checkPatch({ title: null }));
    await made.metadata.in(COMMON_SPACE).editMany([id, 404], checkEdit({ removeTags: ['x'] }), MAX_WORDS);
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
      ['d', 'e', 'f'].map((by) =>
        made.metadata.in(COMMON_SPACE).patch(first, checkPatch({ title: by }), undefined, { by }),
      ),
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
    await made.metadata.in(COMMON_SPACE).editMany(unchanged, checkEdit({ addTags: ['x'] }), MAX_WORDS);
    const before = (await all()).length;
    const edit = checkEdit({ addTags: ['x'] });
    await made.metadata
      .in(COMMON_SPACE)
      .editMany([...shuffled, ...unchanged], edit, MAX_WORDS, { by: 'alice' });

    const edited = (await all()).slice(before);
    expect(edited.map(({ imageId }) => imageId)).to.deep.equal(shuffled);
    expect(edited.every(({ by, version }) => by === 'alice' && version === 2)).to.equal(true);
  });

  it('is not an image that is copied from another catalog', async () => {
    const image = await images.add(newImage());
    const copied = { ...image, id: image.id + 10, uuid: newImage().uuid, space: ALPHA };
    await made.images[0].restore([copied]);

    expect(await summary()).to.deep.equal([['image.created', image.id, null]]);
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
      made.images.flatMap((one) => [1, 2, 3, 4, 5].map(() => one.in(COMMON_SPACE).add(newImage()))),
    );
    const numbers = (await all()).map(({ position }) => position.number);

    expect(numbers).to.deep.equal(numbers.map((_, at) => at + 1));
    expect((await all()).map(({ imageId }) => imageId)).to.have.members(added.map(({ id }) => id));
  });
}

function spaceCases(): void {
  it('reads its changes alone, beside those of all with their spaces', async () => {
    const { id } = await made.images[0].in(ALPHA).add(newImage(), undefined, NO_METADATA, 'alice');
    const [common = 0] = await addImages(1);
    const [other = 0] = await addImages(1, BETA);
    await made.metadata.in(ALPHA).patch(id, checkPatch({ title: 'cat' }));
    await made.images[0].in(ALPHA).removeById(id);
    const read = async (space: Space) => await changes.in(space).readPage(undefined, 10);

    const inAlpha = (await read(ALPHA))?.changes ?? [];
    expect(inAlpha.map(({ type, imageId, space, by }) => [type, imageId, space, by])).to.deep.equal([
      ['image.created', id, ALPHA, 'alice'],
      ['image.updated', id, ALPHA, null],
      ['image.deleted', id, ALPHA, null],
    ]);
    expect(idsOf(await read(BETA))).to.deep.equal([other]);
    expect(idsOf(await read(COMMON_SPACE))).to.deep.equal([common]);
    expect(idsOf(await read('gamma' as Space))).to.deep.equal([]);
    expect((await all()).map(({ space }) => space)).to.deep.equal([ALPHA, COMMON_SPACE, BETA, ALPHA, ALPHA]);
  });

  it('moves on with the whole catalog', async () => {
    await addImages(2, ALPHA);
    await addImages(2, BETA);
    const latest = await changes.latest();
    const start = (await changes.readPage(undefined, 1))?.start;

    for (const space of [ALPHA, BETA, COMMON_SPACE, 'gamma' as Space]) {
      const page = await changes.in(space).readPage(undefined, 10);
      expect(page).to.deep.include({ start, next: latest, more: false });
      expect(await changes.in(space).readPage(latest, 10)).to.deep.equal({
        start: latest,
        changes: [],
        next: latest,
        more: false,
      });
    }
  });

  for (const space of [ALPHA, COMMON_SPACE]) {
    it(`neither loses nor repeats a change of ${space || 'the common space'} in pages between those of others`, async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        await addImages(2, BETA);
        ids.push(...(await addImages(1, space)));
      }
      await addImages(2, BETA);
      const read: Array<readonly number[] | undefined> = [];
      const more: Array<boolean | undefined> = [];
      let after: ChangePosition | undefined;
      for (let at = 0; at < 4; at += 1) {
        const page = await changes.in(space).readPage(after, 2);
        read.push(idsOf(page));
        more.push(page?.more);
        after = page?.next;
      }

      expect(read).to.deep.equal([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []]);
      expect(more).to.deep.equal([true, true, false, false]);
      expect(after).to.deep.equal(await changes.latest());
    });
  }

  it('knows the positions of all spaces, and no other', async () => {
    await addImages(1, ALPHA);
    const position = await changes.latest();
    const [id = 0] = await addImages(1, BETA);

    expect(idsOf(await changes.in(BETA).readPage(position, 10))).to.deep.equal([id]);
    expect(idsOf(await changes.in(ALPHA).readPage(position, 10))).to.deep.equal([]);
    const altered = { ...position, mark: position.mark + 1 };
    expect(await changes.in(BETA).readPage(altered, 10)).to.equal(undefined);
    made.clock.advance(1_000);
    await changes.removeOlder(made.clock.now());
    expect(await changes.in(ALPHA).readPage(position, 10)).to.equal(undefined);
  });
}

function removeOlderCases(): void {
  it('removes a change when the next one is older, so that the newest stays', async () => {
    const { clock } = made;
    const ids = [...(await addImages(2))];
    clock.advance(10_000);
    ids.push(...(await addImages(1)));
    const limit = new Date(clock.now().getTime() - 5_000);
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
