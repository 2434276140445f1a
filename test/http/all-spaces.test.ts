import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const ALL_SPACES = 'images:all-spaces';
const WEB_URL = 'https://cats.example.com/';
const ORG = 'org';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

const service = startFor('all', () =>
  TestService.start({ spaceClaim: ORG, scopes: { allSpaces: ALL_SPACES }, trashDays: 30, webUrl: WEB_URL }),
);

/** As a worker without a space of its own, unless the claims say otherwise. */
function send(method: Method, path: string, space?: string, claims: object = { scope: ALL_SPACES }): Test {
  const request = service
    .anonymous(method, path)
    .set('Authorization', service.bearerWith({ sub: 'worker', ...claims }));
  return space === undefined ? request : request.set('Space', space);
}

function sendJson(
  method: Method,
  path: string,
  body: object,
  space?: string,
  type = 'application/json',
): Test {
  return send(method, path, space).set('Content-Type', type).send(JSON.stringify(body));
}

/** As an owner of the space. */
function as(space: string, method: Method, path: string): Test {
  return send(method, path, undefined, { sub: `owner of ${space}`, [ORG]: space });
}

async function uploadAs(
  space: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await upload(as(space, 'post', '/api/upload'), bytes, headers);
}

async function upload(request: Test, bytes: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const form = multipart([filePart(bytes, 'cat.png')]);
  return await request
    .set({ 'Content-Type': FORM_TYPE, ...headers })
    .serialize(() => form as unknown as string)
    .send(form);
}

function idsIn({ body }: Response): readonly number[] {
  return (body as readonly ImageRecord[]).map(({ id }) => id);
}

/** Names and headers that say them. */
const NAMED: ReadonlyArray<readonly [space: string, header: string]> = [
  ['plain', 'plain'],
  ['', ''],
  ['a b', 'a%20b'],
  ['Ωmega 🐈', encodeURIComponent('Ωmega 🐈')],
  ['a,b+c/d"e', 'a,b+c/d"e'],
  ['100%', '100%25'],
  ['é'.repeat(255), '%C3%A9'.repeat(255)],
  ['\u{feff}x', '%EF%BB%BFx'],
  // Another space than 'plain', although it looks like it.
  ['plain ', 'plain%20'],
];

describe('The header Space', () => {
  let pictures: ReadonlyMap<string, ImageRecord>;

  before(async () => {
    const made = new Map<string, ImageRecord>();
    for (const [at, [space, header]] of NAMED.entries()) {
      const bytes = await noisyPng(20 + at, 20);
      const response =
        space === ''
          ? await upload(send('post', '/api/upload', header), bytes)
          : await uploadAs(space, bytes);
      made.set(space, response.body as ImageRecord);
    }
    pictures = made;
  });

  for (const [space, header] of NAMED) {
    it(`is the space of the request: ${header.slice(0, 40)}`, async () => {
      const expected = [pictures.get(space)?.id];
      expect(idsIn(await send('get', '/api/images', header))).to.deep.equal(expected);
      const others = { scope: ALL_SPACES, [ORG]: 'another' };
      expect(idsIn(await send('get', '/api/images', header, others))).to.deep.equal(expected);
      for (const claim of [7, null, '\u0000', {}]) {
        const { status } = await send('get', '/api/images', header, { scope: ALL_SPACES, [ORG]: claim });
        expect(status).to.equal(200);
      }
    });
  }

  it('may name a space without images, which is empty', async () => {
    expect((await send('get', '/api/images', 'nobody')).body).to.deep.equal([]);
    expect((await send('get', '/api/usage', 'nobody')).body).to.deep.include({ images: 0 });
    expect((await send('get', '/api/spaces?space=nobody')).status).to.equal(404);
  });

  it('is refused without the scope, whatever it says, and before its form is judged', async () => {
    for (const header of ['plain', '', '%zz', 'own']) {
      const refused = await send('get', '/api/images', header, { scope: 'images:read', [ORG]: 'own' });
      expect(refusalOf(refused)).to.deep.equal([403, 'insufficient_scope']);
      expect(refused.headers['www-authenticate']).to.include(`scope="${ALL_SPACES}"`);
    }
  });

  it('leaves tokens without it in the space of their claim, or in none', async () => {
    expect(idsIn(await as('plain', 'get', '/api/images'))).to.deep.equal([pictures.get('plain')?.id]);
    expect(
      idsIn(await send('get', '/api/images', undefined, { scope: ALL_SPACES, [ORG]: 'a b' })),
    ).to.deep.equal([pictures.get('a b')?.id]);
    expect(refusalOf(await send('get', '/api/images'))).to.deep.equal([403, 'space_missing']);
  });

  it('counts on no public route, and changes no 404 and 405', async () => {
    const { status } = await service.anonymous('get', '/').set('Space', '%zz');
    expect(status).to.equal(200);
    expect((await send('get', '/api/nothing', '%zz')).status).to.equal(404);
    expect((await send('delete', '/api/images', '%zz')).status).to.equal(405);
  });
});

