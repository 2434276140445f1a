import { expect } from 'chai';
import type { Response } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import type { RenditionMaker } from '../../src/domain/ports/pictures/rendition-maker.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { withSegments } from '../support/fixtures/embedded-chunks.ts';
import { exifBlock, withExif, withSegment } from '../support/fixtures/exif.ts';
import { jpegOfSize, jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { jpegSegment } from '../support/fixtures/raw-pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { storeEarlier } from '../support/http/store-earlier.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { wrapMaker } from '../support/http/wrap-maker.ts';

const SECRET = 'the garden of my grandmother';
const QUERY = '?metadata=none';
const EXIF = exifBlock({ image: { 0x010e: SECRET }, gps: { 1: 'N', 2: [52, 31, 0] } });
const LARGE = 4 * 1024 * 1024;

let plain: Buffer;

before(async () => {
  plain = await jpegPicture(300, 200);
});

const service = startFor('all', () => TestService.start({ maxFileBytes: 2 * LARGE }));
let tagged: Buffer;
let record: ImageRecord;
let path: string;
let clean: Response;

describe('A clean original', () => {
  before(async () => {
    tagged = Buffer.concat([
      withExif(withSegment(plain, 0xfe, Buffer.from(SECRET)), EXIF),
      Buffer.from(SECRET),
    ]);
    record = await service.upload(tagged, `${SECRET}.jpg`);
    path = `/api/image/${record.id}/file${QUERY}`;
    clean = await service.get(path);
  });

  describe('has', contents);

  describe('with conditions and ranges', conditions);

  describe('is served', ways);

  describe('is made', making);

  describe('of many parts', manyParts);

  describe('is refused', refusals);
});

function contents(): void {
  it('the bytes of the original without its metadata', () => {
    expect(bytesOf(clean).equals(plain)).to.equal(true);
    expect(clean.headers).to.include({
      'content-length': String(plain.length),
      'content-type': 'image/jpeg',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=300',
      'last-modified': new Date(record.createdAt).toUTCString(),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it('the pixels of the original, upright as well', async () => {
    const turned = await turnedJpeg();
    const { id } = await service.upload(turned);
    const bytes = bytesOf(await service.get(`/api/image/${id}/file${QUERY}`));
    expect((await pixelsOf(bytes)).equals(await pixelsOf(turned))).to.equal(true);
    expect((await sharp(bytes).metadata()).orientation).to.equal(6);
    expect(bytes.includes(SECRET)).to.equal(false);
  });

  it('a name that says nothing', () => {
    expect(clean.headers['content-disposition']).to.equal(`inline; filename="image-${record.id}.jpg"`);
  });

  it('a strong ETag of its own, and no digest of the original', () => {
    expect(clean.headers.etag).to.match(/^"[^"]+"$/);
    const headers = JSON.stringify(clean.headers);
    expect([headers.includes(record.sha256), 'repr-digest' in clean.headers]).to.deep.equal([false, false]);
  });

  it('the ETag of the original if it has the same bytes', async () => {
    const { id, sha256 } = await service.upload(plain);
    const { headers } = await service.get(`/api/image/${id}/file${QUERY}`);
    expect(headers.etag).to.equal(`"${sha256}"`);
  });

  it('the metadata with metadata=keep', async () => {
    const kept = await service.get(`/api/image/${record.id}/file?metadata=keep`);
    expect(bytesOf(kept).equals(tagged)).to.equal(true);
    expect(kept.headers.etag).to.equal(`"${record.sha256}"`);
  });
}

function conditions(): void {
  it('is 304 with its ETag, or the time of the upload', async () => {
    const { etag, 'last-modified': modified } = clean.headers as Record<string, string>;
    expect((await service.get(path).set('If-None-Match', String(etag))).status).to.equal(304);
    expect((await service.get(path).set('If-Modified-Since', String(modified))).status).to.equal(304);
  });

  it('is 412 with the ETag of the original', async () => {
    expect(codeOf(await service.get(path).set('If-Match', `"${record.sha256}"`))).to.deep.equal([
      412,
      'precondition_failed',
    ]);
  });

  it('is 416 beyond its end, which is not that of the original', async () => {
    const response = await service.get(path).set('Range', `bytes=${plain.length}-`);
    expect(codeOf(response)).to.deep.equal([416, 'range_not_satisfiable']);
    expect(response.headers['content-range']).to.equal(`bytes */${plain.length}`);
  });
}

function ways(): void {
  it('if bytes are negotiated', async () => {
    const response = await service.get(`/api/image/${record.id}${QUERY}`).set('Accept', 'image/*');
    expect(bytesOf(response).equals(plain)).to.equal(true);
    expect(response.headers.etag).to.equal(clean.headers.etag);
  });

  it('in chunks, of a file that is larger than one', async () => {
    const large = await jpegOfSize(LARGE);
    const { id } = await service.upload(withExif(large, EXIF));
    const whole = await service.get(`/api/image/${id}/file${QUERY}`);
    const { length } = bytesOf(whole);
    expect(bytesOf(whole).includes(SECRET)).to.equal(false);
    expect(length).to.be.lessThan(LARGE);
    const range = await service.get(`/api/image/${id}/file${QUERY}`).set('Range', `bytes=1-${length - 2}`);
    expect(bytesOf(range).equals(bytesOf(whole).subarray(1, -1))).to.equal(true);
  });

  it('by this process, also with X-Accel-Redirect', async () => {
    const offloading = await TestService.start({
      accelRedirectPrefix: '/_blobs/',
      openStorage: openSqliteAndFiles,
    });
    const { id } = await offloading.upload(tagged);
    const response = await offloading.get(`/api/image/${id}/file${QUERY}`);
    await offloading.stop();
    expect(response.headers).not.to.have.property('x-accel-redirect');
    expect(bytesOf(response).equals(plain)).to.equal(true);
  });
}

function making(): void {
  it('once for all clients, and again by no later one', async () => {
    const { id } = await service.upload(withExif(await jpegPicture(80, 60), EXIF));
    const maker: RenditionMaker = service.container.get(TOKENS.renditionMaker);
    const make = maker.make.bind(maker);
    let made = 0;
    maker.make = (...args) => {
      made += 1;
      return make(...args);
    };
    const get = (): Promise<Response> => service.get(`/api/image/${id}/file${QUERY}`).then((one) => one);
    await Promise.all([get(), get(), get()]);
    await get();
    expect(made).to.equal(1);
  });
}

function manyParts(): void {
  it('is served by any method and condition, and is made once', async () => {
    const { id } = await service.upload(withCommentsBetweenParts(plain, 1_500));
    const file = `/api/image/${id}/file${QUERY}`;
    let made = 0;
    const unwrap = wrapMaker(service, async (make, ...rest) => {
      made += 1;
      await make(...rest);
    });
    const all = bytesOf(await service.get(file));
    expect(all.includes(SECRET)).to.equal(false);
    expect((await pixelsOf(all)).equals(await pixelsOf(plain))).to.equal(true);
    const part = await service.get(file).set('Range', `bytes=9-${all.length - 2}`);
    expect(bytesOf(part).equals(all.subarray(9, -1))).to.equal(true);
    const { headers } = await service.head(file);
    expect(headers['content-length']).to.equal(String(all.length));
    expect((await service.get(file).set('If-None-Match', String(headers.etag))).status).to.equal(304);
    expect((await service.get(file).set('Range', `bytes=${all.length}-`)).status).to.equal(416);
    expect((await service.get(file).set('If-Match', '"other"')).status).to.equal(412);
    unwrap();
    expect(made).to.equal(1);
  });
}

function refusals(): void {
  it('with another value of metadata, naming it', async () => {
    for (const address of [
      `/api/image/${record.id}/file`,
      `/api/image/${record.id}`,
      '/api/names/no-one/file',
    ]) {
      const response = await service.get(`${address}?metadata=all`);
      expect(codeOf(response)).to.deep.equal([400, 'invalid_request']);
      expect((response.body as { message: string }).message).to.include('metadata');
    }
  });

  it('if the structure of the file is wrong', async () => {
    const bytes = (await noisyPng(30, 20)).subarray(0, -12);
    const id = await storeEarlier(service, bytes, { mediaType: 'image/png', width: 30, height: 20 });
    expect(codeOf(await service.get(`/api/image/${id}/file${QUERY}`))).to.deep.equal([422, 'invalid_image']);
  });
}

/** Each comment is between two segments that are kept. */
function withCommentsBetweenParts(jpeg: Buffer, comments: number): Buffer {
  const [kept, dropped] = [jpegSegment(0xdd, Buffer.alloc(2)), jpegSegment(0xfe, Buffer.from(SECRET))];
  return withSegments(
    jpeg,
    Array.from({ length: comments }, () => Buffer.concat([kept, dropped])),
  );
}

/** Its first segment is EXIF with an orientation. */
async function turnedJpeg(): Promise<Buffer> {
  return withExif(await jpegPicture(90, 40), exifBlock({ image: { 0x0112: 6, 0x010e: SECRET } }));
}

async function pixelsOf(bytes: Buffer): Promise<Buffer> {
  return await sharp(bytes).autoOrient().raw().toBuffer();
}

function bytesOf(response: Response): Buffer {
  expect([response.status, response.status < 300 ? '' : response.text]).to.deep.equal([response.status, '']);
  return response.body as Buffer;
}

function codeOf(response: Response): readonly [number, string | undefined] {
  const { code } = JSON.parse(response.text) as { readonly code?: string };
  return [response.status, code];
}
