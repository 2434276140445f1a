import { expect } from 'chai';
import { RecordConflict, StorageUnavailable } from '../../src/domain/errors.ts';
import { checkPatch } from '../../src/domain/image/check-patch.ts';
import type { CatalogImage, NewImage } from '../../src/domain/image/image.ts';
import { type NewMetadata, NO_CAPTURE, NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { searchWords } from '../../src/domain/image/words/words.ts';
import { LONGEST_LINK_MS } from '../../src/domain/link/link-expiry.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { ChangeRecords } from '../../src/domain/ports/records/change-feed.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { SearchFilter, SearchSort } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import type { NameRecords } from '../../src/domain/ports/records/names.ts';
import type { SimilarImages } from '../../src/domain/ports/records/similar-images.ts';
import type { SpaceRecords } from '../../src/domain/ports/records/space-records.ts';
import type { TrashedRecord, TrashPosition, TrashRecords } from '../../src/domain/ports/records/trash.ts';
import { COMMON_SPACE, NOTHING, type Space } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { itemsOf } from '../support/fixtures/items-of.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { madeForEach } from './made-for-each.ts';
import type { FindingUnderTest } from './search.contract.ts';

/** The ports of one catalog. */
export interface TrashUnderTest extends FindingUnderTest {
  readonly trash: TrashRecords;
  readonly spaces: SpaceRecords;
  readonly similarImages: InSpaces<SimilarImages>;
  readonly changes: ChangeRecords;
  readonly names: NameRecords;
}

const [ALICE, BOB] = ['alice', 'bob'] as [Space, Space];
const UNKNOWN_ID = Number.MAX_SAFE_INTEGER;
const DAY_MS = 24 * 60 * 60_000;
const SHA256 = 'c'.repeat(64);
const DESCRIBED: NewMetadata = {
  ...NO_METADATA,
  title: 'A black cat',
  description: 'On the sofa\nasleep',
  tags: ['Cats', 'Sofa'],
  focus: { x: 0.25, y: 0.5 },
  ownTakenAt: '2025-06-01T10:00:00.000+02:00',
  capture: { ...NO_CAPTURE, make: 'Ωmega', model: 'X-1', iso: 100, latitude: 1.5, longitude: -2 },
};
const EVERYTHING = { order: 'asc', limit: 1_000 } as const;

/** Of the running test: set before each. */
let made: TrashUnderTest;
let trash: TrashRecords;
let images: ImageRecords;

/** Registers tests of all guarantees of the `TrashRecords` ports, and those of other ports about the trash. */
export function behavesLikeATrash(name: string, setUp: () => Promise<TrashUnderTest>): void {
  describe(`${name} behaves like a Trash`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      ({ trash, images } = made);
    });

    for (const space of [COMMON_SPACE, ALICE]) {
      describe(`of the space '${space}'`, () => {
        describe('a move to the trash', () => moveCases(space));
        describe('restore', () => restoreCases(space));
        describe('erase', () => eraseCases(space));
      });
    }
    describe('the spelling of tags', spellingCases);
    describe('the feed of changes', changeCases);
    describe('findPage', findPageCases);
    describe('eraseOlder', eraseOlderCases);
    describe('a blob of the trash', blobCases);
    describe('a space with trash', spaceCases);
    describe('a copy of the trash', transferCases);
  });
}

/** An image with all that an image can have. */
async function addWhole(space: Space, stated: Partial<NewImage> = {}): Promise<CatalogImage> {
  const image = newImage({ sha256: SHA256, size: 70, hashes: imageHashes(), ...stated });
  const { id } = await images.in(space).add(image, undefined, DESCRIBED, 'Alice herself');
  await made.metadata.in(space).patch(id, checkPatch({ title: 'A grey cat' }));
  return (await images.in(space).findById(id)) as CatalogImage;
}

async function addToTrash(space: Space, stated: Partial<NewImage> = {}): Promise<CatalogImage> {
  const image = await images.in(space).add(newImage(stated));
  await images.in(space).removeById(image.id, undefined, 'trash');
  return image;
}

async function idsInTrash(space: Space): Promise<readonly number[]> {
  const page = await trash.in(space).findPage({ limit: 1_000 });
  return page.map(({ image }) => image.id);
}

