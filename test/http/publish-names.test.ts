import { expect } from 'chai';
import type { Test } from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';

const WEB_URL = 'https://cats.example.com/gallery/';
const ON = { publishNames: true, webUrl: WEB_URL, scopes: { publish: 'images:publish' } } as const;
const MAY = { scope: 'images:publish' };

interface NameBody {
  readonly number: number;
  readonly id: number;
  readonly version: number;
  readonly public: boolean;
  readonly url: string | null;
}

let picture: Buffer;

before(async () => {
  picture = await noisyPng(24, 18);
});

const started = startFor('all', () => TestService.start(ON));
let service: TestService;
let id: number;
let names = 0;

beforeEach(() => {
  service = started;
});

before(async () => {
  ({ id } = await started.upload(picture));
});

function freshName(): string {
  names += 1;
  return `name-${names}`;
}

function put(name: string, body: object, claims: object = MAY): Test {
  return service.putJson(`/api/names/${name}`, JSON.stringify(body)).set(as(claims));
}

function upload(query: string, claims: object = MAY): Test {
  return service.post([filePart(picture)], query).set(as(claims));
}

function as(claims: object): { readonly Authorization: string } {
  return { Authorization: service.bearerWith({ ...claims }) };
}

async function bodyOf(name: string): Promise<NameBody> {
  return (await service.get(`/api/names/${name}`)).body as NameBody;
}

/** The changes of a name, oldest first. */
async function told(name: string): Promise<readonly unknown[]> {
  const { body } = await service.get('/api/changes?limit=1000');
  const { changes } = body as { readonly changes: ReadonlyArray<Record<string, unknown>> };
  return changes
    .filter((change) => change['name'] === name)
    .map((change) => [change['type'], change['public']]);
}

/** Runs the tests of a function with a service of their own. */
async function withService(options: TestServiceOptions, run: () => Promise<void>): Promise<void> {
  service = await TestService.start(options);
  try {
    await run();
  } finally {
    await service.stop();
  }
}

const REFUSED = [403, 'insufficient_scope'];

describe('PUT /api/names/:name with "public"', () => {
  it('publishes a name and tells its address, which stays when the name moves', async () => {
    const name = freshName();
    const { id: other } = await service.upload(picture);
    const responses = [await put(name, { id, public: true }), await put(name, { id: other })];

    expect(responses.map(({ status, headers }) => [status, headers['etag']])).to.deep.equal([
      [201, '"n1"'],
      [200, '"n2"'],
    ]);
    const bodies = responses.map(({ body }) => body as NameBody);
    const url = `${WEB_URL}p/${bodies[0]?.number}/${name}`;
    for (const body of bodies) expect(body).to.include({ public: true, url });
    expect(await bodyOf(name)).to.deep.equal(bodies[1]);
    expect(await told(name)).to.deep.equal([
      ['name.set', true],
      ['name.set', true],
    ]);
  });

  it('changes the version only if it changes something', async () => {
    const name = freshName();
    const bodies = [
      { id },
      { id, public: false },
      { id, public: true },
      { id, public: true },
      { id },
      { id, public: false },
    ];
    const versions = [];
    for (const body of bodies) versions.push(((await put(name, body)).body as NameBody).version);

    expect(versions).to.deep.equal([1, 1, 2, 2, 2, 3]);
    expect(await bodyOf(name)).to.include({ public: false, url: null });
    expect(await told(name)).to.deep.equal([
      ['name.set', false],
      ['name.set', true],
      ['name.set', false],
    ]);
  });

  it('needs the scope for a request after which the name is public, whatever it changes', async () => {
    const name = freshName();
    const challenge = 'Bearer error="insufficient_scope", scope="images:publish"';
    await put(name, { id, public: true });
    const refused = [
      await put(freshName(), { id, public: true }, {}),
      await put(name, { id, public: true }, {}),
      await put(name, { id }, {}),
    ];

    for (const response of refused) {
      expect(refusalOf(response)).to.deep.equal(REFUSED);
      expect(response.headers).to.include({ 'www-authenticate': challenge });
    }
    expect(await bodyOf(name)).to.include({ version: 1, public: true });
  });

  it('needs no scope to end the publication, or to remove the name', async () => {
    const [one, other] = [freshName(), freshName()];
    for (const name of [one, other]) await put(name, { id, public: true });

    expect((await put(one, { id, public: false }, {})).body).to.include({ public: false, url: null });
    expect((await service.delete(`/api/names/${other}`)).status).to.equal(204);
    expect((await put(other, { id }, {})).body).to.include({ public: false, version: 2 });
  });

  it('refuses in this order: body, scope of a request that publishes, image, condition, scope, number of names', async () => {
    const name = freshName();
    const full = await service.upload(picture);
    await plantNames(service.container.get(TOKENS.database).knex, full.id, 100);
    await put(name, { id, public: true });
    const stale = { 'If-Match': '"n9"' };

    expect(refusalOf(await put(name, { id: 0, public: true }, {}))).to.deep.equal([400, 'invalid_request']);
    expect(refusalOf(await put(name, { id: 999_999, public: true }, {}))).to.deep.equal(REFUSED);
    expect(refusalOf(await put(name, { id: 999_999 }, {}))).to.deep.equal([404, 'image_not_found']);
    expect(refusalOf(await put(name, { id }, {}).set(stale))).to.deep.equal([412, 'precondition_failed']);
    expect(refusalOf(await put(name, { id: full.id }, {}))).to.deep.equal(REFUSED);
    expect(refusalOf(await put(name, { id: full.id }))).to.deep.equal([403, 'quota_exceeded']);
    expect(refusalOf(await put(name, { id, public: 'true' }))).to.deep.equal([400, 'invalid_request']);
    expect(refusalOf(await put(name, { id, public: null }))).to.deep.equal([400, 'invalid_request']);
  });
});

