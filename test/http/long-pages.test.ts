import { expect } from 'chai';
import type { Response } from 'supertest';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { ImageSearch } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { pageOf } from '../../src/domain/ports/records/page.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { longestRecord } from '../support/fixtures/longest-record.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { nextOf } from '../support/http/next-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

const COUNT = 200;
const MIB = 1024 * 1024;
const RECORD_BYTES = 30 * 1024;
const IDS = Array.from({ length: COUNT }, (_, at) => at + 1);

const service = startFor('all', () =>
  TestService.start({ modules: [wrapping(TOKENS.images, longRecords), wrapping(TOKENS.search, longPages)] }),
);

/** The records of the catalog, with the longest texts. */
function longRecords(images: ImageRecords): ImageRecords {
  const findById = async (id: number) => (id <= COUNT ? longestRecord(id) : undefined);
  const inSpace: ImageRecords['in'] = (space) => Object.assign(Object.create(images.in(space)), { findById });
  return Object.assign(Object.create(images) as ImageRecords, { in: inSpace });
}

function longPages(search: InSpaces<ImageSearch>): InSpaces<ImageSearch> {
  const reads: Partial<ImageSearch> = {
    findPage: async ({ after, limit, sort }) => {
      const seen = after?.by === 'random' ? after.position : after?.by === 'created' ? after.id : 0;
      const found = IDS.filter((id) => id > seen).map((id) => ({
        item: id,
        position:
          sort.by === 'random'
            ? ({ by: 'random', power: 8, position: id } as const)
            : ({ by: 'created', id } as const),
      }));
      return pageOf(found, limit);
    },
    async *readRecords(ids) {
      for (let begin = 0; begin < ids.length; begin += 32) {
        yield ids.slice(begin, begin + 32).map(longestRecord);
      }
    },
  };
  return { in: (space) => Object.assign(Object.create(search.in(space)) as ImageSearch, reads) };
}

function expectCut({ text }: Response): void {
  expect(Buffer.byteLength(text)).to.be.within(4 * MIB - RECORD_BYTES, 4 * MIB);
}

describe('a page of the longest records', () => {
  before(async () => {
    for (let at = 0; at < COUNT; at += 1) await service.images.add(newImage());
  });

  for (const query of ['limit=1000', 'limit=200&sort=random&seed=x']) {
    it(`of ?${query} is cut at 4 MiB, and its links lead to each image once`, async () => {
      const first = await service.get(`/api/images?${query}`).expect(200);
      const second = await service.get(nextOf(first) ?? '').expect(200);
      const ids = [first, second].flatMap(({ body }) =>
        (body as ReadonlyArray<{ id: number }>).map(({ id }) => id),
      );
      expectCut(first);
      expect(ids).to.deep.equal(IDS);
      expect(nextOf(second)).to.equal(undefined);
    });
  }

  for (const coding of ['br', 'gzip', 'identity']) {
    it(`has the headers of GET for HEAD, sent as ${coding}`, async () => {
      const path = '/api/images?limit=1000';
      const get = await service.get(path).set('Accept-Encoding', coding).buffer(false);
      const head = await service.head(path).set('Accept-Encoding', coding);
      expect([get.status, head.status]).to.deep.equal([200, 200]);
      for (const name of ['link', 'vary', 'content-encoding', 'content-length', 'content-type']) {
        expect(head.headers[name], name).to.equal(get.headers[name]);
      }
      expect(Number(head.headers['content-length'])).to.be.within(1, 4 * MIB);
    });
  }

  it('of the feed is cut at 4 MiB, and says that there is more behind its next', async () => {
    const first = await service.get('/api/changes?limit=1000&include=image').expect(200);
    const { changes, next, more } = first.body as FeedPage;
    const rest = await service.get(`/api/changes?limit=1000&include=image&after=${next}`).expect(200);
    const other = rest.body as FeedPage;
    expectCut(first);
    expect([more, other.more]).to.deep.equal([true, false]);
    expect(next).to.equal(changes.at(-1)?.cursor);
    expect([...changes, ...other.changes].map(({ id, image }) => [id, image.id])).to.deep.equal(
      IDS.map((id) => [id, id]),
    );
  });

  it('of the feed without records is whole', async () => {
    const { body } = await service.get('/api/changes?limit=1000').expect(200);
    expect((body as FeedPage).changes).to.have.length(COUNT);
    expect((body as FeedPage).more).to.equal(false);
  });
});

interface FeedPage {
  readonly changes: ReadonlyArray<{
    readonly cursor: string;
    readonly id: number;
    readonly image: { readonly id: number };
  }>;
  readonly next: string;
  readonly more: boolean;
}
