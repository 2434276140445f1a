import { expect } from 'chai';
import type { Response } from 'supertest';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

let png: Buffer;

before(async () => {
  png = await pngPicture();
});

const service = startFor('all', () => TestService.start());
let pngRecord: ImageRecord;

describe('/api/image/:id', () => {
  before(async () => {
    pngRecord = await service.upload(png, 'cat.png');
  });

  describe('GET', getRequests);

  describe('DELETE', deleteRequests);

  describe('if its blob is missing', missingBlob);

  describe('without storage', unavailableStorage);
});

function getRequests(): void {
  it('returns the same record as the upload', async () => {
    const response = await service.get(`/api/image/${pngRecord.id}`);
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal(pngRecord);
  });

  const negotiated: ReadonlyArray<readonly [accept: string, outcome: string]> = [
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
    ['text/html, application/json;q=0.1', 'application/json; charset=utf-8'],
    ['image/*', 'image/png'],
    ['image/png', 'image/png'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/png'],
    ['application/json;q=0.4, image/*;q=0.5', 'image/png'],
    ['image/jpeg, image/png;q=0.5', 'image/png'],
    ['application/json;q=0, */*', 'image/png'],
    ['image/jpeg', 'not_acceptable'],
    ['text/html', 'not_acceptable'],
    ['image/*;q=0', 'not_acceptable'],
  ];
  for (const [accept, outcome] of negotiated) {
    it(`returns ${outcome.split(';')[0]} for "Accept: ${accept}" if the image is a PNG`, async () => {
      const response = await service.get(`/api/image/${pngRecord.id}`).set('Accept', accept);
      const { 'content-type': type } = response.headers as { 'content-type': string };
      if (outcome === 'not_acceptable') expect(refusalOf(response)).to.deep.equal([406, outcome]);
      else expect([response.status, type]).to.deep.equal([200, outcome]);
      expect((response.headers.vary as string).split(', ')).to.include('Accept');
    });
  }

  describe('with a long Accept header', longAcceptHeaders);

  it('returns the same bytes and headers as /file', async () => {
    const negotiated = await service.get(`/api/image/${pngRecord.id}`).set('Accept', 'image/*');
    const direct = await service.get(`/api/image/${pngRecord.id}/file`);
    expect(negotiated.body).to.deep.equal(png);
    for (const name of ['etag', 'last-modified', 'content-length', 'content-disposition', 'repr-digest']) {
      expect(negotiated.headers[name], name).to.equal(direct.headers[name]);
    }
  });

  it('serves ranges of the bytes, and conditions on them', async () => {
    const get = async (headers: Record<string, string>): Promise<Response> =>
      await service.get(`/api/image/${pngRecord.id}`).set({ Accept: 'image/*', ...headers });
    const [part, beyond, changed, unchanged] = [
      await get({ Range: 'bytes=0-7' }),
      await get({ Range: `bytes=${png.length}-` }),
      await get({ 'If-Match': '"other"' }),
      await get({ 'If-None-Match': `"${pngRecord.sha256}"` }),
    ];
    expect([part.status, part.body]).to.deep.equal([206, png.subarray(0, 8)]);
    expect(refusalOf(beyond)).to.deep.equal([416, 'range_not_satisfiable']);
    expect(refusalOf(changed)).to.deep.equal([412, 'precondition_failed']);
    expect([unchanged.status, unchanged.headers['vary']]).to.deep.equal([304, 'Origin, Accept']);
  });
}

function deleteRequests(): void {
  it('removes the image from all reads and its bytes from the store', async () => {
    const { id } = await service.upload(png);
    await service.delete(`/api/image/${id}`);
    const listing = await service.get('/api/images');
    const statuses = [
      (await service.get(`/api/image/${id}`)).status,
      (await service.get(`/api/image/${id}/file`)).status,
      (await service.head(`/api/image/${id}`)).status,
    ];
    expect(statuses).to.deep.equal([404, 404, 404]);
    expect(refusalOf(await service.delete(`/api/image/${id}`))).to.deep.equal([404, 'image_not_found']);
    expect((listing.body as ImageRecord[]).map((image) => image.id)).not.to.include(id);
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('keeps another image with the same bytes', async () => {
    const first = await service.upload(png);
    const second = await service.upload(png);
    await service.delete(`/api/image/${first.id}`);
    expect((await service.get(`/api/image/${second.id}/file`)).body).to.deep.equal(png);
  });

  describe('with If-Match', () => {
    const conditions: ReadonlyArray<
      readonly [what: string, header: (etag: string) => string, status: number]
    > = [
      ['the tag', (etag) => etag, 204],
      ['another tag', () => '"a"', 412],
    ];
    for (const [what, header, status] of conditions) {
      it(`returns ${status} for ${what}`, async () => {
        const { id, sha256 } = await service.upload(png);
        const response = await service.delete(`/api/image/${id}`).set('If-Match', header(`"${sha256}"`));
        const after = await service.get(`/api/image/${id}`);
        expect([response.status, after.status]).to.deep.equal([status, status === 204 ? 404 : 200]);
        if (status === 412) expect(refusalOf(response)).to.deep.equal([412, 'precondition_failed']);
      });
    }

    it('returns 404, not 412, for an unknown image', async () => {
      const response = await service.delete('/api/image/99999').set('If-Match', '"a"');
      expect(refusalOf(response)).to.deep.equal([404, 'image_not_found']);
    });
  });
}

function missingBlob(): void {
  let id: number;

  beforeEach(async () => {
    ({ id } = await service.images.add(newImage()));
    service.log.clear();
  });

  for (const path of ['', '/file']) {
    it(`returns 500 internal_error for ${path || 'negotiated bytes'} and logs one error with the image id`, async () => {
      const response = await service.get(`/api/image/${id}${path}`).set('Accept', 'image/*');
      const errors = service.log.atLeast(ERROR);
      expect(refusalOf(response)).to.deep.equal([500, 'internal_error']);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.deep.include({ imageId: id });
    });
  }
}

function unavailableStorage(): void {
  it('returns 503 storage_unavailable if the database is unavailable', async () => {
    const broken = await TestService.start({
      modules: [wrapping(TOKENS.images, (images) => failing(images, 'findById', new StorageUnavailable()))],
    });
    const response = await broken.get('/api/image/1');
    await broken.stop();
    expect(refusalOf(response)).to.deep.equal([503, 'storage_unavailable']);
    expect(response.headers['retry-after']).to.match(/^\d+$/);
  });

  it('returns 503 storage_unavailable if the blob store is unavailable', async () => {
    const broken = await TestService.start({ modules: [wrapping(TOKENS.blobs, withoutReading)] });
    const { id } = await broken.upload(png);
    const response = await broken.get(`/api/image/${id}/file`);
    await broken.stop();
    expect(refusalOf(response)).to.deep.equal([503, 'storage_unavailable']);
    expect(response.headers).not.to.have.any.keys(
      'etag',
      'content-disposition',
      'last-modified',
      'accept-ranges',
    );
  });
}

function longAcceptHeaders(): void {
  /** Media ranges that match no type, with commas at their ends. */
  function ranges(length: number): string {
    return `${'a/b;c=d,'.repeat(Math.floor(length / 8))}${','.repeat(length % 8)}`;
  }

  async function typeFor(accept: string): Promise<unknown> {
    const response = await service.get(`/api/image/${pngRecord.id}`).set('Accept', accept);
    return response.status === 200 ? response.headers['content-type'] : response.status;
  }

  const range = 'image/png';
  const before = 1_000 - range.length;

  it('considers a range that ends at the 1,000th character', async () => {
    expect(await typeFor(`${ranges(before)}${range}`)).to.equal('image/png');
    expect(await typeFor(`${ranges(before)}${range},${ranges(14_000)}`)).to.equal('image/png');
  });

  it('ignores a range that ends after the 1,000th character', async () => {
    expect(await typeFor(`${ranges(before + 1)}${range}`)).to.equal(406);
    expect(await typeFor(`${ranges(before)}${range};q=1`)).to.equal(406);
    expect(await typeFor(`${ranges(before)}${range};q=1,${ranges(14_000)}`)).to.equal(406);
  });

  it('treats a header without a complete range as empty', async () => {
    expect(await typeFor(`image/png;a="${'x'.repeat(14_000)}"`)).to.match(/^application\/json/);
  });
}

/** Others are those of known paths with a slash at their end, or in another case. */
const unknown =
  '/nowhere /api /api/ /api/image /api/image/ /api/image/1/2 // /api//images /%61pi/images/x'.split(' ');

describe('Paths and methods', () => {
  const service = startFor('all', () => TestService.start());

  it('GET / does not call the identity provider', async () => {
    const hits = service.identityProvider.hits;
    await service.anonymous('get', '/').set('Authorization', service.bearer);
    expect(service.identityProvider.hits).to.equal(hits);
  });

  for (const path of unknown) {
    it(`${path} returns 404 with a token and 401 without one`, async () => {
      const [authorized, anonymous] = [await service.get(path), await service.anonymous('get', path)];
      expect(refusalOf(authorized)).to.deep.equal([404, 'not_found']);
      expect(refusalOf(anonymous)).to.deep.equal([401, 'credentials_required']);
    });
  }
});

/** A blob store that cannot be read. */
function withoutReading(blobs: BlobStorage): BlobStorage {
  return failing(blobs, 'open', new StorageUnavailable());
}
