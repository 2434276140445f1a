import { expect } from 'chai';
import { COPY_DHASH_BITS } from '../../src/domain/image/copy-dhash-bits.ts';
import type { NewImage } from '../../src/domain/image/image.ts';
import { hammingDistance, type PerceptualHash } from '../../src/domain/image/image-hashes.ts';
import { type NewMetadata, NO_CAPTURE, NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import type { Candidates, CopyCandidates } from '../../src/domain/ports/records/copy-candidates.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { flipped, imageHashes, SOME_HASH } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { madeForEach } from './made-for-each.ts';

export interface CopyCandidatesUnderTest {
  /** Empty before each test. */
  readonly images: ImageRecords;
  /** Of the same catalog. */
  readonly candidates: InSpaces<CopyCandidates>;
  tearDown(): Promise<void>;
}

type Others = Candidates['of'];

const FLAT_HASH: PerceptualHash = [1, 0, 0, 0];
const SAME_BYTES = 'e'.repeat(64);
const OTHER_HASH = flipped(
  SOME_HASH,
  Array.from({ length: 32 }, (_, at) => at * 2),
);

let images: ImageRecords;
let candidates: InSpaces<CopyCandidates>;
let home: Space;

/** Registers tests of all guarantees of the port; `setUp` runs before each test. */
export function findsCopyCandidates(name: string, setUp: () => Promise<CopyCandidatesUnderTest>): void {
  describe(`${name} finds candidates for copies`, () => {
    for (const space of [COMMON_SPACE, 'one' as Space]) {
      describe(space === COMMON_SPACE ? 'in the common space' : 'in another space', () => {
        madeForEach(setUp, (fresh) => {
          ({ images, candidates } = fresh);
          home = space;
        });

        equalCases();
        nearCases();
        spaceCases();
        lookCases();
      });
    }
  });
}

let made = 0;

/** Of different bytes, unless the test says otherwise. */
async function add(stated: Partial<NewImage> = {}, space = home, metadata?: NewMetadata): Promise<number> {
  made += 1;
  const sha256 = made.toString(16).padStart(64, '0');
  const image = newImage({ sha256, hashes: imageHashes(), ...stated });
  return (await images.in(space).add(image, undefined, metadata)).id;
}

async function addWith(dHash: PerceptualHash): Promise<number> {
  return await add({ hashes: imageHashes({ dHash }) });
}

async function older(...ids: readonly number[]): Promise<Others> {
  return (await candidates.in(home).findOlder(ids, AT_ONCE)).of;
}

async function newer(...ids: readonly number[]): Promise<Others> {
  return (await candidates.in(home).findNewer(ids, AT_ONCE)).of;
}

function equalCases(): void {
  for (const [what, hashes] of [
    ['flat', imageHashes({ dHash: FLAT_HASH })],
    ['unknown', undefined],
  ] as const) {
    it(`has equal bytes alone if the picture is ${what}`, async () => {
      const first = await add({ hashes, sha256: SAME_BYTES });
      await add({ hashes });
      const second = await add({ hashes, sha256: SAME_BYTES });

      expect([...(await older(first, second))]).to.deep.equal([[second, [first]]]);
      expect([...(await newer(first, second))]).to.deep.equal([[first, [second]]]);
    });
  }

  it('has the oldest of very many equal ones, each once', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 120; count += 1) ids.push(await add({ sha256: SAME_BYTES }));
    const [first = 0, last = 0] = [ids[0], ids.at(-1)];

    const before = (await older(last)).get(last) ?? [];
    const behind = (await newer(first)).get(first) ?? [];

    expect(before).to.deep.equal([first]);
    expect(behind.slice(0, 99)).to.deep.equal(ids.slice(1, 100));
    expect(behind).to.have.length(new Set(behind).size);
  });

  it('has the oldest of equal ones, and what this one may be a copy of', async () => {
    const near = await addWith(flipped(SOME_HASH, [1]));
    const first = await add({ sha256: SAME_BYTES });
    await addWith(flipped(SOME_HASH, [2]));
    const second = await add({ sha256: SAME_BYTES });

    expect((await older(second)).get(second)).to.deep.equal([near, first]);
  });

  it('is empty for ids of no image, and for none', async () => {
    await add();
    expect([...(await older(404)), ...(await newer(404)), ...(await older())]).to.deep.equal([]);
  });
}

function nearCases(): void {
  it('has all within the distance, of each of many', async () => {
    const random = randomNumbers(38);
    const hashes = Array.from({ length: 100 }, () =>
      flipped(
        SOME_HASH,
        Array.from({ length: Math.floor(random() * 14) }, () => Math.floor(random() * 64)),
      ),
    );
    const all: Array<readonly [id: number, dHash: PerceptualHash]> = [];
    for (const dHash of hashes) all.push([await addWith(dHash), dHash]);
    const beside = (isAsked: (id: number, other: number) => boolean): Others =>
      new Map(
        all
          .map(([id, own]) => {
            const near = all.filter(([other, dHash]) => isAsked(id, other) && isNear(own, dHash));
            return [id, near.map(([other]) => other)] as const;
          })
          .filter(([, others]) => others.length > 0),
      );
    const ids = all.map(([id]) => id);

    expect(sortedById(await older(...ids))).to.deep.equal(sortedById(beside((id, other) => other < id)));
    expect(sortedById(await newer(...ids))).to.deep.equal(sortedById(beside((id, other) => other > id)));
  });
}

function isNear(one: PerceptualHash, other: PerceptualHash): boolean {
  return hammingDistance(one, other) <= COPY_DHASH_BITS;
}

function sortedById(found: Others): ReadonlyArray<readonly [number, readonly number[]]> {
  return [...found].toSorted(([one], [other]) => one - other);
}

function spaceCases(): void {
  it('has nothing of another space, and nothing for its images', async () => {
    const other = await add({ sha256: SAME_BYTES }, 'two' as Space);
    const id = await add({ sha256: SAME_BYTES });
    const last = await add({ sha256: SAME_BYTES }, 'two' as Space);

    expect([...(await older(id, last)), ...(await newer(id, other))]).to.deep.equal([]);
    expect([...(await candidates.in(home).findLooks([other, id], AT_ONCE)).keys()]).to.deep.equal([id]);
  });

  it('has no removed images', async () => {
    const [id, removed] = [await add(), await add()];
    await images.in(home).removeById(removed);

    expect([...(await newer(id, removed)), ...(await older(removed))]).to.deep.equal([]);
  });
}

function lookCases(): void {
  it('returns what decides about copies', async () => {
    const hashes = imageHashes({ dHash: OTHER_HASH });
    const capture = { ...NO_CAPTURE, make: 'Canon', takenAt: '2026-01-31T12:00:00' };
    const known = await add({ hashes, width: 30, height: 20 }, home, { ...NO_METADATA, capture });
    const unknown = await add({ hashes: undefined, sha256: SAME_BYTES });

    const looks = await candidates.in(home).findLooks([unknown, known, 404], AT_ONCE);

    expect(looks.size).to.equal(2);
    expect(looks.get(known)).to.deep.include({ capture, hashes });
    expect(looks.get(known)?.image).to.deep.include({ width: 30, height: 20 });
    expect(looks.get(unknown)).to.deep.include({ capture: NO_CAPTURE, hashes: undefined });
    expect(looks.get(unknown)?.image.sha256).to.equal(SAME_BYTES);
  });
}