describe('An ill-formed header Space', () => {
  const ILL_FORMED = [
    '%',
    '%2',
    '%zz',
    '%C3',
    '%FF',
    '%C0%AF',
    '%ED%A0%80',
    '%00',
    '%7F',
    '%C2%85',
    'a b',
    'a\tb',
    'plain, plain',
    'é',
    '%25%',
    'x'.repeat(256),
    '%C3%A9'.repeat(256),
    'x'.repeat(8000),
  ];
  for (const header of ILL_FORMED) {
    it(`is refused if it is ill-formed: ${header.slice(0, 20)}`, async () => {
      for (const path of ['/api/images', '/api/usage', '/api/openapi.json']) {
        expect(refusalOf(await send('get', path, header)), path).to.deep.equal([400, 'invalid_request']);
      }
      const refused = await upload(send('post', '/api/upload', header), await noisyPng(9, 9));
      expect(refused.status).to.equal(400);
      expect((await send('get', '/api/images', header, { [ORG]: 'plain' })).status).to.equal(403);
    });
  }

  it('is refused if it is given twice, also with equal values, and in any case', async () => {
    for (const lines of [
      'Space: plain\r\nSpace: plain',
      'Space: plain\r\nspace: other',
      'Space:\r\nSPACE: plain',
      'Space: plain\r\nX-A: b\r\nSpace:',
      'Space:\r\nSpace:',
    ]) {
      const connection = await service.connect();
      const bearer = service.bearerWith({ scope: ALL_SPACES, [ORG]: 'plain' });
      connection.send(`GET /api/images HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer}\r\n${lines}\r\n\r\n`);
      const { status, body } = await connection.response();
      connection.close();
      const { code } = JSON.parse(body) as { readonly code: string };
      expect([status, code], lines).to.deep.equal([400, 'invalid_request']);
    }
  });
});

describe('What follows from the space', () => {
  let bytes: Buffer;
  let image: ImageRecord;

  before(async () => {
    bytes = await noisyPng(31, 30);
    image = (await upload(send('post', '/api/upload', 'first'), bytes, { 'Idempotency-Key': 'one-key' }))
      .body as ImageRecord;
  });

  it('is that of the header: an upload, its key, and who has made it', async () => {
    const replay = await upload(send('post', '/api/upload', 'first'), bytes, {
      'Idempotency-Key': 'one-key',
    });
    expect([replay.status, (replay.body as ImageRecord).id]).to.deep.equal([201, image.id]);
    expect(replay.headers).to.have.property('idempotency-replayed');
    const other = await upload(send('post', '/api/upload', 'second'), bytes, {
      'Idempotency-Key': 'one-key',
    });
    expect((other.body as ImageRecord).id).not.to.equal(image.id);
    expect(other.headers).not.to.have.property('idempotency-replayed');
    expect((await as('first', 'get', `/api/image/${image.id}`)).body).to.deep.include({
      createdBy: 'worker',
    });
    expect((await as('second', 'get', `/api/image/${image.id}`)).status).to.equal(404);
    expect((await send('get', `/api/image/${image.id}`, 'second')).status).to.equal(404);
  });

  it('is that of the header: edits, names and the feed of changes', async () => {
    const path = `/api/image/${image.id}/metadata`;
    const patch = await sendJson('patch', path, { alt: 'A cat' }, 'first', 'application/merge-patch+json');
    expect(patch.status).to.equal(200);
    expect(
      (await sendJson('patch', path, { alt: 'x' }, 'second', 'application/merge-patch+json')).status,
    ).to.equal(404);
    expect((await sendJson('put', '/api/names/hero', { id: image.id }, 'first')).status).to.equal(201);
    expect((await send('get', '/api/names/hero', 'second')).status).to.equal(404);
    const typesOf = ({ body }: Response): readonly string[] =>
      (body as { readonly changes: ReadonlyArray<{ readonly type: string }> }).changes.map(
        ({ type }) => type,
      );
    expect(typesOf(await send('get', '/api/changes', 'first'))).to.deep.equal([
      'image.created',
      'image.updated',
      'name.set',
    ]);
    expect(typesOf(await send('get', '/api/changes', 'second'))).to.deep.equal(['image.created']);
    const byOwner = await as('first', 'get', '/api/changes');
    expect(typesOf(byOwner)).to.have.length(3);
  });

  it('is that of the header: cursors, and signed links', async () => {
    await upload(send('post', '/api/upload', 'first'), await noisyPng(32, 30));
    const page = await send('get', '/api/images?limit=1', 'first');
    const search = /<([^>]*)>/.exec(String(page.headers['link']))?.[1] ?? '';
    const next = `/api/images${search}`;
    expect((await send('get', next, 'first')).status).to.equal(200);
    expect(refusalOf(await send('get', next, 'second'))).to.deep.equal([400, 'invalid_request']);
    const links = await sendJson('post', '/api/images/links', { ids: [image.id] }, 'second');
    expect(links.body).to.deep.include({ images: {}, missing: [image.id] });
    const own = await sendJson('post', '/api/images/links', { ids: [image.id] }, 'first');
    expect((own.body as { images: object }).images).to.have.property(String(image.id));
  });

  it('is that of the header: usage, limits, trash and deletes', async () => {
    const path = `/api/spaces/limits?space=third`;
    await sendJson('put', path, { images: 1 });
    const first = await upload(send('post', '/api/upload', 'third'), await noisyPng(33, 30));
    const second = await upload(send('post', '/api/upload', 'third'), await noisyPng(34, 30));
    expect(refusalOf(second)).to.deep.equal([403, 'quota_exceeded']);
    const { id } = first.body as ImageRecord;
    expect((await send('delete', `/api/image/${id}`, 'first')).status).to.equal(404);
    expect((await send('delete', `/api/image/${id}`, 'third')).status).to.equal(204);
    expect((await send('get', '/api/usage', 'third')).body).to.deep.include({
      images: 0,
      trashed: { images: 1, bytes: first.body.size },
    });
    expect((await send('get', '/api/trash', 'third')).body).to.have.length(1);
    expect((await send('get', '/api/trash', 'first')).body).to.have.length(0);
  });
});

