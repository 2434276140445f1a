import { expect } from 'chai';
import type { Response } from 'supertest';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { wrapping } from '../support/http/wrapping.ts';

const NAME = 'hero';
const PATH = `/api/names/${NAME}/file`;
/** Of the time, the place and the request alone. */
const DIFFERENT = ['cache-control', 'content-location', 'last-modified', 'x-request-id', 'date'];

let service: TestService;
let png: Buffer;
let jpeg: Buffer;
let image: ImageRecord;
let other: ImageRecord;
/** Once, before the next blob is opened. */
let beforeOpen: (() => Promise<unknown>) | undefined;

async function point({ id }: ImageRecord): Promise<void> {
  const { status } = await service.putJson(`/api/names/${NAME}`, JSON.stringify({ id }));
  expect(status).to.be.oneOf([200, 201]);
}

function movingAtOpen(blobs: BlobStorage): BlobStorage {
  return intercepted(blobs, async (method, proceed) => {
    const move = method === 'open' ? beforeOpen : undefined;
    if (move !== undefined) beforeOpen = undefined;
    await move?.();
    return proceed();
  });
}

function described({ status, headers }: Response): object {
  const kept = Object.entries(headers as Record<string, string>).filter(([key]) => !DIFFERENT.includes(key));
  return { status, ...Object.fromEntries(kept) };
}

describe('GET /api/names/:name/file', () => {
  before(async () => {
    service = await TestService.start({ modules: [wrapping(TOKENS.blobs, movingAtOpen)] });
    [png, jpeg] = [await noisyPng(150, 100), await jpegPicture(80, 60)];
    [image, other] = [await service.upload(png, 'cat.png'), await service.upload(jpeg, 'dog.jpg')];
  });

  beforeEach(async () => {
    beforeOpen = undefined;
    await point(image);
  });

  after(() => service.stop());

  for (const [title, query, headers] of [
    ['the original', '', {}],
    ['a download', '?download=true', {}],
    ['a clean original', '?metadata=none', {}],
    ['a rendition', '?width=64&format=webp', {}],
    ['a range', '', { Range: 'bytes=3-9' }],
    ['a range beyond the end', '', { Range: 'bytes=999999-' }],
    ['a negotiated rendition', '?width=64&format=auto', { Accept: 'image/webp' }],
    ['no type that the client accepts', '?width=64&format=auto', { Accept: 'text/html' }],
    ['a condition that does not hold', '', { 'If-Match': '"x"' }],
    ['a size that is not offered', '?width=17', {}],
  ] as const) {
    it(`returns ${title} as by id`, async () => {
      const byIdPath = `/api/image/${image.id}/file`;
      const byId = await service.get(`${byIdPath}${query}`).set(headers);
      const byName = await service.get(`${PATH}${query}`).set(headers);

      expect(described(byName)).to.deep.equal(described(byId));
      const isFound = byId.status < 400;
      expect(byName.headers['content-location']).to.equal(isFound ? `${byIdPath}${query}` : undefined);
      expect(byName.body).to.deep.equal(byId.body);
    });
  }

  it('is 304 for a client that has the bytes, until the name moves', async () => {
    const tagged = async (): Promise<Response> =>
      await service.get(PATH).set('If-None-Match', `"${image.sha256}"`);
    const fresh = await tagged();
    await point(other);
    const moved = await tagged();

    expect([fresh.status, fresh.headers['cache-control']]).to.deep.equal([304, 'private, no-cache']);
    expect([moved.status, moved.headers['etag']]).to.deep.equal([200, `"${other.sha256}"`]);
  });

  it('has no time, because an image that is older than the former one may come next', async () => {
    const future = new Date(Date.now() + 3_600_000).toUTCString();
    const { status, headers } = await service.get(PATH).set('If-Modified-Since', future);

    expect(status).to.equal(200);
    expect(headers).not.to.have.property('last-modified');
  });

  it('returns the new image if the name moves while the bytes are opened', async () => {
    beforeOpen = async () => await point(other);

    const response = await service.get(PATH);

    expect(response.body).to.deep.equal(jpeg);
    expect(response.headers).to.include({
      etag: `"${other.sha256}"`,
      'content-type': 'image/jpeg',
      'content-length': String(jpeg.length),
      'content-location': `/api/image/${other.id}/file`,
    });
    expect(response.headers['content-disposition']).to.include('dog.jpg');
  });
});

describe('GET /api/names/:name/file with X-Accel-Redirect', () => {
  before(async () => {
    service = await TestService.start({ accelRedirectPrefix: '/_blobs/', openStorage: openSqliteAndFiles });
    image = await service.upload(await noisyPng(150, 100), 'cat.png');
    await point(image);
  });

  after(() => service.stop());

  it('is offloaded as by id', async () => {
    const { headers } = await service.get(`/api/image/${image.id}/file`);
    const named = await service.get(PATH);

    expect(named.headers['x-accel-redirect']).to.equal(headers['x-accel-redirect']);
    expect(named.headers['cache-control']).to.equal('private, no-cache');
  });
});
