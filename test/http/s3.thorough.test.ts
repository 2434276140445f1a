import { expect } from 'chai';
import type { Response as Reply } from 'supertest';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { jpegOfSize, noisyPng } from '../support/fixtures/pictures.ts';
import { OpenRequests } from '../support/http/open-requests.ts';
import { TestService } from '../support/http/test-service.ts';
import { openBucketOf, openSqlite, storageOf } from '../support/http/test-storage.ts';
import { type S3Server, s3ServerFor } from '../support/servers/s3-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

/** Larger than the buffers of the connections between a bucket and a client. */
const LARGE = 24 * 1024 * 1024;

describe('A catalog with its bytes on S3', () => {
  let server: S3Server;
  let service: TestService;

  before(async function () {
    server = await s3ServerFor(this);
    service = await TestService.start({
      openStorage: storageOf(openSqlite, openBucketOf(server)),
      maxFileBytes: 2 * LARGE,
    });
  });

  after(() => service?.stop());

  afterEach(async () => {
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('cancels the request to the bucket if a client disconnects during a download', async () => {
    const { id } = await service.upload(await jpegOfSize(LARGE));
    const requests = new OpenRequests();
    const response = await fetch(`${service.url}/api/image/${id}/file`, {
      headers: { authorization: service.bearer },
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const during = requests.countOf('/blobs/');

    await reader?.cancel();

    const after = await eventually(
      () => requests.countOf('/blobs/'),
      (open) => open === 0,
    );
    requests.stop();
    expect([during, after]).to.deep.equal([1, 0]);
  });

  it('returns 503 if the gateway is unavailable and recovers once it is available again', async function () {
    const { cluster } = server;
    if (cluster === undefined) {
      return skipAloud(this, 'the tests did not start the S3 server and cannot stop it');
    }
    const png = await noisyPng(100, 100);
    const { id } = await service.upload(png);
    await cluster.kill('rgw');

    const download = await service.get(`/api/image/${id}/file`);
    const upload = await service.upload(png).then(
      () => 'stored',
      (error: unknown) => String(error),
    );
    await cluster.restart();
    const later = await service.get(`/api/image/${id}/file`);

    expect(download.status).to.equal(503);
    expect((JSON.parse(download.text) as { code: unknown }).code).to.equal('storage_unavailable');
    expect(upload).to.include('503');
    expect([later.status, (later.body as Buffer).length]).to.deep.equal([200, png.length]);
  });
});

let service: TestService;
let png: Buffer;
let path: string;
let etag: string;
let uuid: string;

describe('A catalog that redirects to its bytes on S3', () => {
  before(async function () {
    const server = await s3ServerFor(this);
    const environment = { S3_DELIVERY: 'redirect' };
    service = await TestService.start({
      openStorage: storageOf(openSqlite, openBucketOf(server, environment)),
      maxFileBytes: LARGE,
    });
    png = await noisyPng(600, 600);
    const record = await service.upload(png, 'kočka.png');
    path = `/api/image/${record.id}/file`;
    etag = `"${record.sha256}"`;
    uuid = record.filename.slice(0, 36);
  });

  after(() => service?.stop());

  it('returns a redirect that must not be cached, without metadata of the bytes', async () => {
    const response = await service.get(path);

    expect(response.status).to.equal(307);
    expect(response.text).to.equal('');
    expect(response.headers).to.include({ 'cache-control': 'no-store' });
    expect(response.headers).not.to.have.any.keys(
      'etag',
      'repr-digest',
      'content-type',
      'content-disposition',
    );
  });

  it('redirects by name as by id', async () => {
    const { id } = await service.upload(png);
    await service.putJson('/api/names/hero', JSON.stringify({ id }));

    const byName = await service.get('/api/names/hero/file');

    expect(byName.status).to.equal(307);
    expect(headerNames(byName)).to.deep.equal(headerNames(await service.get(path)));
  });

  it('redirects to the bytes with their name and type', async () => {
    const response = await followed('?download=true');

    expect(response.status).to.equal(200);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), png)).to.equal(0);
    expect(Object.fromEntries(response.headers)).to.include({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="ko?ka.png"; filename*=UTF-8\'\'ko%C4%8Dka.png',
      'cache-control': 'private, max-age=300',
    });
  });

  it('redirects to a range of the bytes', async () => {
    const response = await followed('', { Range: 'bytes=10-19' });

    expect(response.status).to.equal(206);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), png.subarray(10, 20))).to.equal(0);
  });

  it('returns links that expire and that are valid for one blob only', async () => {
    const link = new URL((await service.get(path)).get('Location') ?? '');
    const elsewhere = new URL(
      link.href.replace(
        uuid,
        uuid.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
    );

    expect(Number(link.searchParams.get('X-Amz-Expires'))).to.be.within(1, 600);
    expect((await fetch(elsewhere)).status).to.equal(403);
  });

  it('does not redirect for 304, 412 and 416', async () => {
    const unchanged = await service.get(path).set('If-None-Match', etag);
    const changed = await service.get(path).set('If-Match', '"other"');
    const beyond = await service.get(path).set('Range', 'bytes=99999999-');

    expect([unchanged.status, changed.status, beyond.status]).to.deep.equal([304, 412, 416]);
  });

  directResponses();

  it('redirects negotiated bytes', async () => {
    const response = await service.get(path.replace('/file', '')).set('Accept', 'image/*');

    expect([response.status, response.get('Vary')]).to.deep.equal([307, 'Origin, Accept']);
  });

  it('does not redirect without a token', async () => {
    const response = await service.anonymous('get', path);

    expect([response.status, response.get('Location')]).to.deep.equal([401, undefined]);
  });

  it('returns 500 without a redirect if the blob is missing', async () => {
    const lost = await service.upload(await noisyPng(10, 10));
    await service.storage.blobs.remove(parseBlobKey(lost.filename.slice(0, 36)));

    const response = await service.get(`/api/image/${lost.id}/file`);

    expect([response.status, response.get('Location')]).to.deep.equal([500, undefined]);
  });
});