describe('Responses to requests with the header Space', () => {
  let image: ImageRecord;

  before(async () => {
    image = (await uploadAs('cached', await noisyPng(40, 30))).body as ImageRecord;
    await sendJson('put', '/api/names/cached-name', { id: image.id }, 'cached');
  });

  it('vary by it, also errors, bytes and requests without it, but no preflights', async () => {
    const paths = [
      '/',
      '/api/images',
      `/api/image/${image.id}/file`,
      '/api/nothing',
      '/api/image/0',
      '/api/spaces',
    ];
    for (const path of paths) {
      for (const space of [undefined, 'cached']) {
        expect(String((await send('get', path, space)).headers['vary']), path).to.match(/(^|, )Space(,|$)/);
      }
    }
    expect((await service.anonymous('get', '/api/images')).headers['vary']).to.include('Space');
    const preflight = await service
      .anonymous('options', '/api/images')
      .set({ Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' });
    expect(String(preflight.headers['vary'])).not.to.include('Space');
    expect(preflight.headers['access-control-allow-headers']).to.match(/(^|,)Space(,|$)/);
  });

  it('are not stored if they are JSON, and never 304', async () => {
    const any = { 'If-None-Match': '*' };
    for (const [path, etag] of [
      [`/api/image/${image.id}`, /^"[0-9a-f]{64}"$/],
      [`/api/image/${image.id}/metadata`, /^"m1"$/],
      ['/api/names/cached-name', /^"n\d+"$/],
      ['/api/openapi.json', undefined],
      ['/api/images', undefined],
      ['/api/usage', undefined],
      ['/api/image/0', undefined],
      ['/api/nothing', undefined],
    ] as ReadonlyArray<readonly [string, RegExp | undefined]>) {
      const { status, headers } = await send('get', path, 'cached').set(any);
      expect(status, path).not.to.equal(304);
      expect(headers['cache-control'], path).to.match(/^no-store(, no-transform)?$/);
      if (etag === undefined) expect(headers, path).not.to.have.property('etag');
      else expect(headers['etag'], path).to.match(etag);
      if (etag !== undefined) expect(headers['cache-control']).to.equal('no-store, no-transform');
    }
    const refused = await service.anonymous('get', '/api/images').set('Space', 'a');
    expect([refused.status, refused.headers['cache-control']]).to.deep.equal([401, 'no-store']);
    const own = await as('cached', 'get', `/api/image/${image.id}/metadata`).set(any);
    expect([own.status, own.headers['cache-control']]).to.deep.equal([
      304,
      'private, no-cache, no-transform',
    ]);
  });

  it('are as without it if they are bytes', async () => {
    const path = `/api/image/${image.id}/file`;
    const { headers } = await send('get', path, 'cached');
    expect(headers).to.include({ 'cache-control': 'private, max-age=300', etag: `"${image.sha256}"` });
    const { status } = await send('get', path, 'cached').set('If-None-Match', `"${image.sha256}"`);
    expect(status).to.equal(304);
  });
});

describe('Without SCOPE_ALL_SPACES', () => {
  const plain = startFor('all', () => TestService.start({ spaceClaim: ORG }));

  it('no token may name a space, or list spaces', async () => {
    const bearer = plain.bearerWith({ [ORG]: 'a', scope: 'all-spaces undefined' });
    const requests = [
      plain.anonymous('get', '/api/images').set('Space', 'a'),
      plain.anonymous('get', '/api/images').set('Space', '%zz'),
      plain.anonymous('get', '/api/spaces'),
      plain
        .anonymous('put', '/api/spaces/limits?space=a')
        .set('Content-Type', 'application/json')
        .send('{"images":1}'),
    ];
    for (const request of requests) {
      expect(refusalOf(await request.set('Authorization', bearer))).to.deep.equal([
        403,
        'insufficient_scope',
      ]);
    }
    expect((await plain.anonymous('get', '/')).headers['vary']).not.to.include('Space');
  });
});
