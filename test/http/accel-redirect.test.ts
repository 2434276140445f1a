import { expect } from 'chai';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';

const PREFIX = '/_blobs/';

let png: Buffer;

before(async () => {
  png = await noisyPng(150, 100);
});

describe('A service with X-Accel-Redirect', () => {
  const service = startFor('all', () =>
    TestService.start({ accelRedirectPrefix: PREFIX, openStorage: openSqliteAndFiles }),
  );
  let record: ImageRecord;
  let uuid: string;
  let path: string;
  let etag: string;

  beforeEach(async () => {
    record = await service.upload(png, 'cat.png');
    uuid = record.filename.slice(0, 36);
    path = `/api/image/${record.id}/file`;
    etag = `"${record.sha256}"`;
  });

  it('returns the file name below the prefix and no bytes', async () => {
    const { status, headers } = await service.get(path);
    expect([status, headers['content-length']]).to.deep.equal([200, '0']);
    expect(headers['x-accel-redirect']).to.equal(`${PREFIX}${uuid.slice(0, 2)}/${uuid}`);
  });

  it('offloads a single range', async () => {
    const { status, headers } = await service.get(path).set('Range', 'bytes=0-9');
    expect(status).to.equal(200);
    expect(headers).to.include.keys('x-accel-redirect');
    expect(headers).not.to.have.property('content-range');
  });

  it('offloads negotiated bytes', async () => {
    const { headers } = await service.get(`/api/image/${record.id}`).set('Accept', 'image/*');
    expect(headers).to.include.keys('x-accel-redirect');
  });

  const notOffloaded: ReadonlyArray<readonly [string, () => Record<string, string>, number]> = [
    ['a condition that nginx would evaluate again', () => ({ 'If-Match': etag }), 200],
    [
      'a date that nginx would evaluate again',
      () => ({ 'If-Unmodified-Since': new Date(record.createdAt).toUTCString() }),
      200,
    ],
    ['an invalid range, which is ignored', () => ({ Range: 'bytes=x-y' }), 200],
    ['several ranges', () => ({ Range: 'bytes=0-9,20-29' }), 200],
    ['a range whose If-Range fails', () => ({ Range: 'bytes=0-9', 'If-Range': '"other"' }), 200],
    ['a range beyond the end', () => ({ Range: 'bytes=99999999-' }), 416],
    ['a condition that fails', () => ({ 'If-Match': '"other"' }), 412],
    ['a client that already has the bytes', () => ({ 'If-None-Match': etag }), 304],
  ];
  for (const [what, headers, status] of notOffloaded) {
    it(`returns ${status} without offloading for ${what}`, async () => {
      const response = await service.get(path).set(headers());
      expect(response.status).to.equal(status);
      expect(response.headers).not.to.have.property('x-accel-redirect');
      if (status === 200) expect(response.body).to.deep.equal(png);
    });
  }

  it('returns HEAD without offloading', async () => {
    const { headers } = await service.head(path);
    expect(headers['content-length']).to.equal(String(png.length));
    expect(headers).not.to.have.property('x-accel-redirect');
  });

  it('returns renditions without offloading', async () => {
    for (const _ of ['made', 'kept']) {
      const { headers, body } = await service.get(`${path}?width=32`);
      expect(headers).not.to.have.property('x-accel-redirect');
      expect(body).to.be.an.instanceOf(Buffer).with.property('length').above(0);
    }
  });

  it('returns 401 before it names a file', async () => {
    const { status, headers } = await service.anonymous('get', path);
    expect(status).to.equal(401);
    expect(headers).not.to.have.property('x-accel-redirect');
  });

  it('returns 500 and logs the image id if the blob is missing', async () => {
    await service.storage.blobs.remove(parseBlobKey(uuid));
    const { status, headers } = await service.get(path);
    expect(status).to.equal(500);
    expect(headers).not.to.have.any.keys('x-accel-redirect', 'content-disposition', 'etag', 'repr-digest');
    expect(service.log.atLeast(ERROR)).to.have.length(1);
    expect(service.log.atLeast(ERROR)[0]).to.include({ imageId: record.id });
    service.log.clear();
  });
});
