import { expect } from 'chai';
import { RecordConflict, StorageUnavailable } from '../../src/domain/errors.ts';
import type { CatalogImage, Image, NewImage } from '../../src/domain/image/image.ts';
import { MEDIA_TYPES } from '../../src/domain/image/media-type.ts';
import { LONGEST_LINK_MS } from '../../src/domain/link/link-expiry.ts';
import type {
  ImagePageQuery,
  ImageRecords,
  ImageRepository,
  ImportedImage,
} from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { NO_SUMMARY } from '../support/fixtures/no-summary.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { madeForEach } from './made-for-each.ts';

export interface ImageRepositoryUnderTest {
  /** Empty before each test. */
  readonly images: ImageRecords;
  /** Read by `images`. */
  readonly clock: ManualClock;
  tearDown(): Promise<void>;
}

const EVERYTHING: ImagePageQuery = { order: 'asc', limit: 1000 };
/** As an image without metadata is read. */
function shown(image: Image): CatalogImage {
  return { ...image, createdBy: null, ...NO_SUMMARY };
}

/** As those read it who see all spaces. */
function owned<Record>(image: Record): Record & { readonly space: Space } {
  return { ...image, space: COMMON_SPACE };
}

const LARGEST_ID = Number.MAX_SAFE_INTEGER;
const SIZES = [1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 41];
const UNKNOWN_UUID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

const AWKWARD_NAMES: ReadonlyArray<readonly [string, string]> = [
  ['accents and other scripts', 'Überraschung – 日本語 العربية.jpg'],
  ['a letter in its decomposed form', 'cafe\u0301.jpg'],
  ['emoji beyond the basic plane', '👩‍🚀🐈.png'],
  ['quotes', `it's "fine" \`here\`.jpg`],
  ['SQL text', `'; DROP TABLE images; --.jpg`],
  ['percent signs, underscores, question marks and colons', '100%_off%20?:name ??.jpg'],
  ['spaces at both ends', '  spaced.jpg  '],
  ['255 bytes', 'é'.repeat(127).concat('x')],
];

/** Of the running test: set before each. */
let images: ImageRecords;
let common: ImageRepository;
let clock: ManualClock;

/** Registers tests of all guarantees of the `ImageRepository` port; `setUp` runs before each test and returns an empty repository. */
export function behavesLikeAnImageRepository(
  name: string,
  setUp: () => Promise<ImageRepositoryUnderTest>,
): void {
  describe(`${name} behaves like an ImageRepository`, () => {
    madeForEach(setUp, (made) => {
      ({ images, clock } = made);
      common = images.in(COMMON_SPACE);
    });

    describe('add', addCases);
    describe('findById', findByIdCases);
    describe('findPage', findPageCases);
    describe('removeById', removeByIdCases);
    describe('findDeletedUuid', findDeletedUuidCases);
    describe('findIdsBySha256', findIdsBySha256Cases);
    describe('findUuidsAmong', findUuidsAmongCases);
    describe('restore', restoreCases);
    describe('highestId', highestIdCases);
    describe('reserveIds', reserveIdsCases);
    describe('mayBeRecorded', mayBeRecordedCases);
    describe('removeUnrecorded', removeUnrecordedCases);
  });
}

async function addSeveral(count: number, stated: Partial<NewImage> = {}): Promise<readonly Image[]> {
  const added: Image[] = [];
  for (let index = 0; index < count; index += 1) added.push(await common.add(newImage(stated)));
  return added;
}

async function idsOf(query: Partial<ImagePageQuery>): Promise<readonly number[]> {
  return (await images.findPage({ ...EVERYTHING, ...query })).map(({ id }) => id);
}