function directResponses(): void {
  for (const [name, value] of [
    ['If-Match', () => etag],
    ['If-Range', () => etag],
    ['If-Unmodified-Since', () => new Date(Date.now() + 86_400_000).toUTCString()],
    ['If-Modified-Since', () => new Date(0).toUTCString()],
  ] as const) {
    it(`returns the bytes without a redirect for ${name}, which S3 would evaluate`, async () => {
      const response = await service.get(path).set(name, value()).set('Range', 'bytes=0-9');

      expect(response.status).to.equal(206);
      expect(response.body).to.deep.equal(png.subarray(0, 10));
    });
  }

  it('returns the whole without a redirect for several ranges', async () => {
    const response = await service.get(path).set('Range', 'bytes=0-1,4-5');

    expect([response.status, (response.body as Buffer).length]).to.deep.equal([200, png.length]);
  });

  it('returns HEAD without a redirect, with all headers', async () => {
    const response = await service.head(path);

    expect(response.status).to.equal(200);
    expect(response.headers).to.include({
      etag,
      'content-length': String(png.length),
      'content-type': 'image/png',
    });
  });

  it('returns renditions without a redirect', async () => {
    const response = await service.get(`${path}?width=64`);

    expect([response.status, response.get('Content-Type')]).to.deep.equal([200, 'image/png']);
  });
}

function headerNames({ headers }: Reply): readonly string[] {
  return Object.keys(headers).toSorted();
}

/** Follows the redirect without the token, like browsers and curl. */
async function followed(query = '', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const redirect = await service.get(path + query).set(headers);
  expect(redirect.status).to.equal(307);
  return await fetch(redirect.get('Location') ?? '', { headers });
}
