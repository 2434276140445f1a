import { expect } from 'chai';
import type { Test } from 'supertest';
import { filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

let picture: Buffer;

before(async () => {
  picture = await noisyPng(20, 20);
});

const service = startFor('all', () => TestService.start({ spaceClaim: 'org', spaceLimits: { images: 3 } }));

function upload(space: string): Test {
  return service.post([filePart(picture)]).set('Authorization', service.bearerWith({ org: space }));
}

async function usageOf(space: string): Promise<unknown> {
  const { body } = await service.get('/api/usage').set('Authorization', service.bearerWith({ org: space }));
  return body;
}

describe('GET /api/usage', () => {
  const limits = { images: 3, bytes: null };
  const trashed = { images: 0, bytes: 0 };

  it('counts the images of the space, and the bytes of their originals', async () => {
    await upload('b');
    expect(await usageOf('a')).to.deep.equal({ images: 0, bytes: 0, trashed, limits });
    const { body } = await upload('a');
    await upload('a');
    const both = await usageOf('a');
    const removal = service.delete(`/api/image/${(body as ImageRecord).id}`);
    await removal.set('Authorization', service.bearerWith({ org: 'a' })).expect(204);

    expect(both).to.deep.equal({ images: 2, bytes: 2 * picture.length, trashed, limits });
    expect(await usageOf('a')).to.deep.equal({ images: 1, bytes: picture.length, trashed, limits });
  });
});

describe('A limit of images', () => {
  it('refuses the next upload with 403 quota_exceeded, without a challenge, and stores nothing', async () => {
    for (let index = 0; index < 3; index += 1) await upload('c').expect(201);
    const [records, refused] = [await service.records(), await upload('c')];

    expect(refusalOf(refused)).to.deep.equal([403, 'quota_exceeded']);
    expect(refused.headers).not.to.have.any.keys('www-authenticate', 'retry-after');
    expect(await service.records()).to.equal(records);
    expect(await service.leftovers()).to.deep.equal([]);
    expect(await usageOf('c')).to.deep.include({ images: 3 });
  });
});
