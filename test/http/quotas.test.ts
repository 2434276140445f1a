import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { beginUpload } from '../support/http/begun-upload.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { type RawResponse } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';

const MIB = 1024 * 1024;

let service: TestService;
let picture: Buffer;

/** For the tests of a suite: a fresh catalog for each. */
function started(options: TestServiceOptions): void {
  before(async () => {
    picture = await noisyPng(20, 20);
  });
  beforeEach(async () => {
    service = await TestService.start({ spaceClaim: 'org', ...options });
  });
  afterEach(() => service.stop());
}

function upload(space: string, key?: string): Test {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return service
    .post([filePart(picture)])
    .set({ Authorization: service.bearerWith({ org: space }), ...headers });
}

async function usageOf(space: string): Promise<unknown> {
  const { body } = await service.get('/api/usage').set('Authorization', service.bearerWith({ org: space }));
  return body;
}

async function remove(space: string, response: Response): Promise<void> {
  const { id } = response.body as ImageRecord;
  const request = service.delete(`/api/image/${id}`);
  expect((await request.set('Authorization', service.bearerWith({ org: space }))).status).to.equal(204);
}

describe('GET /api/usage', () => {
  started({ spaceLimits: { bytes: 10 * MIB } });

  const limits = { images: null, bytes: 10 * MIB };
  const trashed = { images: 0, bytes: 0 };

  it('counts the images of the space, and the bytes of their originals', async () => {
    await upload('b');
    expect(await usageOf('a')).to.deep.equal({ images: 0, bytes: 0, trashed, limits });
    const first = await upload('a');
    await upload('a');
    const both = await usageOf('a');
    await remove('a', first);

    expect(both).to.deep.equal({ images: 2, bytes: 2 * picture.length, trashed, limits });
    expect(await usageOf('a')).to.deep.equal({ images: 1, bytes: picture.length, trashed, limits });
  });
});

describe('A limit of images', () => {
  started({ spaceLimits: { images: 3 } });

  it('refuses the next upload with 403 quota_exceeded, without a challenge, and stores nothing', async () => {
    for (let index = 0; index < 3; index += 1) expect((await upload('a')).status).to.equal(201);
    const refused = await upload('a');

    expect(refusalOf(refused)).to.deep.equal([403, 'quota_exceeded']);
    expect(refused.headers).not.to.have.any.keys('www-authenticate', 'retry-after');
    expect(await service.records()).to.equal(3);
    expect(await service.leftovers()).to.deep.equal([]);
    expect(await usageOf('a')).to.deep.include({ images: 3, limits: { images: 3, bytes: null } });
  });

  it('has room again after a delete, also for a key that was refused', async () => {
    const [first] = [await upload('a'), await upload('a'), await upload('a')];
    expect((await upload('a', 'later')).status).to.equal(403);
    await remove('a', first);
    const later = await upload('a', 'later');

    expect(later.status).to.equal(201);
    expect(later.headers).not.to.have.property('idempotency-replayed');
  });
});

describe('A limit of 0', () => {
  for (const limit of [{ images: 0 }, { bytes: 0 }]) {
    it(`of ${Object.keys(limit)[0]} refuses every upload, in the common space as well`, async () => {
      service = await TestService.start({ spaceLimits: limit });
      const response = await service.post([filePart(await noisyPng(20, 20))]);
      await service.stop();
      expect(refusalOf(response)).to.deep.equal([403, 'quota_exceeded']);
    });
  }
});

describe('A limit of bytes', () => {
  started({ maxFileBytes: 8 * MIB, spaceLimits: { bytes: 2 * MIB } });

  /** Padding behind the end of a PNG. */
  function padded(bytes: number): Buffer {
    return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
  }

  async function uploadOf(bytes: number): Promise<readonly [number, unknown]> {
    const bearer = service.bearerWith({ org: 'a' });
    return refusalOf(await service.post([filePart(padded(bytes))]).set('Authorization', bearer));
  }

  it('is reached, but not passed by a byte', async () => {
    expect((await uploadOf(MIB))[0]).to.equal(201);
    expect(await uploadOf(MIB + 1)).to.deep.equal([403, 'quota_exceeded']);
    expect((await uploadOf(MIB))[0]).to.equal(201);
    expect((await uploadOf(picture.length))[0]).to.equal(403);
    expect(await usageOf('a')).to.deep.include({ images: 2, bytes: 2 * MIB });
  });

  /** The first response to an upload that waits for it before it sends its body. */
  async function announce(length: number, headers: Record<string, string> = {}): Promise<RawResponse> {
    const usual = { Authorization: service.bearerWith({ org: 'a' }), 'Content-Length': length };
    const { connection, first } = await beginUpload(service, '/api/upload', { ...usual, ...headers });
    connection.abandon();
    await service.idle();
    return first;
  }

  it('refuses a body of more than what is left and 1 MiB before it is sent', async () => {
    await uploadOf(MIB);
    const [fitting, beyond] = [await announce(2 * MIB), await announce(2 * MIB + 1)];

    expect([fitting.status, beyond.status]).to.deep.equal([100, 403]);
    expect(JSON.parse(beyond.body)).to.deep.include({ code: 'quota_exceeded' });
  });

  it('refuses no body for its length whose key the space knows', async () => {
    const form = multipart([filePart(picture)]);
    const known = { Authorization: service.bearerWith({ org: 'a' }), 'Idempotency-Key': 'k' };
    await service.postBody(form).set(known);
    const [knows, other, elsewhere] = [
      await announce(3 * MIB + 1, { 'Idempotency-Key': 'k' }),
      await announce(3 * MIB + 1, { 'Idempotency-Key': 'l' }),
      await announce(3 * MIB + 1, { ...known, Authorization: service.bearerWith({ org: 'b' }) }),
    ];
    expect([knows, other, elsewhere].map(({ status }) => status)).to.deep.equal([100, 403, 403]);
  });
});