function addCases(): void {
  it('returns the record with an id and the time of the call, as it is read', async () => {
    const image = newImage({ mediaType: 'image/png', sha256: 'b'.repeat(64) });
    clock.advance(7);

    const added = await common.add(image);

    expect(added).to.deep.equal(shown({ ...image, id: added.id, createdAt: clock.now() }));
    expect(added.id).to.be.at.least(1);
    expect(await common.findById(added.id)).to.deep.equal(added);
  });

  it('never reuses an id after all images are deleted', async () => {
    const added = await addSeveral(3);
    for (const { id } of added) await common.removeById(id);

    const next = await common.add(newImage());

    expect(next.id).to.be.greaterThan(added.at(-1)?.id ?? LARGEST_ID);
  });

  it('returns to each of many concurrent callers its own image', async () => {
    const sent = Array.from({ length: 80 }, (_, index) => newImage({ originalName: `${index}.jpg` }));

    const added = await Promise.all(sent.map((image) => common.add(image)));

    expect(added.map(({ uuid, originalName }) => ({ uuid, originalName }))).to.deep.equal(
      sent.map(({ uuid, originalName }) => ({ uuid, originalName })),
    );
    for (const image of added) expect(await common.findById(image.id)).to.deep.equal(image);
  });

  it('uses the time of the newest image if the clock was set back, until it has caught up', async () => {
    const before = await common.add(newImage());
    clock.advance(-60_000);
    expect((await common.add(newImage())).createdAt).to.deep.equal(before.createdAt);

    clock.advance(60_001);
    expect((await common.add(newImage())).createdAt).to.deep.equal(clock.now());
  });

  it('assigns times in the order of the ids if the clock jumps between concurrent calls', async () => {
    const adding = Array.from({ length: 24 }, (_, index) => {
      clock.advance(index % 2 === 0 ? 1500 : -1000);
      return common.add(newImage());
    });

    const added = (await Promise.all(adding)).toSorted((a, b) => a.id - b.id);

    const times = added.map(({ createdAt }) => createdAt.getTime());
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
  });
}

function findByIdCases(): void {
  it('returns to each of many concurrent callers the image it asked for', async () => {
    const { id: first } = await common.add(newImage());
    const { id: second } = await common.add(newImage());
    const asked = [second, first, LARGEST_ID, second, ...Array.from({ length: 100 }, () => first)];

    const found = await Promise.all(asked.map((id) => common.findById(id)));

    expect(found.map((image) => image?.id ?? LARGEST_ID)).to.deep.equal(asked);
  });

  it('returns undefined for ids that were never assigned, and for a removed image', async () => {
    const { id } = await common.add(newImage());
    await common.removeById(id);

    for (const other of [id, id + 1, LARGEST_ID]) expect(await common.findById(other)).to.equal(undefined);
  });

  for (const [what, stated] of [
    ...AWKWARD_NAMES.map(([name, originalName]) => [`a name with ${name}`, { originalName }] as const),
    ...MEDIA_TYPES.map((mediaType) => [`an animation of ${mediaType}`, { mediaType, frames: 2000 }] as const),
    ...SIZES.map((size) => [`a size of ${size} bytes`, { size }] as const),
  ]) {
    it(`returns ${what} unchanged`, async () => {
      const added = await common.add(newImage(stated));

      expect(await common.findById(added.id)).to.include(stated);
    });
  }
}

function findPageCases(): void {
  for (const order of ['asc', 'desc'] as const) {
    it(`returns every image once over consecutive pages, ${order}`, async () => {
      const ids = (await addSeveral(7)).map(({ id }) => id);
      const seen: number[] = [];
      for (let pages = 0; pages < 4; pages += 1) {
        seen.push(...(await idsOf({ order, limit: 3, after: seen.at(-1) })));
      }

      expect(seen).to.deep.equal(order === 'asc' ? ids : ids.toReversed());
    });

    it(`continues after an image that was deleted since, ${order}`, async () => {
      const ids = (await addSeveral(5)).map(({ id }) => id);
      await common.removeById(ids[2] ?? 0);

      const rest = await idsOf({ order, after: ids[2] });

      expect(rest).to.deep.equal(order === 'asc' ? ids.slice(3) : ids.slice(0, 2).toReversed());
    });
  }

  it('accepts the largest safe integer as the position', async () => {
    const ids = (await addSeveral(2)).map(({ id }) => id);

    expect(await idsOf({ order: 'asc', after: LARGEST_ID })).to.deep.equal([]);
    expect(await idsOf({ order: 'desc', after: LARGEST_ID })).to.deep.equal(ids.toReversed());
  });
}

