import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { MAX_NAMES_OF_IMAGE } from '../../src/domain/name/name.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { WARN } from '../support/doubles/captured-log.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { TestService } from '../support/http/test-service.ts';

/** More than SQLite has variables for. */
const MANY = 40_000;

let service: TestService;
let full: number;
let other: number;

function put(name: string, id: unknown, headers: Record<string, string> = {}): Test {
  return service.putJson(`/api/names/${name}`, JSON.stringify({ id })).set(headers);
}

function outcomeOf({ status, body }: Response): readonly [number, unknown] {
  return [status, (body as { readonly code?: unknown }).code];
}

async function plant(id: number, count: number): Promise<void> {
  await plantNames(service.container.get(TOKENS.database).knex, id, count);
}

async function addImage(): Promise<number> {
  return (await service.upload(await noisyPng(20, 16))).id;
}

describe('The names of an image', () => {
  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  beforeEach(async () => {
    [full, other] = [await addImage(), await addImage()];
  });

  afterEach(async () => {
    for (const id of [full, other]) await service.delete(`/api/image/${id}`);
  });

  it('are at most 100, new or moved: one more is 403 quota_exceeded', async () => {
    await plant(full, MAX_NAMES_OF_IMAGE - 1);
    await put('moved', other);

    expect((await put('last', full)).status).to.equal(201);
    const refused = await put('one-more', full);
    expect(outcomeOf(refused)).to.deep.equal([403, 'quota_exceeded']);
    expect(refused.body).to.have.property('message', 'An image has at most 100 names');
    expect(outcomeOf(await put('moved', full))).to.deep.equal([403, 'quota_exceeded']);
    expect((await service.get('/api/names/moved')).body).to.include({ id: other, version: 1 });
    expect((await put('last', full)).status).to.equal(200);
    expect((await put('last', other)).status).to.equal(200);
    expect((await put('one-more', full)).status).to.equal(201);
  });

  it('are counted last: behind the name, type, size, body, image and condition', async () => {
    await plant(full, MAX_NAMES_OF_IMAGE);
    const send = (name: string, body: string, type?: string): Test =>
      service.putJson(`/api/names/${name}`, body, type);
    const condition = { 'If-Match': '"n1"' };

    expect(outcomeOf(await send('.x', ' '.repeat(2000), 'text/plain'))[0]).to.equal(400);
    expect(outcomeOf(await send('x', ' '.repeat(2000), 'text/plain'))[0]).to.equal(415);
    expect(outcomeOf(await send('x', ' '.repeat(2000)))[0]).to.equal(413);
    expect(outcomeOf(await send('x', '{"id":0}'))[0]).to.equal(400);
    expect(outcomeOf(await put('x', 987_654, condition))[0]).to.equal(404);
    expect(outcomeOf(await put('x', full, condition))[0]).to.equal(412);
    expect(outcomeOf(await put('x', full))[0]).to.equal(403);
  });

  it('do not pass the limit if many come at once', async () => {
    await plant(full, MAX_NAMES_OF_IMAGE - 2);
    const responses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => await put(`at-once-${at}`, full)),
    );

    expect(responses.map(({ status }) => status)).to.have.members([201, 201, ...Array<number>(6).fill(403)]);
  });

  it('leave with an image that has 40,000 of them', async () => {
    await plant(full, MANY);

    expect((await put(`planted-${full}-1`, other)).status).to.equal(200);
    expect(outcomeOf(await put('one-more', full))).to.deep.equal([403, 'quota_exceeded']);
    expect((await service.delete(`/api/image/${full}`)).status).to.equal(204);
    expect((await service.get('/api/names')).body).to.have.length(1);
    expect(service.log.atLeast(WARN)).to.deep.equal([]);
  });
});