/** All that the ports say about the images of a space. */
async function everythingIn(space: Space): Promise<object> {
  const page = await images.findPage({ ...EVERYTHING, space });
  const ids = page.map(({ id }) => id);
  const ofEach = async <T>(read: (id: number) => Promise<T>): Promise<readonly T[]> =>
    await Promise.all(ids.map(read));
  return {
    page,
    metadata: await ofEach((id) => made.metadata.in(space).find(id)),
    byWords: await found(space, { words: searchWords('grey omega') }),
    byTags: await found(space, { tags: ['sofa'] }),
    shuffled: await found(space, {}, { by: 'random', seed: 'x' }),
    tags: await made.tags.in(space).list({ prefix: '', order: 'name', limit: 100 }, AT_ONCE),
    days: await made.timeline.in(space).periods('day', {}, AT_ONCE),
    bytes: await images.in(space).findIdsBySha256([SHA256]),
    similar: await ofEach((id) => made.similarImages.in(space).find(id, { distance: 16, limit: 10 })),
    hashes: await images.findHashes(ids),
    count: await images.count(),
  };
}

async function found(
  space: Space,
  filter: SearchFilter,
  sort: SearchSort = { by: 'taken', order: 'asc' },
): Promise<readonly number[]> {
  const page = await made.search.in(space).findPage({ filter, sort, limit: 100 });
  return itemsOf(page);
}

async function usageOf(space: Space): Promise<object> {
  const { limits: _limits, ...amounts } = await made.spaces.find(space);
  return amounts;
}

