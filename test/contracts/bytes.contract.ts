import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { filePart, partWith } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import type { TestService, TestServiceOptions } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

const OTHER_TAG = `"${'0'.repeat(64)}"`;

let start: (options?: TestServiceOptions) => Promise<TestService>;
let service: TestService;
let png: Buffer;
let record: ImageRecord;
let path: string;
let etag: string;
let modified: string;
let lookups: number;
let last: number;

/**
 * Registers tests of all guarantees of `/api/image/:id/file`, for the service alone or behind a proxy.
 *
 * @param startService starts the service under test
 */
export function answersBytes(startService: (options?: TestServiceOptions) => Promise<TestService>): void {
  before(async () => {
    start = startService;
    service = await start({ modules: [wrapping(TOKENS.blobs, countingLookups)] });
    png = await noisyPng(150, 100);
    record = await service.upload(png, 'cat.png');
    path = `/api/image/${record.id}/file`;
    etag = `"${record.sha256}"`;
    modified = new Date(record.createdAt).toUTCString();
    last = png.length - 1;
  });

  beforeEach(() => {
    lookups = 0;
  });

  after(async () => {
    await service.stop();
  });

  describe('of the whole file', wholeFileCases);
  describe('with conditions', conditionCases);
  describe('with Range', rangeCases);
  describe('with Range that is not applied', ignoredRangeCases);
  describe('with Range and conditions', conditionalRangeCases);
  describe('in Content-Disposition', fileNameCases);
}

function countingLookups(blobs: BlobStorage): BlobStorage {
  return intercepted(blobs, (method, proceed) => {
    if (method === 'open' || method === 'find') lookups += 1;
    return proceed();
  });
}

/** The HTTP date of the upload, shifted by these seconds. */
function seconds(offset: number): string {
  return new Date(Date.parse(modified) + offset * 1000).toUTCString();
}

