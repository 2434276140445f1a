import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { ImageSearch } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { pageOf } from '../../src/domain/ports/records/page.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { failing, recorded } from '../support/doubles/intercepted.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { NO_SUMMARY } from '../support/fixtures/no-summary.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { settled } from '../support/time/gate.ts';

function idsOf(response: Response): readonly number[] {
  return (response.body as ImageRecord[]).map(({ id }) => id);
}

function range(from: number, to: number): readonly number[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * step);
}

async function fill(service: TestService, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await service.images.add(newImage());
}

describe('GET /api/images', () => {
  describe('of a catalog of several batches', severalBatches);

  describe('of a large catalog', largeCatalog);

  describe('if the database is unavailable', unavailableDatabase);
});

function severalBatches(): void {
  const COUNT = 1_200;
  const service = startFor('all', () => TestService.start());

  before(async () => {
    await fill(service, COUNT);
  });

  it('returns all images by ascending id', async () => {
    const response = await service.get('/api/images');
    expect(response.status).to.equal(200);
    expect(idsOf(response)).to.deep.equal(range(1, COUNT));
    expect(response.headers).not.to.have.any.keys('link', 'x-total-count');
    expect((response.body as ImageRecord[])[0]).to.deep.equal((await service.get('/api/image/1')).body);
  });

  it('sends no next link if a page ends with the last image', async () => {
    const first = await service.get(`/api/images?limit=${COUNT / 2}`);
    const second = await service.get(nextOf(first) ?? '');
    expect(idsOf(second)).to.deep.equal(range(COUNT / 2 + 1, COUNT));
    expect(nextOf(second)).to.equal(undefined);
  });

  it('returns all images after a cursor without a limit', async () => {
    const cursor = new URL(
      nextOf(await service.get('/api/images?limit=1000')) ?? '',
      service.url,
    ).searchParams.get('after');
    expect(idsOf(await service.get(`/api/images?after=${cursor}`))).to.deep.equal(range(1001, COUNT));
  });

  it('counts all images on every page', async () => {
    const first = await service.get('/api/images?limit=5&count=true');
    for (const { headers } of [first, await service.get(nextOf(first) ?? '')]) {
      expect(headers['x-total-count']).to.equal(String(COUNT));
    }
    const uncounted = await service.get('/api/images?limit=1&count=false');
    expect(uncounted.headers).not.to.have.property('x-total-count');
  });

  acceptHeaders(() => service);
}

function acceptHeaders(service: () => TestService): void {
  it('returns JSON if Accept allows it, and 406 otherwise', async () => {
    const get = (accept: string): Test => service().get('/api/images?limit=1').set('Accept', accept);
    for (const accept of ['application/json', 'application/*', '*/*', 'text/html, */*;q=0.1']) {
      expect((await get(accept)).status, accept).to.equal(200);
    }
    for (const accept of ['text/html', 'image/*', 'application/json;q=0']) {
      expect(refusalOf(await get(accept)), accept).to.deep.equal([406, 'not_acceptable']);
    }
  });
}

function largeCatalog(): void {
  const NAME = 'x'.repeat(255);
  const COUNT = 40_000;
  /** Of ids, 1,000 at a time, and of their records. */
  const FULL_BATCHES = (COUNT / 1000) * 2;
  let calls: string[];
  let service: TestService;

  before(async () => {
    calls = [];
    service = await TestService.start({
      modules: [wrapping(TOKENS.search, (search) => recorded(generated(search), calls))],
    });
  });

  beforeEach(() => {
    calls.length = 0;
    service.log.clear();
  });

  after(() => service.stop());

  it('stops reading if the client disconnects', async () => {
    const connection = await service.connect();
    connection.send(requestHead('GET', '/api/images', { Authorization: service.bearer }));
    await connection.begun();
    connection.abandon();
    await service.log.entry(({ msg }) => msg === 'client left');
    await service.idle();
    const callsAtTheEnd = calls.length;
    await turnsOfTheLoop(50);
    expect(callsAtTheEnd).to.be.within(1, FULL_BATCHES / 2);
    expect(calls).to.have.length(callsAtTheEnd);
    expect(service.log.atLeast(ERROR)).to.deep.equal([]);
  });

  it('reads nothing for HEAD', async () => {
    await service.head('/api/images');
    expect(calls).to.deep.equal([]);
  });

  /** Generates the requested records. */
  function generated(search: InSpaces<ImageSearch>): InSpaces<ImageSearch> {
    const image = { ...newImage({ originalName: NAME }), ...NO_SUMMARY };
    const findPage: ImageSearch['findPage'] = async ({ after, limit }) => {
      const begin = after?.by === 'created' ? after.id : 0;
      const found = range(begin + 1, Math.min(begin + limit + 1, COUNT)).map((id) => ({
        item: id,
        position: { by: 'created', id } as const,
      }));
      return pageOf(found, limit);
    };
    const readRecords: ImageSearch['readRecords'] = async function* (ids) {
      yield ids.map((id) => ({ ...image, id, createdAt: new Date(0), createdBy: null }));
    };
    return withReads(search, { findPage, readRecords });
  }
}

function unavailableDatabase(): void {
  for (const [query, method] of [
    ['?limit=5', 'findPage'],
    ['?count=true&mediaType=image/png', 'count'],
  ] as const) {
    it(`returns 503 storage_unavailable for "${query}"`, async () => {
      const broken = await TestService.start({
        modules: [wrapping(TOKENS.search, (search) => failing(search, method, new StorageUnavailable()))],
      });
      const response = await broken.get(`/api/images${query}`);
      await broken.stop();
      expect(refusalOf(response)).to.deep.equal([503, 'storage_unavailable']);
      expect(response.headers['retry-after']).to.match(/^\d+$/);
    });
  }

  it('aborts a response that has begun and logs an error', async () => {
    const broken = await TestService.start({
      modules: [
        wrapping(TOKENS.search, (search) =>
          withReads(search, {
            readRecords: async function* (ids) {
              yield* search.in(COMMON_SPACE).readRecords(ids.slice(0, 100));
              throw new StorageUnavailable();
            },
          }),
        ),
      ],
    });
    await fill(broken, 600);
    const outcome = await broken.get('/api/images').then(
      () => 'complete',
      () => 'aborted',
    );
    await broken.idle();
    const errors = broken.log.atLeast(ERROR);
    await broken.stop();
    expect(outcome).to.equal('aborted');
    expect(errors).to.have.length(1);
  });
}

/** The same search, with other reads. */
function withReads(search: InSpaces<ImageSearch>, reads: Partial<ImageSearch>): InSpaces<ImageSearch> {
  return { in: (space) => Object.assign(Object.create(search.in(space)) as ImageSearch, reads) };
}

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await settled();
}