function removeByIdCases(): void {
  it('returns false for ids that were never assigned', async () => {
    const added = await common.add(newImage());

    expect(await common.removeById(added.id + 1)).to.equal(false);
    expect(await common.removeById(LARGEST_ID)).to.equal(false);
  });

  it('returns true to exactly one of several concurrent callers, and false later', async () => {
    const { id } = await common.add(newImage());

    const removals = await Promise.all(Array.from({ length: 10 }, () => common.removeById(id)));

    expect(removals.filter(Boolean)).to.have.length(1);
    expect(await common.removeById(id)).to.equal(false);
  });
}

function findDeletedUuidCases(): void {
  it('is undefined for images that are there, and for ids that were never assigned', async () => {
    const { id } = await common.add(newImage());

    expect(await images.findDeletedUuid(id)).to.equal(undefined);
    expect(await images.findDeletedUuid(id + 1)).to.equal(undefined);
    expect(await images.findDeletedUuid(LARGEST_ID)).to.equal(undefined);
  });

  it('returns the UUID of a deleted image until no link to it can be good', async () => {
    const { id, uuid } = await common.add(newImage());
    await common.removeById(id);

    clock.advance(LONGEST_LINK_MS - 1);
    expect(await images.findDeletedUuid(id)).to.equal(uuid);

    clock.advance(1);
    expect(await images.findDeletedUuid(id)).to.equal(undefined);
  });

  it('remembers an image again that was restored and deleted again', async () => {
    const image = await common.add(newImage());
    await common.removeById(image.id);
    clock.advance(LONGEST_LINK_MS - 1);
    await images.restore([owned(image)]);

    expect(await common.removeById(image.id)).to.equal(true);
    clock.advance(1);
    expect(await images.findDeletedUuid(image.id)).to.equal(image.uuid);
  });

  it('tells images apart that were deleted at the same time', async () => {
    const added = await addSeveral(3);
    await Promise.all(added.map(({ id }) => common.removeById(id)));

    for (const { id, uuid } of added) expect(await images.findDeletedUuid(id)).to.equal(uuid);
  });
}

function findIdsBySha256Cases(): void {
  const [once, twice, unknown] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];

  it('returns the ids of the images with each digest, ascending', async () => {
    const [second] = await addSeveral(1, { sha256: twice });
    const [first] = await addSeveral(1, { sha256: once });
    const [third] = await addSeveral(1, { sha256: twice });

    const found = await common.findIdsBySha256([once, unknown, twice]);

    expect([...found.keys()]).to.have.members([once, twice]);
    expect(found.get(once)).to.deep.equal([first?.id]);
    expect(found.get(twice)).to.deep.equal([second?.id, third?.id]);
  });

  it('returns an id once for a digest that is asked twice', async () => {
    const [added] = await addSeveral(1, { sha256: once });

    const asked = Array.from({ length: 1000 }, () => once);

    expect(await common.findIdsBySha256(asked)).to.deep.equal(new Map([[once, [added?.id]]]));
  });

  it('finds the images of 1,000 digests', async () => {
    const digests = Array.from({ length: 1000 }, (_, index) => index.toString(16).padStart(64, '0'));
    const added = await Promise.all(
      [0, 499, 500, 999].map((index) => common.add(newImage({ sha256: digests[index] ?? '' }))),
    );

    const found = await common.findIdsBySha256(digests);

    expect(found).to.deep.equal(new Map(added.map(({ sha256, id }) => [sha256, [id]])));
  });

  it('returns nothing for an empty list, and for the digest of a removed image', async () => {
    const [added] = await addSeveral(1, { sha256: once });
    expect(await common.findIdsBySha256([])).to.deep.equal(new Map());
    await common.removeById(added?.id ?? LARGEST_ID);

    expect(await common.findIdsBySha256([once])).to.deep.equal(new Map());
  });
}