function wholeFileCases(): void {
  it('returns the bytes as they were uploaded', async () => {
    const response = await service.get(path);
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal(png);
  });

  it('returns the headers that describe them', async () => {
    const { headers } = await service.get(path);
    const digest = createHash('sha256').update(png).digest('base64');
    expect(headers).to.include({
      'content-type': 'image/png',
      'content-length': String(png.length),
      etag,
      'last-modified': modified,
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${digest}:`,
      'cache-control': 'private, max-age=300',
    });
  });

  it('prevents browsers from rendering them as a page', async () => {
    const { headers } = await service.get(path);
    expect(headers).to.include({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it('allows any page to embed them if any origin is allowed', async () => {
    const { headers } = await service.get(path);
    expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
  });

  it('allows only pages of its own site to embed them if the origins are restricted', async () => {
    const closed = await start({ corsOrigins: ['https://app.example.com'] });
    const { id } = await closed.upload(png);
    const { headers } = await closed.get(`/api/image/${id}/file`);
    await closed.stop();
    expect(headers['cross-origin-resource-policy']).to.equal('same-site');
  });

  it('ignores Accept', async () => {
    const response = await service.get(path).set('Accept', 'text/html');
    expect([response.status, response.headers['content-type']]).to.deep.equal([200, 'image/png']);
  });

  it('responds to HEAD with the headers of GET and no body', async () => {
    const [get, head] = [await service.get(path), await service.head(path)];
    expect(head.status).to.equal(200);
    for (const name of ['date', 'x-request-id']) {
      delete get.headers[name];
      delete head.headers[name];
    }
    expect(head.headers).to.deep.equal(get.headers);
    expect(head.text).to.equal(undefined);
  });
}

function conditionCases(): void {
  type Row = readonly [what: string, headers: () => Record<string, string>, status: number];
  const conditions: readonly Row[] = [
    ['If-None-Match with the tag', () => ({ 'If-None-Match': etag }), 304],
    ['If-None-Match with the tag, weak', () => ({ 'If-None-Match': `W/${etag}` }), 304],
    ['If-None-Match with a list', () => ({ 'If-None-Match': `"a", W/"b" ,${etag}` }), 304],
    ['If-None-Match: *', () => ({ 'If-None-Match': '*' }), 304],
    ['If-None-Match with the tag without quotes', () => ({ 'If-None-Match': etag.slice(1, -1) }), 200],
    ['If-Modified-Since at the time', () => ({ 'If-Modified-Since': modified }), 304],
    ['If-Modified-Since earlier', () => ({ 'If-Modified-Since': seconds(-1) }), 200],
    ['If-Modified-Since that is not a date', () => ({ 'If-Modified-Since': 'yesterday' }), 200],
    [
      'the tag, whatever the value of If-Modified-Since',
      () => ({ 'If-None-Match': etag, 'If-Modified-Since': seconds(-60) }),
      304,
    ],
    [
      'another tag, whatever the value of If-Modified-Since',
      () => ({ 'If-None-Match': OTHER_TAG, 'If-Modified-Since': seconds(60) }),
      200,
    ],
    ['If-Match with the tag', () => ({ 'If-Match': etag }), 200],
    ['If-Match with a list', () => ({ 'If-Match': `"a", ${etag}` }), 200],
    ['If-Match: *', () => ({ 'If-Match': '*' }), 200],
    ['If-Match with the tag, weak', () => ({ 'If-Match': `W/${etag}` }), 412],
    ['If-Unmodified-Since at the time', () => ({ 'If-Unmodified-Since': modified }), 200],
    ['If-Unmodified-Since earlier', () => ({ 'If-Unmodified-Since': seconds(-1) }), 412],
    ['If-Unmodified-Since that is not a date', () => ({ 'If-Unmodified-Since': 'yesterday' }), 200],
    [
      'If-Match that matches, whatever the value of If-Unmodified-Since',
      () => ({ 'If-Match': etag, 'If-Unmodified-Since': seconds(-60) }),
      200,
    ],
    [
      'If-Match that fails with If-None-Match that matches',
      () => ({ 'If-Match': OTHER_TAG, 'If-None-Match': etag }),
      412,
    ],
    ['If-Match and If-None-Match that match', () => ({ 'If-Match': etag, 'If-None-Match': etag }), 304],
  ];

  for (const [what, headers, status] of conditions) {
    it(`returns ${status} for ${what}`, async () => {
      const response = await service.get(path).set(headers());
      expect(response.status).to.equal(status);
      expect(lookups).to.equal(status === 200 ? 1 : 0);
    });

    it(`returns ${status} for HEAD with ${what}`, async () => {
      expect((await service.head(path).set(headers())).status).to.equal(status);
    });
  }

  it('returns the headers that caches need with 304, and no body', async () => {
    const response = await service.get(path).set('If-None-Match', etag);
    expect(response.headers).to.include({ etag, 'cache-control': 'private, max-age=300' });
    expect(response.headers).not.to.have.any.keys('content-length', 'content-type');
    expect(response.text).to.equal('');
  });

  it('returns the code precondition_failed with 412', async () => {
    const response = await service.get(path).set('If-Match', OTHER_TAG);
    expect(refusalOf(response)).to.deep.equal([412, 'precondition_failed']);
    expect(response.headers).not.to.have.any.keys('etag', 'last-modified', 'content-disposition');
  });

  it('does not apply them to the record, because the tag is that of the bytes', async () => {
    expect((await service.get(`/api/image/${record.id}`).set('If-None-Match', etag)).status).to.equal(200);
  });
}

function rangeCases(): void {
  type Row = readonly [what: string, range: () => string, start: () => number, end: () => number];
  const ranges: readonly Row[] = [
    ['the first byte', () => 'bytes=0-0', () => 0, () => 0],
    ['bytes in the middle', () => 'bytes=500-999', () => 500, () => 999],
    ['the last byte as a suffix', () => 'bytes=-1', () => last, () => last],
    ['the last 500 bytes', () => 'bytes=-500', () => last - 499, () => last],
    ['a suffix longer than the file', () => 'bytes=-99999999', () => 0, () => last],
    ['everything from a byte on', () => 'bytes=1000-', () => 1000, () => last],
    ['a range that ends after the file', () => 'bytes=100-99999999', () => 100, () => last],
    ['the unit in any case', () => 'BYTES=0-9', () => 0, () => 9],
  ];
  for (const [what, range, start, end] of ranges) {
    it(`returns 206 with ${what}`, async () => {
      const response = await service.get(path).set('Range', range());
      expect(response.status).to.equal(206);
      expect(response.headers['content-range']).to.equal(`bytes ${start()}-${end()}/${png.length}`);
      expect(response.headers['content-length']).to.equal(String(end() - start() + 1));
      expect(response.body).to.deep.equal(png.subarray(start(), end() + 1));
    });
  }

  it('returns the headers that describe the whole file', async () => {
    const [whole, part] = [await service.get(path), await service.get(path).set('Range', 'bytes=0-9')];
    for (const name of ['etag', 'last-modified', 'repr-digest', 'content-type', 'cache-control']) {
      expect(part.headers[name], name).to.equal(whole.headers[name]);
    }
  });

  const unsatisfiable: ReadonlyArray<readonly [what: string, range: () => string]> = [
    ['a range that begins at the end of the file', () => `bytes=${last + 1}-`],
    ['a suffix of no bytes', () => 'bytes=-0'],
    ['a position above the largest integer', () => 'bytes=99999999999999999999-'],
  ];
  for (const [what, range] of unsatisfiable) {
    it(`returns 416 for ${what}`, async () => {
      const response = await service.get(path).set('Range', range());
      expect(refusalOf(response)).to.deep.equal([416, 'range_not_satisfiable']);
      expect(response.headers['content-range']).to.equal(`bytes */${png.length}`);
      expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
    });
  }
}

function ignoredRangeCases(): void {
  const ignored = ['bytes=', 'bytes=0', 'bytes 0-9', 'pages=0-9', 'bytes=0x0-9', 'bytes=9-0'];
  for (const range of ignored) {
    it(`returns the whole file for the malformed or unknown "Range: ${range}"`, async () => {
      const response = await service.get(path).set('Range', range);
      expect([response.status, response.headers['content-length']]).to.deep.equal([200, String(png.length)]);
    });
  }

  for (const range of ['bytes=0-9,20-29', 'bytes=0-9, -9', 'bytes=0-0,1-1,2-2,3-3']) {
    it(`returns the whole file for several ranges: "${range}"`, async () => {
      const response = await service.get(path).set('Range', range);
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal(png);
    });
  }

  it('ignores Range with HEAD (RFC 9110, section 14.2)', async () => {
    const response = await service.head(path).set('Range', 'bytes=0-9');
    expect([response.status, response.headers['content-length']]).to.deep.equal([200, String(png.length)]);
  });
}

function conditionalRangeCases(): void {
  it('returns 304 before the range is evaluated', async () => {
    const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-None-Match': etag });
    expect(response.status).to.equal(304);
  });

  it('returns 412 before the range is evaluated', async () => {
    const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-Match': OTHER_TAG });
    expect(response.status).to.equal(412);
  });

  const guarded: ReadonlyArray<readonly [what: string, ifRange: () => string, status: number]> = [
    ['the tag', () => etag, 206],
    ['the exact date', () => modified, 206],
    ['another tag', () => OTHER_TAG, 200],
    ['the tag, weak', () => `W/${etag}`, 200],
    ['a later date', () => seconds(1), 200],
    ['a value that is neither a tag nor a date', () => 'nonsense', 200],
  ];
  for (const [what, ifRange, status] of guarded) {
    it(`returns ${status} for If-Range with ${what}`, async () => {
      const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-Range': ifRange() });
      expect(response.status).to.equal(status);
    });
  }

  it('returns the whole file if If-Range fails, even for a range after the end of the file', async () => {
    const response = await service.get(path).set({ Range: 'bytes=99999999-', 'If-Range': OTHER_TAG });
    expect(response.status).to.equal(200);
  });

  it('ignores If-Range without Range', async () => {
    expect((await service.get(path).set('If-Range', OTHER_TAG)).status).to.equal(200);
  });
}

function fileNameCases(): void {
  const names: ReadonlyArray<readonly [name: string, disposition: RegExp]> = [
    ['cat.png', /^inline; filename="?cat\.png"?(; filename\*=UTF-8''cat\.png)?$/],
    ['a cat.png', /^inline; filename="a cat\.png"(; filename\*=UTF-8''a%20cat\.png)?$/],
    ['kätzchen.png', /^inline; filename="k.tzchen\.png"; filename\*=UTF-8''k%C3%A4tzchen\.png$/],
    ['猫 🐈.png', /^inline; filename="[ -~]+\.png"; filename\*=UTF-8''%E7%8C%AB%20%F0%9F%90%88\.png$/],
    ['50%.png', /^inline; filename="50%\.png"(; filename\*=UTF-8''50%25\.png)?$/],
  ];
  for (const [name, disposition] of names) {
    it(`has the name ${name}`, async () => {
      const { id } = await service.upload(png, name);
      const { headers } = await service.get(`/api/image/${id}/file`);
      expect(headers['content-disposition']).to.match(disposition);
    });
  }

  it('escapes quotes in the name', async () => {
    const response = await service.post([
      partWith(`form-data; name="file"; filename*=UTF-8''a%22%3Bb%22.png`, png),
    ]);
    const { headers } = await service.get(`${response.headers.location}/file`);
    expect(headers['content-disposition']).to.match(/^inline; filename="a\\";b\\"\.png"/);
  });

  it('removes characters from the name that would break headers', async () => {
    const response = await service.post([filePart(png, 'a%0D%0ASet-Cookie: x=1.png')]);
    const { headers, status } = await service.get(`${response.headers.location}/file`);
    expect(status).to.equal(200);
    expect(headers).not.to.have.property('set-cookie');
  });

  for (const [query, type] of [
    ['?download=true', 'attachment'],
    ['?download=false', 'inline'],
  ] as const) {
    it(`has the type ${type} with "${query}"`, async () => {
      const { headers } = await service.get(`${path}${query}`);
      expect(headers['content-disposition']).to.match(new RegExp(`^${type}; filename=`));
    });
  }
}
