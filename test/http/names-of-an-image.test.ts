import { expect } from 'chai';
import type { Test } from 'supertest';
import { MAX_NAMES_OF_IMAGE } from '../../src/domain/name/name.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService } from '../support/http/test-service.ts';

let service: TestService;
let full: number;
let other: number;

function put(name: string, id: unknown, headers: Record<string, string> = {}): Test {
  return service.putJson(`/api/names/${name}`, JSON.stringify({ id })).set(headers);
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
    expect(refusalOf(refused)).to.deep.equal([403, 'quota_exceeded']);
    expect(refused.body).to.have.property('message', 'An image has at most 100 names');
    expect(refusalOf(await put('moved', full))).to.deep.equal([403, 'quota_exceeded']);
    expect((await service.get('/api/names/moved')).body).to.include({ id: other, version: 1 });
    expect((await put('last', full)).status).to.equal(200);
    expect((await put('last', other)).status).to.equal(200);
    expect((await put('one-more', full)).status).to.equal(201);
  });
});
