import { expect } from 'chai';
import type { Test } from 'supertest';
import { MAX_NAMES_OF_IMAGE } from '../../src/domain/name/name.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

interface NameBody {
  readonly name: string;
  readonly number: number;
  readonly id: number;
  readonly version: number;
  readonly updatedAt: string;
}

let picture: Buffer;

before(async () => {
  picture = await noisyPng(20, 30);
});

const service = startFor('all', () => TestService.start());
let image: ImageRecord;
let other: ImageRecord;
let names = 0;

function freshName(): string {
  names += 1;
  return `name-${names}`;
}

function put(name: string, id: unknown, headers: Record<string, string> = {}): Test {
  return service.putJson(`/api/names/${name}`, JSON.stringify({ id })).set(headers);
}

function get(path: string, headers: Record<string, string> = {}): Test {
  return service.get(`/api/names${path}`).set(headers);
}

before(async () => {
  image = await service.upload(await noisyPng(24, 18), 'cat.png');
  other = await service.upload(await jpegPicture(40, 30), 'other.jpg');
});

describe('PUT /api/names/:name', () => {
  it('gives a new name: 201', async () => {
    const name = freshName();
    const response = await put(name, image.id);

    const body = response.body as NameBody;
    expect(response.status).to.equal(201);
    expect(body).to.deep.equal({
      name,
      number: body.number,
      id: image.id,
      version: 1,
      updatedAt: body.updatedAt,
      public: false,
      url: null,
    });
    expect(response.headers).to.include({ etag: '"n1"', 'cache-control': 'private, no-cache, no-transform' });
    expect((await get(`/${name}`)).body).to.deep.equal(body);
  });

  it('moves a name: 200, in the next version', async () => {
    const name = freshName();
    const { body } = await put(name, image.id);
    const moved = await put(name, other.id);

    expect([moved.status, moved.headers['etag']]).to.deep.equal([200, '"n2"']);
    expect(moved.body).to.deep.include({ id: other.id, number: (body as NameBody).number });
  });

  it('heeds If-Match and If-None-Match', async () => {
    const name = freshName();
    const statuses = [
      await put(name, image.id, { 'If-Match': '*' }),
      await put(name, image.id, { 'If-Match': '"n1"' }),
      await put(name, image.id, { 'If-None-Match': '*' }),
      await put(name, other.id, { 'If-None-Match': '*' }),
      ...(await Promise.all(
        ['"n7", "n8"', 'W/"n2"', 'n1', '"N1"'].map((tag) => put(name, other.id, { 'If-Match': tag })),
      )),
      await put(name, other.id, { 'If-Match': '"n7", "n1"' }),
      await put(name, image.id, { 'If-Match': '*' }),
      await put(name, other.id, { 'If-None-Match': '"n3"' }),
    ].map(({ status }) => status);

    expect(statuses).to.deep.equal([412, 412, 201, 412, 412, 412, 412, 412, 200, 200, 412]);
  });

  it('refuses an image that is not there, before the condition', async () => {
    const responses = [
      await put(freshName(), 987_654, { 'If-Match': '"n1"' }),
      await put(freshName(), Number.MAX_SAFE_INTEGER * 2),
    ];

    for (const response of responses) expect(refusalOf(response)).to.deep.equal([404, 'image_not_found']);
  });

  it('refuses one more name than an image may have', async () => {
    const { id } = await service.upload(picture);
    await plantNames(service.container.get(TOKENS.database).knex, id, MAX_NAMES_OF_IMAGE);
    const refused = await put(freshName(), id);

    expect(refusalOf(refused)).to.deep.equal([403, 'quota_exceeded']);
    expect(refused.body).to.have.property('message', 'An image has at most 100 names');
  });

  it('refuses the name, then the type, then the size, then the body', async () => {
    const large = ' '.repeat(2000);
    const send = async (name: string, body: string, type?: string): Promise<readonly [number, unknown]> =>
      refusalOf(await service.putJson(`/api/names/${name}`, body, type));

    expect(await send('.x', large, 'text/plain')).to.deep.equal([400, 'invalid_request']);
    expect(await send('x', large, 'text/plain')).to.deep.equal([415, 'unsupported_media_type']);
    expect(await send('x', large)).to.deep.equal([413, 'request_too_large']);
    expect(await send('x', '{')).to.deep.equal([400, 'invalid_request']);
  });
});

describe('GET and DELETE /api/names/:name', () => {
  it('answers 304 to a client that has this version', async () => {
    const name = freshName();
    await put(name, image.id);
    const response = await get(`/${name}`, { 'If-None-Match': '"n1"' });

    expect([response.status, response.headers['etag']]).to.deep.equal([304, '"n1"']);
    expect((await get(`/${name}`, { 'If-None-Match': '"n2"' })).status).to.equal(200);
  });

  it('removes the name, at a version if it is asked; the image stays', async () => {
    const name = freshName();
    await put(name, image.id);
    const remove = (ifMatch: string): Test => service.delete(`/api/names/${name}`).set('If-Match', ifMatch);

    expect(refusalOf(await remove('"n2"'))).to.deep.equal([412, 'precondition_failed']);
    expect((await remove('"n1"')).status).to.equal(204);
    expect(refusalOf(await remove('"n1"'))).to.deep.equal([404, 'name_not_found']);
    expect(refusalOf(await get(`/${name}`))).to.deep.equal([404, 'name_not_found']);
    expect((await service.get(`/api/image/${image.id}`)).status).to.equal(200);
    expect((await put(name, image.id)).headers['etag']).to.equal('"n2"');
  });
});

describe('PUT /api/names/:name with a bad id', () => {
  it('says that it must be the id of one image', async () => {
    for (const id of ['1', 0, 1.5, null]) {
      const { body } = await service
        .anonymous('put', '/api/names/bad')
        .set('Authorization', service.bearer)
        .send({ id });
      expect(body).to.deep.include({
        code: 'invalid_request',
        message: 'Field "id" must be the id of an image',
      });
    }
  });
});

describe('GET /api/names', () => {
  const listed = ['zoo.A', 'zoo.a', 'zoo_1', 'zoob'];

  before(async () => {
    for (const name of listed.toReversed()) await put(name, image.id);
  });

  it('gives a page with a link to the next', async () => {
    const first = await get('?prefix=zoo&limit=3');
    const second = await service.get(nextOf(first) ?? '');

    const all = (await get('')).body as readonly NameBody[];
    expect(all.map(({ name }) => name)).to.include.members(listed);
    expect((first.body as readonly NameBody[]).map(({ name }) => name)).to.deep.equal(listed.slice(0, 3));
    expect((second.body as readonly NameBody[]).map(({ name }) => name)).to.deep.equal(listed.slice(3));
    expect(second.headers).not.to.have.property('link');
  });
});