function findUuidsAmongCases(): void {
  it('returns the UUIDs that have a record', async () => {
    const [first, second] = await addSeveral(3);
    const asked = [first?.uuid ?? '', UNKNOWN_UUID, second?.uuid ?? ''];

    expect(await images.findUuidsAmong(asked)).to.deep.equal(new Set([first?.uuid, second?.uuid]));
  });

  it('returns none for an empty list, a removed image, and text that is not a UUID', async () => {
    const [{ id, uuid: gone }, { uuid }] = [await common.add(newImage()), await common.add(newImage())];
    await common.removeById(id);

    for (const asked of [[], [gone], ['', 'a', `${uuid}0`, '.part', uuid.replaceAll('-', '')]]) {
      expect(await images.findUuidsAmong(asked)).to.deep.equal(new Set());
    }
  });

  it('accepts thousands at once', async () => {
    const { uuid } = await common.add(newImage());
    const unknown = Array.from({ length: 2500 }, (_, index) =>
      UNKNOWN_UUID.slice(0, -4).concat(String(index).padStart(4, '0')),
    );

    expect(await images.findUuidsAmong([...unknown, uuid])).to.deep.equal(new Set([uuid]));
  });
}

function restoreCases(): void {
  /** An image of another copy of the catalog. */
  function imageOf(id: number, stated: Partial<Image> = {}): ImportedImage {
    return {
      ...newImage(),
      space: COMMON_SPACE,
      createdBy: null,
      id,
      createdAt: new Date('2025-06-01T08:30:00.123Z'),
      ...stated,
    };
  }

  it('records images with unchanged ids, times and other fields', async () => {
    const restored = [
      imageOf(7, {
        originalName: 'Überraschung 🐈 \'";--.png',
        mediaType: 'image/gif',
        frames: 7,
        size: 2 ** 41,
      }),
      imageOf(9, { createdAt: new Date('2025-06-01T08:30:00.124Z') }),
    ];

    await images.restore(restored);

    expect(await images.findPage(EVERYTHING)).to.deep.equal(restored.map(shown));
    expect(await images.findById(9)).to.deep.equal(restored.map(shown)[1]);
  });

  it('accepts none, and hundreds at once', async () => {
    const restored = Array.from({ length: 700 }, (_, index) => imageOf(index + 1));

    await images.restore([]);
    await images.restore(restored);

    expect(await idsOf({})).to.deep.equal(restored.map(({ id }) => id));
  });

  it('is followed by higher ids even if the images are deleted', async () => {
    await images.restore([imageOf(41)]);
    await common.removeById(41);

    expect((await common.add(newImage())).id).to.be.greaterThan(41);
  });

  it('of lower ids does not lower the next id', async () => {
    await images.reserveIds(100);
    await images.restore([imageOf(5)]);

    expect((await common.add(newImage())).id).to.be.greaterThan(100);
  });

  it('is followed by times in the order of the ids', async () => {
    const createdAt = new Date(clock.now().getTime() + 60_000);
    await images.restore([imageOf(3, { createdAt })]);

    expect((await common.add(newImage())).createdAt).to.deep.equal(createdAt);
  });

  it('changes nothing if it is repeated, in part or as a whole', async () => {
    const restored = [imageOf(1), imageOf(2)];
    await images.restore(restored.slice(0, 1));
    await images.restore(restored);

    await images.restore(restored);

    expect(await images.findPage(EVERYTHING)).to.deep.equal(restored.map(shown));
  });

  it('rejects an id that another image has, and records none of the others', async () => {
    const added = await common.add(newImage());

    const error = await rejection(images.restore([imageOf(added.id + 1), imageOf(added.id)]));

    expect(error).to.be.instanceOf(RecordConflict).with.deep.property('imageIds', [added.id]);
    expect(await images.findPage(EVERYTHING)).to.deep.equal([owned(added)]);
  });

  it('rejects a UUID that is recorded under another id, and records none of the others', async () => {
    const added = await common.add(newImage());
    const moved = imageOf(added.id + 2, { uuid: added.uuid });

    const error = await rejection(images.restore([imageOf(added.id + 1), moved]));

    expect(error).to.be.instanceOf(RecordConflict).with.deep.property('imageIds', [moved.id]);
    expect(await images.findPage(EVERYTHING)).to.deep.equal([owned(added)]);
  });
}

function highestIdCases(): void {
  it('is 0 if no id was ever assigned', async () => {
    expect(await images.highestId()).to.equal(0);
  });

  it('is that of the newest image, also when it is deleted', async () => {
    const [, newest] = await addSeveral(2);
    expect(await images.highestId()).to.equal(newest?.id);
    await common.removeById(newest?.id ?? 0);

    expect(await images.highestId()).to.equal(newest?.id);
  });
}

