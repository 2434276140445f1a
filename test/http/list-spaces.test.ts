import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { nextOf } from '../support/http/next-of.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const ALL_SPACES = 'images:all-spaces';
const NAMES = ['', 'Zed', 'a', 'a ', 'b', 'é', '🐈'];

const service = startFor('all', () =>
  TestService.start({
    spaceClaim: 'org',
    scopes: { allSpaces: ALL_SPACES },
    trashDays: 30,
    spaceLimits: { images: 7 },
  }),
);

function get(path: string): Test {
  return service.anonymous('get', path).set('Authorization', service.bearerWith({ scope: ALL_SPACES }));
}

function setLimits(space: string, limits: unknown): Test {
  return service
    .anonymous('put', `/api/spaces/limits?space=${encodeURIComponent(space)}`)
    .set('Authorization', service.bearerWith({ scope: ALL_SPACES }))
    .set('Content-Type', 'application/json')
    .send(JSON.stringify(limits));
}

describe('GET /api/spaces', () => {
  before(async () => {
    for (const space of NAMES) await setLimits(space, { bytes: 1000 });
  });

  it('lists all spaces by code point, with the limits in force', async () => {
    const { body } = await get('/api/spaces');
    const nothing = { images: 0, bytes: 0 };
    const expected = NAMES.map((space) => ({
      space,
      ...nothing,
      trashed: nothing,
      limits: { images: 7, bytes: 1000 },
    }));
    expect(body).to.deep.equal(expected);
  });

  it('lists them in pages, also after a name that is none of them, and after the empty one', async () => {
    const found: string[] = [];
    for (let search: string | undefined = '?limit=2'; search !== undefined; ) {
      const page: Response = await get(`/api/spaces${search}`);
      found.push(...(page.body as ReadonlyArray<{ space: string }>).map(({ space }) => space));
      search = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1];
    }
    expect(found).to.deep.equal(NAMES);
    const after = async (name: string): Promise<number> =>
      ((await get(`/api/spaces?limit=1000&after=${name}`)).body as readonly unknown[]).length;
    expect([await after(''), await after('aa'), await after('%F0%9F%90%88')]).to.deep.equal([6, 3, 0]);
  });

  it('finds one space by its name, and says if it is none', async () => {
    const namesOf = async (name: string): Promise<unknown> => {
      const { body } = await get(`/api/spaces?space=${name}`);
      return (body as ReadonlyArray<{ space: string }>).map(({ space }) => space);
    };
    expect(await namesOf('')).to.deep.equal(['']);
    expect(await namesOf('a+')).to.deep.equal(['a ']);
    expect(await namesOf('%C3%A9')).to.deep.equal(['é']);
    expect(refusalOf(await get('/api/spaces?space=nobody'))).to.deep.equal([404, 'space_not_found']);
  });

  for (const query of [
    'space=%C3',
    'space=%zz',
    'space=%FF',
    'after=%ED%A0%80',
    'space=a&limit=1',
    'space=a&after=a',
    'space=a&space=a',
    'space=%00',
    `space=${'x'.repeat(256)}`,
    'limit=0',
    'limit=1001',
  ]) {
    it(`refuses ?${query.slice(0, 30)}`, async () => {
      expect(refusalOf(await get(`/api/spaces?${query}`))).to.deep.equal([400, 'invalid_request']);
    });
  }
});

describe('GET /api/spaces with more spaces without images than a page looks at', () => {
  const CANDIDATES = 50_000;

  before(async () => {
    const { knex } = service.container.get(TOKENS.database);
    await knex.raw(`insert into spaces (name)
      with recursive numbers (number) as
        (select 1 union all select number + 1 from numbers where number <= ${CANDIDATES})
      select '🐈 ' || (1000000 + number) from numbers`);
  });

  it('ends a page early, which may be empty, and links to the next one', async () => {
    const short: Response = await get('/api/spaces?limit=8');
    const empty: Response = await get('/api/spaces?limit=8&after=%F0%9F%90%88');
    const last: Response = await get(String(nextOf(empty)));

    expect([short.body.length, empty.body, last.body]).to.deep.equal([NAMES.length, [], []]);
    expect(nextOf(short)).to.match(/after=/);
    expect(nextOf(last)).to.equal(undefined);
  });

  it('lists all spaces without a limit', async () => {
    const { body } = await get('/api/spaces');
    expect((body as ReadonlyArray<{ space: string }>).map(({ space }) => space)).to.deep.equal(NAMES);
  });
});

describe('PUT /api/spaces/limits', () => {
  it('shows limits that were set, one by one', async () => {
    const limitsAfter = async (limits: object): Promise<unknown> =>
      (await setLimits('b', limits).expect(200)).body.limits;
    expect(await limitsAfter({ images: 0 })).to.deep.equal({ images: 0, bytes: 1000 });
    expect(await limitsAfter({ images: null })).to.deep.equal({ images: null, bytes: 1000 });
    expect(await limitsAfter({ bytes: Number.MAX_SAFE_INTEGER })).to.deep.equal({
      images: null,
      bytes: Number.MAX_SAFE_INTEGER,
    });
    expect(await limitsAfter({ images: 'default', bytes: null })).to.deep.equal({ images: 7, bytes: null });
    expect((await get('/api/spaces?space=b')).body[0].limits).to.deep.equal({ images: 7, bytes: null });
    await limitsAfter({ bytes: 1000 });
  });

  it('keeps a space out that has no image, and the limits of the settings', async () => {
    const { body } = await setLimits('nobody', { images: 'default' }).expect(200);
    expect(body).to.deep.include({ space: 'nobody', limits: { images: 7, bytes: null } });
    expect((await get('/api/spaces?space=nobody')).status).to.equal(404);
  });

  for (const limits of [
    {},
    { images: -1 },
    { images: 1.5 },
    { images: '1' },
    { images: 2 ** 53 },
    { bytes: 1e300 },
    { bytes: true },
    { pictures: 1 },
    [],
  ]) {
    it(`refuses ${JSON.stringify(limits)} as limits`, async () => {
      expect(refusalOf(await setLimits('a', limits))).to.deep.equal([400, 'invalid_request']);
    });
  }

  it('needs a space for limits, well encoded', async () => {
    for (const query of ['', '?space=%FF', '?space=a&space=b', '?space=%00']) {
      const refused = service
        .anonymous('put', `/api/spaces/limits${query}`)
        .set('Authorization', service.bearerWith({ scope: ALL_SPACES }))
        .set('Content-Type', 'application/json')
        .send('{"images":1}');
      expect(refusalOf(await refused), query).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('judges the query before the type of the body', async () => {
    for (const query of ['?space=%FF', '?space=%00']) {
      const refused = service
        .anonymous('put', `/api/spaces/limits${query}`)
        .set('Authorization', service.bearerWith({ scope: ALL_SPACES }))
        .set('Content-Type', 'text/plain')
        .send('{"images":1}');
      expect(refusalOf(await refused), query).to.deep.equal([400, 'invalid_request']);
    }
  });
});
