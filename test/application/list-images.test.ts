import { expect } from 'chai';
import { ListImages, type ListingQuery } from '../../src/application/find/list-images.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { Turns } from '../../src/domain/ports/process/turns.ts';
import type { ImageSearch, SearchFilter } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemorySearch } from '../support/doubles/in-memory-search.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { CALLER, NO_TIMER, newSearches } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const OLDEST_FIRST: ListingQuery = { filter: {}, sort: { by: 'created', order: 'asc' } };
const NEWEST_FIRST: ListingQuery = { filter: {}, sort: { by: 'created', order: 'desc' } };

let images: InMemoryImageRepository;
let calls: string[];
let listImages: ListImages;

function useCatalog(): void {
  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
    calls = [];
    listImages = listingOf(recorded(new InMemorySearch(images), calls));
  });
}

function listingOf(search: InSpaces<ImageSearch>): ListImages {
  return new ListImages(search, images.spaces, newSearches(), NO_TIMER);
}

async function add(count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const mediaType = index % 2 === 0 ? 'image/jpeg' : 'image/png';
    ids.push((await images.in(COMMON_SPACE).add(newImage({ mediaType }))).id);
  }
  return ids;
}

describe('ListImages batches', () => {
  useCatalog();

  for (const count of [1, 31, 32, 33, 1000, 1001]) {
    it(`have each of ${count} images once, in both orders`, async () => {
      const ids = await add(count);

      expect(await listed(OLDEST_FIRST)).to.deep.equal(ids);
      expect(await listed(NEWEST_FIRST)).to.deep.equal(ids.toReversed());
    });
  }

  it('are read in turns with the other searches of the subject', async () => {
    await add(1);
    const searches = newSearches();
    const others = new Gate();
    const searching = [1, 2, 3].map(() => searches.turnsOf(CALLER, 'page').run(() => others.opened));
    const listing = new ListImages(new InMemorySearch(images), images.spaces, searches, NO_TIMER);
    let isRead = false;
    const batch = listing.batches(COMMON_SPACE, OLDEST_FIRST, CALLER).next();
    void batch.then(() => {
      isRead = true;
    });

    await settled();
    expect(isRead).to.equal(false);

    others.open();
    expect((await batch).value).to.have.length(1);
    await Promise.all(searching);
  });

  it('are never empty', async () => {
    await add(200);
    const lengths: number[] = [];

    for await (const batch of listImages.batches(COMMON_SPACE, NEWEST_FIRST, CALLER)) {
      lengths.push(batch.length);
    }

    expect(lengths).to.deep.equal([...Array<number>(6).fill(32), 8]);
  });

  it('do not read ahead of the consumer', async () => {
    await add(1001);
    const batches = listImages.batches(COMMON_SPACE, NEWEST_FIRST, CALLER);
    const readings: number[] = [];

    for (let asked = 0; asked < 3; asked += 1) {
      await batches.next();
      await settled();
      readings.push(calls.length);
    }

    expect(readings).to.deep.equal([3, 3, 3]);
  });

  it('end although images are added faster than they are read', async () => {
    const ids = await add(500);
    const found: number[] = [];

    for await (const batch of listImages.batches(COMMON_SPACE, OLDEST_FIRST, CALLER)) {
      found.push(...idsOf(batch));
      expect(found.length, 'images listed').to.be.lessThan(2000);
      await add(500);
    }

    expect(found).to.include.members([...ids]);
  });
});

describe('ListImages count', () => {
  useCatalog();

  it('is undefined if the wait for other searches takes two seconds', async () => {
    const [time, searches, others] = [new ManualTime(), newSearches(), new Gate()];
    const searching = [1, 2, 3].map(() => searches.turnsOf(CALLER, 'page').run(() => others.opened));
    const counting = { count: (_filter: SearchFilter, turns: Turns) => turns.run(async () => 1) };
    const search = { in: () => counting } as unknown as InSpaces<ImageSearch>;
    const listing = new ListImages(search, images.spaces, searches, time.after);
    const outcomes: unknown[] = [];
    const counted = listing.count(COMMON_SPACE, { mediaType: 'image/png' }, CALLER).then(
      (total) => outcomes.push(total),
      (error: unknown) => outcomes.push(error),
    );

    await time.settle(1_999);
    expect(outcomes).to.deep.equal([]);
    await time.settle(1);
    others.open();
    await Promise.all([counted, ...searching]);
    expect(outcomes).to.deep.equal([undefined]);
  });
});

async function listed(query: Parameters<ListImages['batches']>[1]): Promise<readonly number[]> {
  const batches: Array<readonly Image[]> = [];
  for await (const batch of listImages.batches(COMMON_SPACE, query, CALLER)) batches.push(batch);
  return idsOf(batches.flat());
}

function idsOf(images: readonly Image[]): readonly number[] {
  return images.map(({ id }) => id);
}