function reserveIdsCases(): void {
  it('raises the next id, in an empty catalog and in one with images', async () => {
    for (const reserved of [0, 12, 112]) {
      await images.reserveIds(reserved);
      expect(await images.highestId()).to.equal(reserved);
      if (reserved > 0) expect((await common.add(newImage())).id).to.be.greaterThan(reserved);
    }
  });

  it('does not lower the next id', async () => {
    const [, newest] = await addSeveral(2);

    await images.reserveIds(1);

    expect(await images.highestId()).to.equal(newest?.id);
    expect((await common.add(newImage())).id).to.be.greaterThan(newest?.id ?? LARGEST_ID);
  });
}

function mayBeRecordedCases(): void {
  it('returns whether there is a record of the UUID', async () => {
    const { id, uuid } = await common.add(newImage());
    expect(await images.mayBeRecorded(uuid)).to.equal(true);
    await common.removeById(id);

    for (const other of [uuid, UNKNOWN_UUID]) expect(await images.mayBeRecorded(other)).to.equal(false);
  });
}

function removeUnrecordedCases(): void {
  it('runs the removal for a UUID without a record', async () => {
    let removed = 0;

    const result = await images.removeUnrecorded(UNKNOWN_UUID, async () => void (removed += 1));

    expect([result, removed]).to.deep.equal([true, 1]);
  });

  it('does not run the removal for the UUID of a record', async () => {
    const { uuid } = await common.add(newImage());
    let removed = 0;

    const result = await images.removeUnrecorded(uuid, async () => void (removed += 1));

    expect([result, removed]).to.deep.equal([false, 0]);
  });

  it('lets no image be recorded under the UUID from the beginning of the removal on', async () => {
    const image = newImage();
    const removing = new Gate();
    const begun = new Gate();
    const removal = images.removeUnrecorded(image.uuid, async () => {
      begun.open();
      await removing.opened;
    });
    await begun.opened;

    const adding = rejection(common.add(image));
    await settled();
    removing.open();

    expect(await removal).to.equal(true);
    expect(await adding).to.be.instanceOf(StorageUnavailable);
    expect(await rejection(common.add(image))).to.be.instanceOf(StorageUnavailable);
    expect(await images.count()).to.equal(0);
  });

  it('lets no image be recorded under the UUID although the removal has failed', async () => {
    const image = newImage();
    await rejection(images.removeUnrecorded(image.uuid, () => Promise.reject(new Error('The disk is gone'))));

    expect(await rejection(common.add(image))).to.be.instanceOf(StorageUnavailable);
    expect(await images.findUuidsAmong([image.uuid])).to.deep.equal(new Set());
  });

  it('does not fail images with other UUIDs that are added at the same time', async () => {
    const image = newImage();
    await images.removeUnrecorded(image.uuid, async () => {});

    const added = await Promise.allSettled(
      [newImage(), newImage(), image, newImage()].map((one) => common.add(one)),
    );

    const states = added.map(({ status }) => status);
    expect(states).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await images.count()).to.equal(3);
  });

  it('fails the next restore of the UUID, and none after it', async () => {
    const [image, other] = [newImage(), newImage()];
    const restored = [image, other].map((one, index) => ({
      ...owned(one),
      createdBy: null,
      id: index + 1,
      createdAt: clock.now(),
    }));
    await images.removeUnrecorded(image.uuid, async () => {});

    expect(await rejection(images.restore(restored))).to.be.instanceOf(StorageUnavailable);
    expect(await images.count()).to.equal(0);
    await images.restore(restored);
    expect(await images.count()).to.equal(2);
  });

  it('rejects with the error of the removal, and can be repeated', async () => {
    const failure = new Error('The disk is gone');

    const error = await rejection(images.removeUnrecorded(UNKNOWN_UUID, () => Promise.reject(failure)));

    expect(error).to.equal(failure);
    expect(await images.removeUnrecorded(UNKNOWN_UUID, async () => {})).to.equal(true);
  });
}