describe('POST /api/upload with "public"', () => {
  it('publishes the name in the transaction of the record', async () => {
    const name = freshName();
    const response = await upload(`?name=${name}&public=true`);

    expect(response.status).to.equal(201);
    expect(await bodyOf(name)).to.include({ id: (response.body as ImageRecord).id, public: true });
    expect((await upload(`?name=${name}&public=false`, {})).status).to.equal(201);
    expect(await bodyOf(name)).to.include({ public: false, version: 2 });
  });

  it('stores nothing without a name, with another value, or without the scope', async () => {
    const name = freshName();
    await put(name, { id, public: true });
    const before = await service.records();
    const refused = [
      await upload('?public=true'),
      await upload('?public=false'),
      await upload(`?name=${name}&public=yes`),
      await upload(`?name=${name}&public=true&public=true`),
      await upload(`?name=${name}&public=true`, {}),
      await upload(`?name=${name}`, {}),
    ].map(refusalOf);

    const invalid = [400, 'invalid_request'];
    expect(refused).to.deep.equal([invalid, invalid, invalid, invalid, REFUSED, REFUSED]);
    expect(await service.records()).to.equal(before);
    expect(await bodyOf(name)).to.include({ version: 1, id });
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('judges the condition of the name before its scope', async () => {
    const name = freshName();
    await put(name, { id, public: true });
    const refused = upload(`?name=${name}`, {}).set('If-None-Match', '*');

    expect(refusalOf(await refused)).to.deep.equal([412, 'precondition_failed']);
  });
});

describe('GET /api/names?public=', () => {
  it('lists the names that are public, or the others, in pages', async () => {
    for (const name of ['zoo1', 'zoo2', 'zoo3', 'zoo4']) await put(name, { id, public: name > 'zoo2' });
    const list = async (query: string): Promise<readonly unknown[]> => {
      const { body, headers } = await service.get(`/api/names?prefix=zoo${query}`);
      return [(body as ReadonlyArray<{ name: string }>).map(({ name }) => name).join(), headers['link']];
    };

    expect(await list('')).to.deep.equal(['zoo1,zoo2,zoo3,zoo4', undefined]);
    expect(await list('&public=true')).to.deep.equal(['zoo3,zoo4', undefined]);
    expect(await list('&public=false&limit=1')).to.deep.equal([
      'zoo1',
      '<?prefix=zoo&public=false&limit=1&after=zoo1>; rel="next"',
    ]);
    expect(await list('&public=false&limit=1&after=zoo1')).to.deep.equal(['zoo2', undefined]);
    expect(refusalOf(await service.get('/api/names?public=yes'))).to.deep.equal([400, 'invalid_request']);
  });
});

describe('A service that publishes no names', () => {
  it('refuses to publish, keeps what was published without an address, and ends it', async () => {
    await withService({ webUrl: WEB_URL }, async () => {
      const { id: own } = await service.upload(picture);
      const refused = [await put('a', { id: own, public: true }), await upload('?name=a&public=true')];
      await service.container
        .get(TOKENS.database)
        .knex.raw(
          `insert into names (image_id, updated_at, space, version, name, is_public) values (${own}, 0, 0, 1, 'hero', 1)`,
        );

      for (const response of refused) {
        expect(refusalOf(response)).to.deep.equal(REFUSED);
        expect(response.body).to.have.property('message', 'This service does not publish names');
        expect(response.headers['www-authenticate']).to.include('scope="publish"');
      }
      expect(await bodyOf('hero')).to.include({ public: true, url: null });
      expect((await put('hero', { id: own })).status).to.equal(200);
      expect((await put('hero', { id: own, public: false })).body).to.include({ public: false });
    });
  });

  it('needs the scope to move what was published', async () => {
    await withService({ scopes: { publish: 'images:publish' } }, async () => {
      const { id: own } = await service.upload(picture);
      await service.container
        .get(TOKENS.database)
        .knex.raw(
          `insert into names (image_id, updated_at, space, version, name, is_public) values (${own}, 0, 0, 1, 'hero', 1)`,
        );
      const { id: other } = await service.upload(picture);

      expect(refusalOf(await put('hero', { id: other }, {}))).to.deep.equal(REFUSED);
      expect(refusalOf(await put('hero', { id: other, public: true }))).to.deep.equal(REFUSED);
      expect((await put('hero', { id: other })).body).to.include({ public: true, id: other });
    });
  });

  it('has no address without a web listener', async () => {
    await withService({ publishNames: true }, async () => {
      const { id: own } = await service.upload(picture);
      expect((await put('hero', { id: own, public: true })).body).to.include({ public: true, url: null });
    });
  });
});