function moveCases(space: Space): void {
  it('leaves nothing of the image in any other port', async () => {
    await addWhole(space, { size: 1 });
    const before = await everythingIn(space);
    const { id } = await addWhole(space);

    expect(await images.in(space).removeById(id, 'Bob himself', 'trash')).to.equal(true);

    expect(await everythingIn(space)).to.deep.equal(before);
    expect(await images.findById(id)).to.equal(undefined);
    expect(await images.findMetadata([id])).to.deep.equal(new Map());
    expect(await made.metadata.in(space).patch(id, checkPatch({ title: 'x' }))).to.equal(undefined);
    expect(await images.in(space).removeById(id, undefined, 'trash')).to.equal(false);
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('keeps the image as it was, with the time and who has deleted it, and counts it for its space', async () => {
    const image = await addWhole(space);
    await images.in(space).add(newImage({ size: 5 }));
    made.clock.advance(5_000);

    await images.in(space).removeById(image.id, 'Bob himself', 'trash');

    expect(await trash.in(space).findPage({ limit: 9 })).to.deep.equal([
      { image, trashedAt: made.clock.now(), trashedBy: 'Bob himself' },
    ]);
    expect(await usageOf(space)).to.deep.equal({ images: 1, bytes: 5, trashed: { images: 1, bytes: 70 } });
    expect(await made.spaces.findAll()).to.have.length(1);
  });

  it('is remembered for links like a removal', async () => {
    const { id, uuid } = await addToTrash(space);

    expect(await images.findDeletedUuid(id)).to.equal(uuid);
    made.clock.advance(LONGEST_LINK_MS);
    expect(await images.findDeletedUuid(id)).to.equal(undefined);
  });

  it('takes its names with it, before it is said to be in the trash; they stay away after a restore', async () => {
    const { id } = await addWhole(space);
    const name = 'hero' as Name;
    await made.names.in(space).set(name, id, {});
    await images.in(space).removeById(id, 'Bob himself', 'trash');
    await trash.in(space).restore(id);

    expect(await made.names.in(space).find(name)).to.equal(undefined);
    expect((await changesOf(id)).slice(-3)).to.deep.equal([
      ['name.removed', 'Bob himself', undefined],
      ['image.trashed', 'Bob himself', undefined],
      ['image.restored', null, undefined],
    ]);
  });

  it('is done by one of several concurrent callers, and each image by its own', async () => {
    const added = [await addWhole(space), await addWhole(space), await addWhole(space)];

    const removed = await Promise.all(
      [...added, ...added].map(({ id }, at) =>
        images.in(space).removeById(id, undefined, at % 2 === 0 ? 'trash' : undefined),
      ),
    );

    expect(removed.filter((isMine) => isMine)).to.have.length(3);
    const [first, , third] = added;
    expect(new Set(await idsInTrash(space))).to.deep.equal(new Set([first?.id, third?.id]));
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('is not before the newest image, by a clock that was set back', async () => {
    const { createdAt } = await addWhole(space);
    made.clock.advance(-40 * DAY_MS);

    await addToTrash(space);

    const [{ trashedAt } = { trashedAt: undefined }] = await trash.in(space).findPage({ limit: 1 });
    expect(trashedAt).to.deep.equal(createdAt);
  });
}

function restoreCases(space: Space): void {
  it('brings back all that the ports knew of the image', async () => {
    await addWhole(space);
    const { id } = await addWhole(space);
    const others = await addWhole(space);
    const before = await everythingIn(space);
    const usage = await usageOf(space);
    await images.in(space).removeById(id, undefined, 'trash');

    const restored = await trash.in(space).restore(id);

    expect(await everythingIn(space)).to.deep.equal(before);
    expect(await usageOf(space)).to.deep.equal(usage);
    expect(restored).to.deep.equal(await images.in(space).findById(id));
    expect(await idsInTrash(space)).to.deep.equal([]);
    expect(others.id).to.be.greaterThan(id);
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('brings back an image without metadata and hashes', async () => {
    const image = await addToTrash(space, { originalName: `Übung '"%_ 🐈.png`, mediaType: 'image/png' });

    expect(await trash.in(space).restore(image.id)).to.deep.equal(image);
    expect(await images.in(space).findById(image.id)).to.deep.equal(image);
  });

  it('is not kept by a limit', async () => {
    const { id } = await addToTrash(space);
    await made.spaces.setLimits(space, { images: 0, bytes: 0 });

    expect(await trash.in(space).restore(id)).to.include({ id });
  });

  it('leaves the image remembered for links that were looked up while it was in the trash', async () => {
    const { id, uuid } = await addToTrash(space);

    await trash.in(space).restore(id);

    expect(await images.findDeletedUuid(id)).to.equal(uuid);
  });

  it('can be repeated after another move', async () => {
    const image = await addWhole(space);
    for (let round = 0; round < 3; round += 1) {
      await images.in(space).removeById(image.id, undefined, 'trash');
      expect(await trash.in(space).restore(image.id)).to.deep.equal(image);
    }
    expect(await trash.in(space).restore(image.id)).to.equal(undefined);
  });

  it('finds neither unknown images, nor those of other spaces', async () => {
    const { id } = await addToTrash(space);

    expect(await trash.in(space).restore(UNKNOWN_ID)).to.equal(undefined);
    expect(await trash.in(BOB).restore(id)).to.equal(undefined);
    expect(await trash.in(BOB).erase(id)).to.equal(undefined);
    expect(await trash.in(BOB).findPage({ limit: 9 })).to.deep.equal([]);
    expect(await idsInTrash(space)).to.deep.equal([id]);
  });
}

function eraseCases(space: Space): void {
  it('returns the key of the bytes, once', async () => {
    const { id, uuid } = await addToTrash(space);

    expect(await trash.in(space).erase(id)).to.equal(uuid);

    expect(await trash.in(space).erase(id)).to.equal(undefined);
    expect(await trash.in(space).restore(id)).to.equal(undefined);
    expect(await usageOf(space)).to.deep.equal({ ...NOTHING, trashed: NOTHING });
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('and restore: one of several concurrent callers has the image', async () => {
    const { id, uuid } = await addToTrash(space);

    const [erased, restored] = await Promise.all([trash.in(space).erase(id), trash.in(space).restore(id)]);

    expect([erased, restored?.uuid].filter((key) => key !== undefined)).to.deep.equal([uuid]);
    expect((await images.findById(id)) === undefined).to.equal(erased !== undefined);
  });

  it('leaves images outside the trash alone', async () => {
    const { id } = await addWhole(space);

    expect(await trash.in(space).erase(id)).to.equal(undefined);
    expect(await images.findById(id)).to.include({ id });
  });
}

function spellingCases(): void {
  it('is that of the space at the time of a restore, which is a change of the metadata', async () => {
    const { id, metadataVersion } = await addWhole(ALICE);
    await images.in(ALICE).removeById(id, undefined, 'trash');
    await images.in(ALICE).add(newImage(), undefined, { ...NO_METADATA, tags: ['CATS'] });
    made.clock.advance(1_000);

    const restored = await trash.in(ALICE).restore(id, { by: 'Bob himself' });

    expect(restored).to.deep.include({ tags: ['CATS', 'Sofa'], metadataVersion: metadataVersion + 1 });
    expect(await made.metadata.in(ALICE).find(id)).to.deep.include({
      tags: ['CATS', 'Sofa'],
      version: metadataVersion + 1,
      updatedAt: made.clock.now(),
    });
    expect(await made.tags.in(ALICE).list({ prefix: '', order: 'name', limit: 9 }, AT_ONCE)).to.deep.equal([
      { tag: 'CATS', count: 2 },
      { tag: 'Sofa', count: 1 },
    ]);
    expect((await changesOf(id)).slice(-2)).to.deep.equal([
      ['image.restored', 'Bob himself', undefined],
      ['image.updated', 'Bob himself', metadataVersion + 1],
    ]);
  });

  it('of other spaces does not count', async () => {
    const { id, metadataVersion } = await addWhole(ALICE);
    await images.in(ALICE).removeById(id, undefined, 'trash');
    await images.in(BOB).add(newImage(), undefined, { ...NO_METADATA, tags: ['CATS'] });

    expect(await trash.in(ALICE).restore(id)).to.deep.include({ tags: ['Cats', 'Sofa'], metadataVersion });
  });
}

async function changesOf(id: number): Promise<readonly unknown[]> {
  const page = await made.changes.readPage(undefined, 1_000);
  const mine = page?.changes.filter(({ imageId }) => imageId === id) ?? [];
  return mine.map(({ type, by, version }) => [type, by, version]);
}

function changeCases(): void {
  for (const space of [COMMON_SPACE, ALICE]) {
    it(`has every step, with who has made it and when, in '${space}'`, async () => {
      const { id } = await addWhole(space);
      for (const by of ['Bob', undefined]) {
        made.clock.advance(1_000);
        await images.in(space).removeById(id, by, 'trash');
        await trash.in(space).restore(id, { by });
      }
      await images.in(space).removeById(id, undefined, 'trash');
      made.clock.advance(1_000);
      await trash.in(space).erase(id, 'Alice');

      expect(await changesOf(id)).to.deep.equal([
        ['image.created', 'Alice herself', undefined],
        ['image.updated', null, 2],
        ['image.trashed', 'Bob', undefined],
        ['image.restored', 'Bob', undefined],
        ['image.trashed', null, undefined],
        ['image.restored', null, undefined],
        ['image.trashed', null, undefined],
        ['image.deleted', 'Alice', undefined],
      ]);
      const page = await made.changes.in(space).readPage(undefined, 1_000);
      expect(page?.changes).to.have.length(8);
      expect(page?.changes.at(-1)).to.deep.include({ at: made.clock.now(), space });
      expect((await made.changes.in(BOB).readPage(undefined, 9))?.changes).to.deep.equal([]);
    });
  }

  it('says of images that are removed together what happens to each', async () => {
    const added = [await addWhole(ALICE), await addWhole(BOB), await addWhole(ALICE)];

    await Promise.all(
      added.map(({ id }, at) =>
        images.in(at === 1 ? BOB : ALICE).removeById(id, `client ${at}`, at === 0 ? undefined : 'trash'),
      ),
    );

    const ends = await Promise.all(added.map(async ({ id }) => (await changesOf(id)).at(-1)));
    expect(ends).to.deep.equal([
      ['image.deleted', 'client 0', undefined],
      ['image.trashed', 'client 1', undefined],
      ['image.trashed', 'client 2', undefined],
    ]);
  });
}

function findPageCases(): void {
  it('reads the newest first, and those of one moment by descending id, in pages', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 7; at += 1) {
      if (at % 3 === 0) made.clock.advance(1_000);
      ids.push((await addToTrash(ALICE)).id);
      await addToTrash(BOB);
    }
    const pages: number[][] = [];
    for (let after: TrashPosition | undefined; ; ) {
      const page = await trash.in(ALICE).findPage({ after, limit: 2 });
      if (page.length === 0) break;
      pages.push(page.map(({ image }) => image.id));
      const last = page.at(-1);
      after = last && { trashedAt: last.trashedAt, id: last.image.id };
    }

    expect(pages.flat()).to.deep.equal(ids.toReversed());
    expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 2, 1]);
  });

  it('goes on behind an image that has left the trash', async () => {
    const [first, second, third] = [
      await addToTrash(ALICE),
      await addToTrash(ALICE),
      await addToTrash(ALICE),
    ];
    const after = { trashedAt: made.clock.now(), id: third.id };
    await trash.in(ALICE).restore(third.id);

    const page = await trash.in(ALICE).findPage({ after, limit: 9 });

    expect(page.map(({ image }) => image.id)).to.deep.equal([second.id, first.id]);
  });
}

function eraseOlderCases(): void {
  it('erases those that are old enough, of all spaces, and returns the keys', async () => {
    const old = [await addToTrash(ALICE), await addToTrash(COMMON_SPACE)];
    made.clock.advance(DAY_MS);
    const young = await addToTrash(ALICE);
    const age = { now: made.clock.now(), ageMs: DAY_MS };

    expect(await trash.countOlder(age)).to.equal(2);
    expect(await trash.eraseOlder(age)).to.have.members(old.map(({ uuid }) => uuid));

    expect(await trash.countOlder(age)).to.equal(0);
    expect(await trash.eraseOlder(age)).to.deep.equal([]);
    expect(await idsInTrash(ALICE)).to.deep.equal([young.id]);
    expect(await changesOf(old[0]?.id ?? 0)).to.deep.include(['image.deleted', null, undefined]);
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('erases an image that was restored and deleted again by its new age', async () => {
    const { id } = await addToTrash(ALICE);
    made.clock.advance(DAY_MS);
    await trash.in(ALICE).restore(id);
    await images.in(ALICE).removeById(id, undefined, 'trash');

    expect(await trash.eraseOlder({ now: made.clock.now(), ageMs: DAY_MS })).to.deep.equal([]);
  });

  it('erases some at a time, the oldest first', async () => {
    const first = await addToTrash(ALICE);
    made.clock.advance(1_000);
    const rest = await Promise.all(Array.from({ length: 149 }, () => addToTrash(ALICE)));
    const age = { now: made.clock.now(), ageMs: 0 };

    const some = await trash.eraseOlder(age);
    expect(some.length).to.be.within(1, 149);
    expect(some).to.include(first.uuid);
    const others = await trash.eraseOlder(age);

    expect(new Set([...some, ...others])).to.deep.equal(new Set([first, ...rest].map(({ uuid }) => uuid)));
  });
}

function blobCases(): void {
  it('is not removed as one without a record, and can be restored after the attempt', async () => {
    const { id, uuid } = await addToTrash(ALICE);
    const removed: string[] = [];

    expect(await images.removeUnrecorded(uuid, async () => void removed.push(uuid))).to.equal(false);

    expect(removed).to.deep.equal([]);
    expect(await trash.in(ALICE).restore(id)).to.include({ id });
    expect(await images.removeUnrecorded(uuid, async () => void removed.push(uuid))).to.equal(false);
    expect(removed).to.deep.equal([]);
  });

  it('is recorded until it is erased', async () => {
    const { id, uuid } = await addToTrash(ALICE);
    expect(await images.findUuidsAmong([uuid])).to.deep.equal(new Set([uuid]));
    expect(await images.mayBeRecorded(uuid)).to.equal(true);
    await trash.in(ALICE).erase(id);

    expect(await images.findUuidsAmong([uuid])).to.deep.equal(new Set());
    expect(await images.mayBeRecorded(uuid)).to.equal(false);
    expect(await images.removeUnrecorded(uuid, async () => {})).to.equal(true);
  });
}

function spaceCases(): void {
  it('counts it for its limits', async () => {
    await made.spaces.setLimits(ALICE, { images: 2 });
    await addToTrash(ALICE);
    await images.in(ALICE).add(newImage());

    expect(await rejection(images.in(ALICE).add(newImage()))).to.have.property('code', 'quota_exceeded');
  });

  for (const [from, to] of [
    [ALICE, BOB],
    [COMMON_SPACE, BOB],
    [ALICE, COMMON_SPACE],
  ] as const) {
    it(`gives it to its new name, from '${from}' to '${to}'`, async () => {
      const first = await addWhole(from);
      const image = await addWhole(from);
      const last = await addWhole(from);
      await images.in(from).removeById(image.id, undefined, 'trash');

      await made.spaces.rename(from, to);

      expect(await idsInTrash(from)).to.deep.equal([]);
      expect(await usageOf(to)).to.deep.include({ images: 2, trashed: { images: 1, bytes: 70 } });
      await images.in(to).add(newImage());
      expect(await trash.in(to).restore(image.id)).to.deep.equal(image);
      const all = await found(to, {}, { by: 'random', seed: 'x' });
      expect(all).to.include.members([first.id, image.id, last.id]).and.have.length(4);
      expect(await made.spaces.recount()).to.deep.equal([]);
    });
  }

  it('is in use for a rename to it, and is not forgotten', async () => {
    await addToTrash(ALICE);

    expect(await rejection(made.spaces.rename(BOB, ALICE))).to.have.property('code', 'space_in_use');
    expect(await made.spaces.forget(ALICE)).to.equal(false);
    expect(await idsInTrash(ALICE)).to.have.length(1);
  });
}

function transferCases(): void {
  function recordOf(id: number, stated: Partial<TrashedRecord> = {}): TrashedRecord {
    return {
      ...newImage({ size: 10 }),
      id,
      space: ALICE,
      createdBy: 'Alice herself',
      createdAt: new Date('2025-06-01T08:30:00.123Z'),
      metadata: { ...DESCRIBED, version: 3, updatedAt: new Date('2025-06-02T08:30:00.123Z') },
      hashes: imageHashes(),
      trashedAt: new Date('2025-06-03T08:30:00.123Z'),
      trashedBy: 'Bob himself',
      ...stated,
    };
  }

  it('is read by id over all spaces, as it is written', async () => {
    const records = [recordOf(4), recordOf(5, { space: COMMON_SPACE }), recordOf(9, { trashedBy: null })];

    await trash.restoreTrashed(records);

    expect(await trash.findAll(0, 9)).to.deep.equal(records);
    expect((await trash.findAll(4, 1)).map(({ id }) => id)).to.deep.equal([5]);
    expect(await trash.count()).to.equal(3);
    expect(await usageOf(ALICE)).to.deep.include({ trashed: { images: 2, bytes: 20 } });
    expect((await made.changes.readPage(undefined, 9))?.changes).to.deep.equal([]);
    expect((await images.in(ALICE).add(newImage())).id).to.be.greaterThan(9);
    expect(await trash.in(ALICE).restore(9)).to.deep.include({
      id: 9,
      title: 'A black cat',
      metadataVersion: 3,
    });
    expect(await made.spaces.recount()).to.deep.equal([]);
  });

  it('replaces what is there', async () => {
    const record = recordOf(4);
    await trash.restoreTrashed([record, recordOf(5)]);
    const changed = { ...record, trashedAt: new Date('2025-06-04T08:30:00.123Z'), trashedBy: null };

    await trash.restoreTrashed([changed]);

    expect((await trash.findAll(0, 9))[0]).to.deep.equal(changed);
    expect(await usageOf(ALICE)).to.deep.include({ trashed: { images: 2, bytes: 20 } });
  });

  it('accepts none, and hundreds', async () => {
    await trash.restoreTrashed([]);
    await trash.restoreTrashed(Array.from({ length: 300 }, (_, at) => recordOf(at + 1)));

    expect(await trash.findAll(0, 1_000)).to.have.length(300);
  });

  it('refuses images that are not in the trash, and records nothing', async () => {
    const { id } = await images.in(ALICE).add(newImage());

    const error = await rejection(trash.restoreTrashed([recordOf(id + 1), recordOf(id)]));

    expect(error).to.be.instanceOf(RecordConflict);
    expect(await trash.findAll(0, 9)).to.deep.equal([]);
  });

  it('keeps its images from being restored as others', async () => {
    await trash.restoreTrashed([recordOf(4)]);
    const { trashedAt: _at, trashedBy: _by, ...image } = recordOf(4);

    expect(await rejection(images.restore([image]))).to.be.instanceOf(RecordConflict);
  });

  it('fails once for a blob that was swept', async () => {
    const record = recordOf(4);
    await images.removeUnrecorded(record.uuid, async () => {});

    expect(await rejection(trash.restoreTrashed([record]))).to.be.instanceOf(StorageUnavailable);
    await trash.restoreTrashed([record]);

    expect(await trash.in(ALICE).restore(4)).to.include({ id: 4 });
  });
}
