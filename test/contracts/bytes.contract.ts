import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from 'supertest';
import type { BlobStorage } from '../../src/domain/ports/blob-store.ts';
import type { ImageRecord } from '../support/catalog-client.ts';
import { intercepted } from '../support/intercepted.ts';
import { filePart, partWith } from '../support/multipart.ts';
import { jpegPicture, noisyPng } from '../support/pictures.ts';
import type { TestService, TestServiceOptions } from '../support/test-service.ts';

const OTHER_TAG = `"${'0'.repeat(64)}"`;

function errorOf(response: Response): readonly [number, unknown] {
  return [response.status, (JSON.parse(response.text) as { code: unknown }).code];
}

/**
 * What `/api/image/:id/file` promises, for whoever sends the bytes: the service alone, or with somebody in front of it.
 *
 * @param start starts the service that the tests ask
 */
export function answersBytes(start: (options?: TestServiceOptions) => Promise<TestService>): void {
  let service: TestService;
  let png: Buffer;
  let record: ImageRecord;
  let path: string;
  let etag: string;
  let modified: string;
  let lookedAt: number;
  let last: number;

  before(async () => {
    service = await start({ wrapBlobs: countingLooks });
    png = await noisyPng(150, 100);
    record = await service.upload(png, 'cat.png');
    path = `/api/image/${record.id}/file`;
    etag = `"${record.sha256}"`;
    modified = new Date(record.createdAt).toUTCString();
    last = png.length - 1;
  });

  beforeEach(() => {
    lookedAt = 0;
  });

  after(async () => {
    await service.stop();
  });

  function countingLooks(blobs: BlobStorage): BlobStorage {
    return intercepted(blobs, (method, proceed) => {
      if (method === 'open' || method === 'find') lookedAt += 1;
      return proceed();
    });
  }

  /** An HTTP date so many seconds away from when the image was uploaded. */
  function seconds(away: number): string {
    return new Date(Date.parse(modified) + away * 1000).toUTCString();
  }

  describe('of the whole', () => {
    it('answers the bytes as they were uploaded', async () => {
      const response = await service.get(path);
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal(png);
    });

    it('describes them', async () => {
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

    it('keeps browsers from taking them for a page', async () => {
      const { headers } = await service.get(path);
      expect(headers).to.include({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    });

    it('lets any page embed them where any origin is allowed', async () => {
      const { headers } = await service.get(path);
      expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
    });

    it('lets only pages of its own site embed them where some origins are allowed', async () => {
      const closed = await start({ corsOrigins: ['https://app.example.com'] });
      const { id } = await closed.upload(png);
      const { headers } = await closed.get(`/api/image/${id}/file`);
      await closed.stop();
      expect(headers['cross-origin-resource-policy']).to.equal('same-site');
    });

    it('needs no fitting Accept', async () => {
      const response = await service.get(path).set('Accept', 'text/html');
      expect([response.status, response.headers['content-type']]).to.deep.equal([200, 'image/png']);
    });

    it('answers a JPEG as such', async () => {
      const { id } = await service.upload(await jpegPicture(), 'named-otherwise.png');
      expect((await service.get(`/api/image/${id}/file`)).headers['content-type']).to.equal('image/jpeg');
    });

    it('answers HEAD with the headers of GET and no body', async () => {
      const [get, head] = [await service.get(path), await service.head(path)];
      expect(head.status).to.equal(200);
      for (const name of ['date', 'x-request-id']) {
        delete get.headers[name];
        delete head.headers[name];
      }
      expect(head.headers).to.deep.equal(get.headers);
      expect(head.text).to.equal(undefined);
    });
  });

  describe('where the client has them', () => {
    type Row = readonly [what: string, headers: () => Record<string, string>, status: number];
    const conditions: readonly Row[] = [
      ['If-None-Match with the tag', () => ({ 'If-None-Match': etag }), 304],
      ['If-None-Match with the tag, weak', () => ({ 'If-None-Match': `W/${etag}` }), 304],
      ['If-None-Match with a list', () => ({ 'If-None-Match': `"a", W/"b" ,${etag}` }), 304],
      ['If-None-Match: *', () => ({ 'If-None-Match': '*' }), 304],
      ['If-None-Match with another tag', () => ({ 'If-None-Match': OTHER_TAG }), 200],
      ['If-None-Match with the tag without quotes', () => ({ 'If-None-Match': etag.slice(1, -1) }), 200],
      ['If-Modified-Since at the time', () => ({ 'If-Modified-Since': modified }), 304],
      ['If-Modified-Since later', () => ({ 'If-Modified-Since': seconds(60) }), 304],
      ['If-Modified-Since earlier', () => ({ 'If-Modified-Since': seconds(-1) }), 200],
      ['If-Modified-Since that is no date', () => ({ 'If-Modified-Since': 'yesterday' }), 200],
      [
        'the tag, whatever If-Modified-Since says',
        () => ({ 'If-None-Match': etag, 'If-Modified-Since': seconds(-60) }),
        304,
      ],
      [
        'an asterisk, whatever If-Modified-Since says',
        () => ({ 'If-None-Match': '*', 'If-Modified-Since': seconds(-60) }),
        304,
      ],
      [
        'another tag, whatever If-Modified-Since says',
        () => ({ 'If-None-Match': OTHER_TAG, 'If-Modified-Since': seconds(60) }),
        200,
      ],
      ['If-Match with the tag', () => ({ 'If-Match': etag }), 200],
      ['If-Match with a list', () => ({ 'If-Match': `"a", ${etag}` }), 200],
      ['If-Match: *', () => ({ 'If-Match': '*' }), 200],
      ['If-Match with another tag', () => ({ 'If-Match': OTHER_TAG }), 412],
      ['If-Match with the tag, weak', () => ({ 'If-Match': `W/${etag}` }), 412],
      ['If-Unmodified-Since at the time', () => ({ 'If-Unmodified-Since': modified }), 200],
      ['If-Unmodified-Since later', () => ({ 'If-Unmodified-Since': seconds(60) }), 200],
      ['If-Unmodified-Since earlier', () => ({ 'If-Unmodified-Since': seconds(-1) }), 412],
      ['If-Unmodified-Since that is no date', () => ({ 'If-Unmodified-Since': 'yesterday' }), 200],
      [
        'If-Match that holds, whatever If-Unmodified-Since says',
        () => ({ 'If-Match': etag, 'If-Unmodified-Since': seconds(-60) }),
        200,
      ],
      [
        'If-Match that fails before If-None-Match that holds',
        () => ({ 'If-Match': OTHER_TAG, 'If-None-Match': etag }),
        412,
      ],
      ['If-Match and If-None-Match that hold', () => ({ 'If-Match': etag, 'If-None-Match': etag }), 304],
    ];

    for (const [what, headers, status] of conditions) {
      it(`answers ${status} to ${what}`, async () => {
        const response = await service.get(path).set(headers());
        expect(response.status).to.equal(status);
        expect(lookedAt).to.equal(status === 200 ? 1 : 0);
      });

      it(`answers ${status} to HEAD with ${what}`, async () => {
        expect((await service.head(path).set(headers())).status).to.equal(status);
      });
    }

    it('repeats with 304 what caches need, and has no body', async () => {
      const response = await service.get(path).set('If-None-Match', etag);
      expect(response.headers).to.include({ etag, 'cache-control': 'private, max-age=300' });
      expect(response.headers).not.to.have.any.keys('content-length', 'content-type');
      expect(response.text).to.equal('');
    });

    it('says precondition_failed with 412', async () => {
      const response = await service.get(path).set('If-Match', OTHER_TAG);
      expect(errorOf(response)).to.deep.equal([412, 'precondition_failed']);
      expect(response.headers).not.to.have.any.keys('etag', 'last-modified', 'content-disposition');
    });

    it('negotiated bytes answer conditions, too', async () => {
      const response = await service
        .get(`/api/image/${record.id}`)
        .set({ Accept: 'image/*', 'If-None-Match': etag });
      expect(response.status).to.equal(304);
      expect((response.headers.vary as string).split(', ')).to.include('Accept');
    });

    it('the record does not: the tag is that of the bytes', async () => {
      expect((await service.get(`/api/image/${record.id}`).set('If-None-Match', etag)).status).to.equal(200);
    });
  });

  describe('in part', () => {
    type Row = readonly [what: string, range: () => string, start: () => number, end: () => number];
    const ranges: readonly Row[] = [
      ['the first byte', () => 'bytes=0-0', () => 0, () => 0],
      ['the first 500 bytes', () => 'bytes=0-499', () => 0, () => 499],
      ['bytes in the middle', () => 'bytes=500-999', () => 500, () => 999],
      ['the last byte', () => `bytes=${last}-${last}`, () => last, () => last],
      ['the last byte as a suffix', () => 'bytes=-1', () => last, () => last],
      ['the last 500 bytes', () => 'bytes=-500', () => last - 499, () => last],
      ['a suffix longer than the file', () => 'bytes=-99999999', () => 0, () => last],
      ['everything from a byte on', () => 'bytes=1000-', () => 1000, () => last],
      ['everything from the first byte on', () => 'bytes=0-', () => 0, () => last],
      ['a range that ends behind the file', () => 'bytes=100-99999999', () => 100, () => last],
      ['the unit in any case', () => 'BYTES=0-9', () => 0, () => 9],
    ];
    for (const [what, range, start, end] of ranges) {
      it(`answers 206 with ${what}`, async () => {
        const response = await service.get(path).set('Range', range());
        expect(response.status).to.equal(206);
        expect(response.headers['content-range']).to.equal(`bytes ${start()}-${end()}/${png.length}`);
        expect(response.headers['content-length']).to.equal(String(end() - start() + 1));
        expect(response.body).to.deep.equal(png.subarray(start(), end() + 1));
      });
    }

    it('describes the whole, not the part', async () => {
      const [whole, part] = [await service.get(path), await service.get(path).set('Range', 'bytes=0-9')];
      for (const name of ['etag', 'last-modified', 'repr-digest', 'content-type', 'cache-control']) {
        expect(part.headers[name], name).to.equal(whole.headers[name]);
      }
    });

    const unsatisfiable: ReadonlyArray<readonly [what: string, range: () => string]> = [
      ['a range that begins behind the file', () => `bytes=${last + 1}-`],
      ['a range that lies behind the file', () => `bytes=${last + 1}-${last + 9}`],
      ['a suffix of no bytes', () => 'bytes=-0'],
      ['a position beyond all integers', () => 'bytes=99999999999999999999-'],
    ];
    for (const [what, range] of unsatisfiable) {
      it(`answers 416 to ${what}`, async () => {
        const response = await service.get(path).set('Range', range());
        expect(errorOf(response)).to.deep.equal([416, 'range_not_satisfiable']);
        expect(response.headers['content-range']).to.equal(`bytes */${png.length}`);
        expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
      });
    }

    const ignored = [
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=0',
      'bytes 0-9',
      'bytes=0-9-',
      'bytes=+0-9',
      'pages=0-9',
      '0-9',
      'bytes=0x0-9',
      'bytes=1.5-9',
      'bytes=9-0',
    ];
    for (const range of ignored) {
      it(`answers the whole to the ill-formed or foreign "Range: ${range}"`, async () => {
        const response = await service.get(path).set('Range', range);
        expect([response.status, response.headers['content-length']]).to.deep.equal([
          200,
          String(png.length),
        ]);
      });
    }

    for (const range of ['bytes=0-9,20-29', 'bytes=0-9, -9', 'bytes=0-0,1-1,2-2,3-3']) {
      it(`answers the whole to several ranges: "${range}"`, async () => {
        const response = await service.get(path).set('Range', range);
        expect(response.status).to.equal(200);
        expect(response.body).to.deep.equal(png);
      });
    }

    it('ignores Range with HEAD (RFC 9110, section 14.2)', async () => {
      const response = await service.head(path).set('Range', 'bytes=0-9');
      expect([response.status, response.headers['content-length']]).to.deep.equal([200, String(png.length)]);
    });

    it('answers 304 before it looks at the range', async () => {
      const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-None-Match': etag });
      expect(response.status).to.equal(304);
    });

    it('answers 412 before it looks at the range', async () => {
      const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-Match': OTHER_TAG });
      expect(response.status).to.equal(412);
    });

    const guarded: ReadonlyArray<readonly [what: string, ifRange: () => string, status: number]> = [
      ['the tag', () => etag, 206],
      ['the exact date', () => modified, 206],
      ['another tag', () => OTHER_TAG, 200],
      ['the tag, weak', () => `W/${etag}`, 200],
      ['an earlier date', () => seconds(-1), 200],
      ['a later date', () => seconds(1), 200],
      ['what is neither tag nor date', () => 'nonsense', 200],
    ];
    for (const [what, ifRange, status] of guarded) {
      it(`answers ${status} to If-Range with ${what}`, async () => {
        const response = await service.get(path).set({ Range: 'bytes=0-9', 'If-Range': ifRange() });
        expect(response.status).to.equal(status);
      });
    }

    it('answers the whole where If-Range fails, even for a range that is behind the file', async () => {
      const response = await service.get(path).set({ Range: 'bytes=99999999-', 'If-Range': OTHER_TAG });
      expect(response.status).to.equal(200);
    });

    it('ignores If-Range without Range', async () => {
      expect((await service.get(path).set('If-Range', OTHER_TAG)).status).to.equal(200);
    });

    it('puts a file together from its parts', async () => {
      const parts: Buffer[] = [];
      for (let start = 0; start < png.length; start += 10_000) {
        parts.push((await service.get(path).set('Range', `bytes=${start}-${start + 9_999}`)).body as Buffer);
      }
      expect(Buffer.concat(parts)).to.deep.equal(png);
    });
  });

  describe('names the file', () => {
    const names: ReadonlyArray<readonly [name: string, disposition: RegExp]> = [
      ['cat.png', /^inline; filename="?cat\.png"?(; filename\*=UTF-8''cat\.png)?$/],
      ['a cat.png', /^inline; filename="a cat\.png"(; filename\*=UTF-8''a%20cat\.png)?$/],
      ['kätzchen.png', /^inline; filename="k.tzchen\.png"; filename\*=UTF-8''k%C3%A4tzchen\.png$/],
      ['猫 🐈.png', /^inline; filename="[ -~]+\.png"; filename\*=UTF-8''%E7%8C%AB%20%F0%9F%90%88\.png$/],
      ['50%.png', /^inline; filename="50%\.png"(; filename\*=UTF-8''50%25\.png)?$/],
    ];
    for (const [name, disposition] of names) {
      it(name, async () => {
        const { id } = await service.upload(png, name);
        const { headers } = await service.get(`/api/image/${id}/file`);
        expect(headers['content-disposition']).to.match(disposition);
      });
    }

    describe('with the extension of its media type behind another one', () => {
      let page: ImageRecord;

      beforeEach(async () => {
        page = await service.upload(png, 'x.html');
      });

      for (const [query, expected] of [
        ['', 'inline; filename="x.html.png"'],
        ['?download=true', 'attachment; filename="x.html.png"'],
      ] as const) {
        it(`on the file route${query}`, async () => {
          const { headers } = await service.get(`/api/image/${page.id}/file${query}`);
          expect(headers['content-disposition']).to.equal(expected);
        });

        it(`on negotiated bytes${query}`, async () => {
          const { headers } = await service.get(`/api/image/${page.id}${query}`).set('Accept', 'image/*');
          expect(headers['content-disposition']).to.equal(expected);
        });
      }

      it('and leaves the record as it was sent', async () => {
        expect((await service.get(`/api/image/${page.id}`)).body).to.include({ originalName: 'x.html' });
      });
    });

    it('that has quotes and a backslash in it, escaped', async () => {
      const response = await service.post([
        partWith(`form-data; name="file"; filename*=UTF-8''a%22%3Bb%22.png`, png),
      ]);
      const { headers } = await service.get(`${response.headers.location}/file`);
      expect(headers['content-disposition']).to.match(/^inline; filename="a\\";b\\"\.png"/);
    });

    it('that would break headers, without what breaks them', async () => {
      const response = await service.post([filePart(png, 'a%0D%0ASet-Cookie: x=1.png')]);
      const { headers, status } = await service.get(`${response.headers.location}/file`);
      expect(status).to.equal(200);
      expect(headers).not.to.have.property('set-cookie');
    });

    for (const [query, type] of [
      ['?download=true', 'attachment'],
      ['?download=false', 'inline'],
    ] as const) {
      it(`as ${type} with "${query}"`, async () => {
        const { headers } = await service.get(`${path}${query}`);
        expect(headers['content-disposition']).to.match(new RegExp(`^${type}; filename=`));
      });
    }

    it('as attachment where bytes are negotiated', async () => {
      const response = await service.get(`/api/image/${record.id}?download=true`).set('Accept', 'image/*');
      expect(response.headers['content-disposition']).to.match(/^attachment; filename=/);
    });
  });

  for (const query of [
    'download=1',
    'download=',
    'download',
    'a=1',
    'download=true&download=false',
    'limit=1',
  ]) {
    it(`answers 400 to the query "${query}"`, async () => {
      expect(errorOf(await service.get(`${path}?${query}`))).to.deep.equal([400, 'invalid_request']);
    });
  }

  for (const [id, status, code] of [
    ['0', 400, 'invalid_request'],
    ['abc', 400, 'invalid_request'],
    ['01', 400, 'invalid_request'],
    ['99999', 404, 'image_not_found'],
    ['9'.repeat(30), 404, 'image_not_found'],
  ] as const) {
    it(`answers ${status} ${code} for the id ${id}`, async () => {
      expect(errorOf(await service.get(`/api/image/${id}/file`))).to.deep.equal([status, code]);
    });
  }
}
