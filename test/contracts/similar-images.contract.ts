import { expect } from 'chai';
import type { NewImage } from '../../src/domain/image/image.ts';
import {
  hammingDistance,
  type ImageHashes,
  type PerceptualHash,
} from '../../src/domain/image/image-hashes.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import type {
  HashRecords,
  SimilarImages,
  SimilarMatch,
} from '../../src/domain/ports/records/similar-images.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { flipped, imageHashes, SOME_HASH } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { madeForEach } from './made-for-each.ts';

export interface SimilarImagesUnderTest {
  /** Empty before each test. */
  readonly images: ImageRecords;
  /** Of the same catalog. */
  readonly similarImages: InSpaces<SimilarImages> & HashRecords;
  tearDown(): Promise<void>;
}

const UNKNOWN_ID = Number.MAX_SAFE_INTEGER;
const FLAT_HASH: PerceptualHash = [1, 0, 0, 0];
const DEFAULTS = { distance: 10, limit: 20 };

let images: ImageRecords;
let similarImages: InSpaces<SimilarImages> & HashRecords;
/** Where the test has its images. */
let home: Space;
/** They have images with the same bytes and hashes. */
let neighbours: readonly Space[];

/** Registers tests of all guarantees of the ports for look-alikes; `setUp` runs before each test. */
export function findsSimilarImages(name: string, setUp: () => Promise<SimilarImagesUnderTest>): void {
  describe(`${name} finds look-alikes`, () => {
    let catalog: SimilarImagesUnderTest;

    madeForEach(setUp, (fresh) => {
      catalog = fresh;
      ({ images, similarImages } = catalog);
      [home, neighbours] = [COMMON_SPACE, []];
    });

    allCases();

    describe('among those of other spaces', () => {
      beforeEach(() => {
        [home, neighbours] = ['one' as Space, [COMMON_SPACE, 'two' as Space]];
      });

      allCases();
    });

    it('finds nothing of another space, and nothing for its images', async () => {
      const id = await add();
      home = 'one' as Space;
      const other = await add();

      expect(await found(id)).to.deep.equal([]);
      expect(await found(other)).to.deep.equal([]);
    });
  });
}

function allCases(): void {
  describe('find', findCases);
  describe('find among many', manyCases);
  describe('find of flat and unknown pictures', flatCases);
  describe('findHashes', appearanceCases);
  describe('record', recordCases);
}

let made = 0;

/** Of different bytes, unless the test says otherwise. */
async function add(stated: Partial<NewImage> = {}): Promise<number> {
  made += 1;
  const sha256 = made.toString(16).padStart(64, '0');
  const addTo = async (space: Space): Promise<number> =>
    (await images.in(space).add(newImage({ sha256, hashes: imageHashes(), ...stated }))).id;
  const [before, ...behind] = neighbours;
  if (before !== undefined) await addTo(before);
  const id = await addTo(home);
  for (const space of behind) await addTo(space);
  return id;
}

async function addWith(dHash: PerceptualHash): Promise<number> {
  return await add({ hashes: imageHashes({ dHash }) });
}

async function found(id: number, query: Partial<typeof DEFAULTS> = {}): Promise<readonly SimilarMatch[]> {
  return await similarImages.in(home).find(id, { ...DEFAULTS, ...query });
}

function findCases(): void {
  it('is empty without other images, and for an unknown id', async () => {
    expect(await found(await add())).to.deep.equal([]);
    expect(await found(UNKNOWN_ID)).to.deep.equal([]);
  });

  it('has the nearest even if bits of it are everywhere and those of a farther one are together', async () => {
    const id = await addWith(SOME_HASH);
    await addWith(flipped(SOME_HASH, [0, 1, 2, 3, 4]));
    const nearest = await addWith(flipped(SOME_HASH, [0, 16, 32, 48]));

    expect(await found(id, { limit: 1 })).to.deep.equal([{ id: nearest, distance: 4 }]);
  });

  it('does not find removed images', async () => {
    const [id, other] = [await add(), await add()];
    await images.in(home).removeById(other);

    expect(await found(id)).to.deep.equal([]);
    expect(await found(other)).to.deep.equal([]);
  });
}

