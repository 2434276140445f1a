import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import type { Claims } from '../../src/adapters/http/auth/claims.ts';
import { spaceIn } from '../../src/adapters/http/auth/token-space.ts';
import { filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { readZip } from '../support/fixtures/read-zip.ts';
import { jpegOf, scene } from '../support/fixtures/scenes.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { openByEnvironment, type TestStorage } from '../support/http/test-storage.ts';
import { WebListener } from '../support/http/web-listener.ts';

const CLAIM = 'org';
const MERGE_PATCH = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

type Method = 'get' | 'head' | 'post' | 'patch' | 'delete';

function errorOf({ status, body }: Response): readonly [number, unknown] {
  return [status, (body as { readonly code?: string }).code];
}

function idsOf({ body }: Response): readonly number[] {
  return (body as readonly ImageRecord[]).map(({ id }) => id);
}

/** The query of the next page. */
function nextOf({ headers }: Response): string {
  return /<\/api\/images\?([^>]+)>/.exec(String(headers['link']))?.[1] ?? '';
}

/** Sends requests with tokens of one space. */
class Owner {
  constructor(
    private readonly service: TestService,
    private readonly space: unknown,
    private readonly claims: Record<string, unknown> = {},
  ) {}

  send(method: Method, path: string): Test {
    const bearer = this.service.bearerWith({ [CLAIM]: this.space, ...this.claims });
    return this.service.anonymous(method, path).set('Authorization', bearer);
  }

  get(path: string): Test {
    return this.send('get', path);
  }

  post(path: string, body: object): Test {
    return this.send('post', path).set('Content-Type', JSON_TYPE).send(JSON.stringify(body));
  }

  patch(path: string, body: object): Test {
    return this.send('patch', path).set('Content-Type', MERGE_PATCH).send(JSON.stringify(body));
  }

  form(bytes: Uint8Array, path = '/api/upload', filename = 'cat.png'): Test {
    const form = multipart([filePart(bytes, filename)]);
    return this.send('post', path)
      .set('Content-Type', 'multipart/form-data; boundary=a-boundary-of-the-tests')
      .serialize(() => form as unknown as string)
      .send(form);
  }

  async upload(bytes: Uint8Array, filename?: string): Promise<ImageRecord> {
    const response = await this.form(bytes, '/api/upload', filename);
    expect(response.status).to.equal(201);
    return response.body as ImageRecord;
  }
}

let service: TestService;

/** For the tests of a suite. */
function started(options: TestServiceOptions = { spaceClaim: CLAIM }): void {
  before(async () => {
    service = await TestService.start(options);
  });
  after(async () => {
    await service.stop();
  });
}

describe('A claim that names no space', () => {
  started({ spaceClaim: CLAIM, scopes: { read: 'images:read' } });

  const VALUES: ReadonlyArray<readonly [what: string, value: unknown]> = [
    ['a missing one', undefined],
    ['null', null],
    ['a number', 7],
    ['true', true],
    ['an array', ['a']],
    ['an object', { id: 'a' }],
    ['an empty text', ''],
    ['a text with NUL', 'a\0'],
    ['a text with a line feed', 'a\nb'],
    ['a text with a control character of Latin-1', 'a\u0085b'],
    ['a text with a lone surrogate', 'a\ud83d'],
    ['a text of 256 code points', 'x'.repeat(256)],
  ];
  for (const [what, value] of VALUES) {
    it(`is ${what}: 403 space_missing without a challenge`, async () => {
      const response = await new Owner(service, value, { scope: 'images:read' }).get('/api/images');
      expect(errorOf(response)).to.deep.equal([403, 'space_missing']);
      expect(response.headers).not.to.have.property('www-authenticate');
    });
  }

  for (const value of ['a', ' ', '\u200d', '0', '\u{1f408}'.repeat(255)]) {
    it(`is not ${JSON.stringify(value.slice(0, 4))}`, async () => {
      const { status } = await new Owner(service, value, { scope: 'images:read' }).get('/api/images');
      expect(status).to.equal(200);
    });
  }

  it('comes after the scope', async () => {
    const response = await new Owner(service, undefined).get('/api/images');
    expect(errorOf(response)).to.deep.equal([403, 'insufficient_scope']);
  });

  it('does not matter for the greeting, the description, unknown paths and other methods', async () => {
    const stranger = new Owner(service, undefined, { scope: 'images:read' });
    expect((await stranger.get('/')).status).to.equal(200);
    expect((await stranger.get('/api/openapi.json')).status).to.equal(200);
    expect(errorOf(await stranger.get('/api/nothing'))).to.deep.equal([404, 'not_found']);
    expect(errorOf(await stranger.send('delete', '/api/images'))).to.deep.equal([405, 'method_not_allowed']);
  });
});

describe('The name of the claim', () => {
  async function statusWith(spaceClaim: string, claims: Record<string, unknown>): Promise<number> {
    service = await TestService.start({ spaceClaim });
    const { status } = await service.get('/api/images').set('Authorization', service.bearerWith(claims));
    await service.stop();
    return status;
  }

  for (const claim of ['https://example.com/org', 'a.b']) {
    it(`is literal: ${claim}`, async () => {
      expect(await statusWith(claim, { [claim]: 'a' })).to.equal(200);
      expect(await statusWith(claim, { a: { b: 'nested' } })).to.equal(403);
    });
  }

  for (const inherited of ['__proto__', 'constructor', 'toString']) {
    it(`is none that objects inherit: ${inherited}`, async () => {
      expect(await statusWith(inherited, {})).to.equal(403);
      const claims = JSON.parse(`{"${inherited}":"a","exp":1}`) as Claims;
      expect(spaceIn(claims, inherited)).to.equal('a');
    });
  }
});

describe('An image of another space', () => {
  started({ spaceClaim: CLAIM, webUrl: 'https://cats.example.com/' });

  const UNKNOWN_ID = 987_654;
  let mine: Owner;
  let other: Owner;
  let image: ImageRecord;

  before(async () => {
    mine = new Owner(service, 'mine');
    other = new Owner(service, 'other');
    image = await other.upload(await noisyPng(30, 20));
  });

  const ROUTES: ReadonlyArray<readonly [Method, tail: string, headers?: object, body?: object]> = [
    ['get', ''],
    ['head', ''],
    ['get', '', { Accept: 'image/*' }],
    ['delete', ''],
    ['delete', '', { 'If-Match': '"x"' }],
    ['get', '/file'],
    ['head', '/file'],
    ['get', '/file', { 'If-None-Match': '*' }],
    ['get', '/file', { Range: 'bytes=0-1' }],
    ['get', '/file?width=320&format=webp'],
    ['get', '/file?download=true'],
    ['get', '/similar'],
    ['get', '/metadata'],
    ['get', '/metadata', { 'If-None-Match': '"m1"' }],
    ['patch', '/metadata', { 'Content-Type': MERGE_PATCH }, { title: 'Mine' }],
    ['patch', '/metadata', { 'Content-Type': MERGE_PATCH, 'If-Match': '"m1"' }, { title: 'Mine' }],
    ['patch', '/metadata', { 'Content-Type': MERGE_PATCH }, { title: 7 }],
  ];

  for (const [method, tail, headers = {}, body] of ROUTES) {
    it(`is an unknown one for ${method.toUpperCase()} …${tail} ${JSON.stringify(headers)}`, async () => {
      const [unknown, hidden] = await Promise.all(
        [UNKNOWN_ID, image.id].map((id) => {
          const request = mine
            .send(method, `/api/image/${id}${tail}`)
            .set({ 'X-Request-Id': 'a', ...headers });
          return body === undefined ? request : request.send(JSON.stringify(body));
        }),
      );

      expect(hidden?.status).to.equal(404);
      const seen = [unknown, hidden].map((response) => {
        const { date: _, ...rest } = response?.headers ?? {};
        return { status: response?.status, text: response?.text, headers: Object.entries(rest) };
      });
      expect(seen[1]).to.deep.equal(seen[0]);
    });
  }

  it('is still there for its owner', async () => {
    const { body } = await other.get(`/api/image/${image.id}`);
    expect(body).to.deep.equal(image);
    expect((await other.get(`/api/image/${image.id}/metadata`)).headers['etag']).to.equal('"m1"');
  });

  it('is missing from a bulk edit, and stays as it is', async () => {
    const { id } = await mine.upload(await noisyPng(20, 20));
    const { body } = await mine.post('/api/images/metadata', { ids: [image.id, id], addTags: ['mine'] });
    expect(body).to.deep.equal({ updated: [id], missing: [image.id] });
    expect((await other.get(`/api/image/${image.id}`)).body).to.deep.include({ tags: [] });
  });

  it('gets no signed link, but every holder of a link of its owner can follow it', async () => {
    const links = await mine.post('/api/images/links', {
      ids: [image.id, UNKNOWN_ID],
      page: { title: null },
    });
    expect(links.body).to.deep.include({ images: {}, missing: [image.id, UNKNOWN_ID], page: null });
    const own = await other.post('/api/images/links', { ids: [image.id] });
    const url = (own.body as { images: Record<string, string[]> }).images[image.id]?.[0];
    const web = await WebListener.start(service);
    const { status } = await web.get(new URL(url ?? '').pathname);
    await web.stop();
    expect(status).to.equal(200);
  });

  it('is missing from an archive', async () => {
    const { id } = await mine.upload(await noisyPng(22, 20));
    const zip = await mine.post('/api/images/archive', { ids: [image.id, id] }).responseType('blob');
    const files = readZip(zip.body as Buffer);
    expect(files.map(({ name }) => name)).to.deep.equal(['cat.png', 'missing.txt']);
    expect(files[1]?.bytes.toString().trim()).to.equal(String(image.id));
    const nothing = await mine.post('/api/images/archive', { ids: [image.id] });
    expect(errorOf(nothing)).to.deep.equal([404, 'image_not_found']);
  });

  it('is not found by its bytes', async () => {
    expect((await mine.post('/api/images/lookup', { sha256: [image.sha256] })).body).to.deep.equal({});
    expect(idsOf(await mine.get(`/api/images?sha256=${image.sha256}`))).to.deep.equal([]);
  });
});

describe('Two spaces of one catalog', () => {
  started();

  let first: Owner;
  let second: Owner;
  let ids: Readonly<Record<'first' | 'second', readonly number[]>>;

  before(async () => {
    [first, second] = [new Owner(service, 'a'), new Owner(service, 'A')];
    const made = { first: [] as number[], second: [] as number[] };
    for (let index = 0; index < 3; index += 1) {
      const own = await first.upload(await noisyPng(20 + index, 20), 'black-cat.png');
      const others = await second.upload(await noisyPng(20 + index, 30), 'black-dog.png');
      await first.patch(`/api/image/${own.id}/metadata`, { tags: ['Pet'], takenAt: '2024-05-01T00:00:00Z' });
      await second.patch(`/api/image/${others.id}/metadata`, {
        tags: ['PET'],
        takenAt: '2020-05-01T00:00:00Z',
      });
      made.first.push(own.id);
      made.second.push(others.id);
    }
    ids = made;
  });

  const LISTINGS = [
    '',
    '?limit=100',
    '?order=desc',
    '?sort=taken',
    '?sort=taken&order=desc',
    '?sort=random&seed=7',
    '?mediaType=image/png',
    '?q=black',
    '?tags=pet',
    '?createdAfter=2000-01-01T00:00:00Z',
    '?takenAfter=2000-01-01T00:00:00Z',
  ];
  for (const query of LISTINGS) {
    it(`list their own images for "${query}"`, async () => {
      const [own, others] = [await first.get(`/api/images${query}`), await second.get(`/api/images${query}`)];
      expect(idsOf(own)).to.have.members(ids.first);
      expect(idsOf(others)).to.have.members(ids.second);
    });
  }

  it('count their own images', async () => {
    for (const query of ['', '&q=black', '&tags=pet', '&q=dog']) {
      const { headers } = await first.get(`/api/images?limit=1&count=true${query}`);
      expect(headers['x-total-count']).to.equal(query === '&q=dog' ? '0' : '3');
    }
  });

  it('have spellings of tags, and counts, of their own', async () => {
    expect((await first.get('/api/tags')).body).to.deep.equal([{ tag: 'Pet', count: 3 }]);
    expect((await second.get('/api/tags?prefix=p')).body).to.deep.equal([{ tag: 'PET', count: 3 }]);
  });

  it('have timelines of their own', async () => {
    const periods = async (owner: Owner, query = ''): Promise<unknown> =>
      (
        (await owner.get(`/api/images/timeline?by=year${query}`)).body as { period: string; count: number }[]
      ).map(({ period, count }) => [period, count]);
    expect(await periods(first)).to.deep.equal([['2024', 3]]);
    expect(await periods(second, '&q=black')).to.deep.equal([['2020', 3]]);
  });

  for (const query of ['limit=1', 'limit=1&sort=taken&order=desc', 'limit=1&sort=random&seed=a']) {
    it(`refuse the cursor of the other one for ${query}, and name "after"`, async () => {
      const next = nextOf(await first.get(`/api/images?${query}`));
      const refusal = await second.get(`/api/images?${next}`);

      expect(errorOf(refusal)).to.deep.equal([400, 'invalid_request']);
      expect((refusal.body as { message: string }).message).to.contain('"after"');
      expect((await first.get(`/api/images?${next}`)).status).to.equal(200);
    });
  }

  it('refuse the cursor of the timeline of the other one', async () => {
    const { body } = await first.get('/api/images/timeline?by=day');
    const after = (body as { after: string }[])[0]?.after;
    const query = `sort=taken&order=desc&limit=1&after=${after}`;
    expect(idsOf(await first.get(`/api/images?${query}`))).to.have.length(1);
    expect((await second.get(`/api/images?${query}`)).status).to.equal(400);
  });

  it('show in a random order each image once', async () => {
    const seen: number[] = [];
    let query = 'sort=random&seed=z&limit=1';
    while (query !== '') {
      const page = await second.get(`/api/images?${query}`);
      seen.push(...idsOf(page));
      query = nextOf(page);
    }
    expect(seen).to.have.members(ids.second);
  });
});

describe('Uploads to two spaces', () => {
  started();

  it('have idempotency keys of their own', async () => {
    const picture = await noisyPng(41, 20);
    const [a, b] = [new Owner(service, 'keys-a'), new Owner(service, 'keys-b')];
    const [one, replay, another] = [
      await a.form(picture).set('Idempotency-Key', 'k'),
      await a.form(picture).set('Idempotency-Key', 'k'),
      await b.form(picture).set('Idempotency-Key', 'k'),
    ];
    const numbers = [one, replay, another].map(({ body }) => (body as ImageRecord).id);
    expect(numbers[1]).to.equal(numbers[0]);
    expect(numbers[2]).not.to.equal(numbers[0]);
    expect(another.headers).not.to.have.property('idempotency-replayed');
  });

  it('have similar images of their own', async () => {
    const picture = await jpegOf(await scene(3));
    const [a, b] = [new Owner(service, 'similar-a'), new Owner(service, 'similar-b')];
    const foreign = await a.upload(picture, 'a.jpg');
    const report = await b.form(picture, '/api/upload?similar=report', 'b.jpg');
    expect(report.body).to.deep.include({ similar: [] });
    const second = await b.form(picture, '/api/upload?similar=report', 'c.jpg');
    const found = (second.body as { similar: { image: ImageRecord }[] }).similar.map(({ image }) => image.id);
    expect(found).to.deep.equal([(report.body as ImageRecord).id]);
    expect((await a.get(foreign.links.similar)).body).to.deep.equal([]);
  });
});

describe('Without SPACE_CLAIM', () => {
  let storage: TestStorage;
  let withClaim: TestService;

  before(async () => {
    const opened = await openByEnvironment({ now: () => new Date() });
    storage = { ...opened, tearDown: async () => undefined };
    withClaim = await TestService.start({ spaceClaim: CLAIM, openStorage: async () => storage });
    service = await TestService.start({ openStorage: async () => storage });
    storage = opened;
  });

  after(async () => {
    await withClaim.stop();
    await service.stop();
    await storage.tearDown();
  });

  it('all tokens share one space, which is that of no claim', async () => {
    const { id } = await new Owner(service, 'a').upload(await noisyPng(20, 20));
    for (const value of [undefined, 7, '', 'b']) {
      expect(idsOf(await new Owner(service, value).get('/api/images'))).to.deep.equal([id]);
    }
    expect(idsOf(await new Owner(withClaim, 'a').get('/api/images'))).to.deep.equal([]);
  });

  it('images of spaces are hidden', async () => {
    const { id } = await new Owner(withClaim, 'hidden').upload(await noisyPng(20, 21));
    expect((await service.get(`/api/image/${id}`)).status).to.equal(404);
    expect(idsOf(await service.get('/api/images'))).not.to.include(id);
  });
});

describe('createdBy of a record', () => {
  started();

  const ACTORS: ReadonlyArray<readonly [claims: Record<string, unknown>, expected: string | null]> = [
    [{ sub: 'alice', client_id: 'app' }, 'alice'],
    [{ sub: undefined, client_id: 'app', azp: 'other' }, 'app'],
    [{ sub: undefined, azp: 'other' }, 'other'],
    [{ sub: undefined }, null],
    [{ sub: 7 }, null],
    [{ sub: 'x'.repeat(300) }, 'x'.repeat(255)],
  ];
  for (const [claims, expected] of ACTORS) {
    it(`is ${expected?.slice(0, 8) ?? 'null'} for ${JSON.stringify(claims).slice(0, 40)}, below takenAt`, async () => {
      const owner = new Owner(service, 'a', claims);
      const record = await owner.upload(await noisyPng(20, 20));
      const names = Object.keys(record);
      expect(record).to.deep.include({ createdBy: expected });
      expect(names.indexOf('createdBy')).to.equal(names.indexOf('takenAt') + 1);
      expect((await owner.get(record.links.self)).body).to.deep.equal(record);
    });
  }

  it('stays when others change the image', async () => {
    const { links } = await new Owner(service, 'b').upload(await noisyPng(20, 20));
    const bob = new Owner(service, 'b', { sub: 'bob' });
    await bob.patch(links.metadata, { title: 'By Bob' });
    expect((await bob.get(links.self)).body).to.deep.include({ createdBy: 'alice', title: 'By Bob' });
  });

  it('is null with RECORD_ACTOR=false', async () => {
    const silent = await TestService.start({ recordActor: false });
    const { createdBy } = await silent.upload(await noisyPng(20, 20));
    await silent.stop();
    expect(createdBy).to.equal(null);
  });
});
