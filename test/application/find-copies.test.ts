import { expect } from 'chai';
import { FindCopies } from '../../src/application/find/find-copies.ts';
import type { PerceptualHash } from '../../src/domain/image/image-hashes.ts';
import { kindOf, type Look } from '../../src/domain/image/similar-kind.ts';
import type { SearchPlace } from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryCopyCandidates } from '../support/doubles/in-memory-copy-candidates.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemorySearch } from '../support/doubles/in-memory-search.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { AT_ONCE, CALLER, newSearches } from '../support/doubles/staying.ts';
import { flipped, imageHashes, SOME_HASH } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

type Groups = ReadonlyArray<readonly number[]>;

let images: InMemoryImageRepository;
let candidates: InMemoryCopyCandidates;
let search: InMemorySearch;

async function add(sha256: string, dHash: PerceptualHash = SOME_HASH): Promise<number> {
  const hashes = imageHashes({ dHash, pHash: dHash });
  return (await images.in(COMMON_SPACE).add(newImage({ sha256: sha256.padStart(64, '0'), hashes }))).id;
}

async function pageOf(
  limit: number,
  after?: SearchPlace,
  findCopies = new FindCopies(search, candidates, newSearches()),
): Promise<{ readonly groups: Groups; readonly next: SearchPlace | undefined }> {
  const groups: number[][] = [];
  let next: SearchPlace | undefined;
  for await (const part of findCopies.page(COMMON_SPACE, { after, limit }, CALLER)) {
    groups.push(...part.items.map(({ item }) => item.map(({ id }) => id)));
    ({ next } = part);
  }
  return { groups, next };
}

async function allGroups(limit: number): Promise<Groups> {
  const all: Array<readonly number[]> = [];
  let after: SearchPlace | undefined;
  do {
    const page = await pageOf(limit, after);
    all.push(...page.groups);
    after = page.next;
  } while (after !== undefined);
  return all;
}

/** By comparing all with all. */
async function definition(): Promise<Groups> {
  const ids = images.allIn(COMMON_SPACE).map(({ id }) => id);
  const looks = await candidates.in(COMMON_SPACE).findLooks(ids, AT_ONCE);
  const older = await candidates.in(COMMON_SPACE).findOlder(ids, AT_ONCE);
  const isCopy = (one: number, other: number): boolean =>
    kindOf(looks.get(one) as Look, looks.get(other) as Look) === 'copy';
  const oldest = new Map(
    ids.map((id) => [id, (older.of.get(id) ?? []).find((other) => isCopy(id, other))] as const),
  );
  return ids
    .filter((id) => oldest.get(id) === undefined)
    .map((first) => [first, ...ids.filter((id) => oldest.get(id) === first)].slice(0, 100))
    .filter(({ length }) => length > 1)
    .toSorted((one, other) => (other.at(-1) ?? 0) - (one.at(-1) ?? 0));
}

describe('FindCopies', () => {
  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
    candidates = new InMemoryCopyCandidates(images);
    search = new InMemorySearch(images);
  });

  it('has no image twice, and none with one that is a copy of a copy alone', async () => {
    const [first, second] = [await add('1'), await add('2', flipped(SOME_HASH, bits(0, 8)))];
    const third = await add('3', flipped(SOME_HASH, bits(0, 16)));

    expect((await pageOf(50)).groups).to.deep.equal([[first, second]]);

    await images.in(COMMON_SPACE).removeById(first);

    expect((await pageOf(50)).groups).to.deep.equal([[second, third]]);
  });

  for (const limit of [1, 2, 7, 100]) {
    it(`has each group once over pages of ${limit}, as the definition says`, async () => {
      const random = randomNumbers(limit);
      const centres = Array.from({ length: 20 }, () =>
        flipped(
          SOME_HASH,
          bits(0, 64).filter(() => random() < 0.5),
        ),
      );
      for (let count = 0; count < 300; count += 1) {
        const centre = centres[Math.floor(random() * centres.length)] ?? SOME_HASH;
        const some = Array.from({ length: Math.floor(random() * 9) }, () => Math.floor(random() * 64));
        await add(Math.floor(random() * 200).toString(16), flipped(centre, some));
      }

      const expected = await definition();

      expect(expected).to.have.length.above(7);
      expect(await allGroups(limit)).to.deep.equal(expected);
    });
  }

  boundsAndChanges();
});

function boundsAndChanges(): void {
  it('walks 50,000 images in a page without copies', async () => {
    const walked: number[] = [];
    const endless = {
      in: () => ({
        ...search.in(COMMON_SPACE),
        findPage: async ({ limit }: { readonly limit: number }) => {
          walked.push(limit);
          const items = Array.from({ length: limit }, (_, at) => ({
            item: at,
            position: { by: 'created', id: at } as const,
          }));
          return { items, next: items.at(-1)?.position };
        },
      }),
    };

    const { groups, next } = await pageOf(100, undefined, new FindCopies(endless, candidates, newSearches()));

    expect(groups).to.deep.equal([]);
    expect(next).to.not.equal(undefined);
    expect(walked.reduce((sum, some) => sum + some, 0)).to.be.within(50_000, 51_000);
  });

  it('leaves out a group whose oldest image is removed while the page is made', async () => {
    const [first] = [await add('a'), await add('a')];
    const racing = intercepted(candidates, async (_, proceed) => {
      const found = await proceed();
      await images.in(COMMON_SPACE).removeById(first);
      return found;
    });

    const { groups } = await pageOf(50, undefined, new FindCopies(search, racing, newSearches()));

    expect(groups).to.deep.equal([]);
  });

  it('ends at the next portion when its client leaves', async () => {
    for (let count = 0; count < 400; count += 1) await add(`${count}`, [count, count, count, count]);
    const client = new AbortController();
    let portions = 0;
    const leaving = intercepted(search, async (method, proceed) => {
      if (method === 'findPage') {
        portions += 1;
        client.abort(new Error('The client has left'));
      }
      return await proceed();
    });
    const page = new FindCopies(leaving, candidates, newSearches()).page(
      COMMON_SPACE,
      { after: undefined, limit: 50 },
      { ...CALLER, leaving: client.signal },
    );

    expect((await rejection(page.next())).message).to.equal('The client has left');
    expect(portions).to.be.at.most(1);
  });
}

function bits(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