function manyCases(): void {
  it('finds all within the distance, for every distance', async () => {
    const random = randomNumbers(15);
    const hashes = Array.from({ length: 300 }, () => {
      const bits = Array.from({ length: Math.floor(random() * 20) }, () => Math.floor(random() * 64));
      return flipped(SOME_HASH, bits);
    });
    const id = await addWith(SOME_HASH);
    const others = await Promise.all(hashes.map(async (dHash) => ({ id: await addWith(dHash), dHash })));

    for (let distance = 0; distance <= 16; distance += 1) {
      const near = others
        .map((other) => ({ id: other.id, distance: hammingDistance(other.dHash, SOME_HASH) }))
        .filter((other) => other.distance <= distance)
        .toSorted((a, b) => a.distance - b.distance || a.id - b.id);
      expect(await found(id, { distance, limit: 1000 })).to.deep.equal(near);
    }
  });

  it('finds the lowest ids of equal hashes', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await add());

    expect((await found(ids[3] ?? 0)).map((other) => other.id)).to.deep.equal(
      ids.filter((_, index) => index !== 3).slice(0, 20),
    );
  });
}

function flatCases(): void {
  const sha256 = 'e'.repeat(64);

  for (const [what, own] of [
    ['flat', imageHashes({ dHash: FLAT_HASH })],
    ['unknown', undefined],
  ] as const) {
    it(`finds equal bytes alone if the picture is ${what}`, async () => {
      const id = await add({ hashes: own, sha256 });
      await add({ hashes: own });
      const equal = await add({ hashes: own, sha256 });

      expect(await found(id, { distance: 16 })).to.deep.equal([{ id: equal, distance: 0 }]);
      expect(await found(id, { distance: 0 })).to.deep.equal([{ id: equal, distance: 0 }]);
    });
  }

  it('does not find flat pictures near others', async () => {
    const id = await addWith([0xff, 0, 0, 0]);
    const flat = await addWith([0x7f, 0, 0, 0]);
    await addWith([0xfffe, 0xffff, 0xffff, 0xffff]);

    expect(await found(id)).to.deep.equal([]);
    expect(await found(flat)).to.deep.equal([]);
  });

  it('finds equal bytes at distance 0 if one of them is unknown', async () => {
    const id = await add({ sha256 });
    const equal = await add({ sha256, hashes: undefined });

    expect(await found(id)).to.deep.equal([{ id: equal, distance: 0 }]);
    expect(await found(equal)).to.deep.equal([{ id, distance: 0 }]);
  });
}

function appearanceCases(): void {
  const other: ImageHashes = {
    dHash: [0, 0xffff, 0x8000, 1],
    pHash: [0xffff, 0, 1, 0x8000],
    meanColour: [255, 0, 128],
  };

  it('returns those that are known, and of no removed image', async () => {
    const id = await add({ hashes: other });
    const [unknown, removed] = [await add({ hashes: undefined }), await add()];
    await images.in(home).removeById(removed);

    expect([...(await images.findHashes([unknown, id, UNKNOWN_ID, removed]))]).to.deep.equal([[id, other]]);
  });

  it('returns what restore has recorded, replaced and kept', async () => {
    const [replaced, kept] = [await images.findById(await add()), await images.findById(await add())];
    if (replaced === undefined || kept === undefined) throw new TypeError('The images are not there');
    const restored = {
      ...newImage(),
      id: kept.id + 5,
      createdAt: kept.createdAt,
      space: home,
      createdBy: null,
    };

    await images.restore([{ ...replaced, hashes: other }, kept, { ...restored, hashes: imageHashes() }]);

    const ids = [replaced.id, kept.id, restored.id];
    const hashes = await images.findHashes(ids);
    expect(ids.map((id) => hashes.get(id))).to.deep.equal([other, imageHashes(), imageHashes()]);
  });
}

function recordCases(): void {
  it('makes images of older versions findable', async () => {
    const id = await add();
    const older = await add({ hashes: undefined });

    await similarImages.record(new Map([[older, imageHashes()]]));

    expect(await found(id)).to.deep.equal([{ id: older, distance: 0 }]);
    expect((await images.findHashes([older])).get(older)).to.deep.equal(imageHashes());
  });

  it('replaces hashes', async () => {
    const [id, other] = [await add(), await add()];

    await similarImages.record(new Map([[other, imageHashes({ dHash: flipped(SOME_HASH, [1, 2]) })]]));

    expect(await found(id)).to.deep.equal([{ id: other, distance: 2 }]);
  });

  it('skips images that are not there', async () => {
    const id = await add({ hashes: undefined });

    await similarImages.record(
      new Map([
        [UNKNOWN_ID, imageHashes()],
        [id, imageHashes()],
      ]),
    );

    expect([...(await images.findHashes([id, UNKNOWN_ID])).keys()]).to.deep.equal([id]);
  });
}
