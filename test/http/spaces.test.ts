import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import type { Claims } from '../../src/adapters/http/auth/claims.ts';
import { spaceIn } from '../../src/adapters/http/auth/require-space.ts';
import { filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { openByEnvironment, type TestStorage } from '../support/http/test-storage.ts';
import { WebListener } from '../support/http/web-listener.ts';

const CLAIM = 'org';
const MERGE_PATCH = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

type Method = 'get' | 'head' | 'post' | 'patch' | 'delete';

function idsOf({ body }: Response): readonly number[] {
  return (body as readonly ImageRecord[]).map(({ id }) => id);
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
  after(() => service.stop());
}

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

describe('A JSON Pointer as SPACE_CLAIM', () => {
  const CLAIMS = `{"exp":1,"o":{"id":"a","list":["b",{"c":"d"}],"":"e","x/y":"f","x~y":"g","~1":"h","__proto__":{"id":"i"}},
    "":{"":"j"},"constructor":"k","/o/id":"l","text":"m","01":"n","o.id":"o"}`;
  const claims = JSON.parse(CLAIMS) as Claims;

  for (const [pointer, space] of [
    ['/o/id', 'a'],
    ['/o/list/0', 'b'],
    ['/o/list/1/c', 'd'],
    ['/o/', 'e'],
    ['/o/x~1y', 'f'],
    ['/o/x~0y', 'g'],
    ['/o/~01', 'h'],
    ['/o/__proto__/id', 'i'],
    ['//', 'j'],
    ['/constructor', 'k'],
    ['/~1o~1id', 'l'],
    ['/01', 'n'],
  ] as const) {
    it(`leads to a member of the claims: ${pointer}`, () => {
      expect(spaceIn(claims, pointer)).to.equal(space);
    });
  }

  for (const pointer of [
    '/',
    '/o',
    '/o/list',
    '/o/list/00',
    '/o/list/-',
    '/o/list/2',
    '/o/list/length',
    '/o/list/0/0',
    '/o/id/0',
    '/o/id/length',
    '/o/toString/name',
    '/__proto__/id',
    '/o/constructor/name',
    '/text/x',
    `/o${'/id'.repeat(10_000)}`,
    '/'.repeat(10_000),
  ]) {
    it(`names no space where no text stands: ${pointer.slice(0, 40)}`, () => {
      expect(spaceIn(claims, pointer)).to.equal(undefined);
    });
  }

  describe('decides the space of a request', () => {
    started({ spaceClaim: '/o/id' });

    for (const o of [{}, { id: 7 }, { id: ['a'] }, { id: '' }, null, 'id', ['a']]) {
      it(`which is refused if o is ${JSON.stringify(o)}`, async () => {
        const { status, body } = await new Owner(service, undefined, { o }).get('/api/images');
        expect([status, body.code]).to.deep.equal([403, 'space_missing']);
      });
    }

    it('and other spaces do not see its images', async () => {
      const mine = new Owner(service, 'same', { o: { id: 'mine' } });
      const other = new Owner(service, 'same', { o: { id: 'other' } });
      const { id } = await mine.upload(await noisyPng(30, 20));

      expect(idsOf(await mine.get('/api/images'))).to.deep.equal([id]);
      expect(idsOf(await other.get('/api/images'))).to.deep.equal([]);
    });
  });
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
    [{ sub: 'a\0b' }, 'a\ufffdb'],
    [{ sub: '\ud83d' }, '\ufffd'],
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
