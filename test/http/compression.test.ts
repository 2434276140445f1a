import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

function textOf({ headers, bytes }: Reply): string {
  const decode = DECODE[String(headers['content-encoding'])];
  return (decode?.(bytes) ?? bytes).toString();
}

describe('JSON', () => {
  const service = startFor('all', () => TestService.start());

  before(async () => {
    for (let index = 0; index < 250; index += 1) await service.images.add(newImage());
  });

  /** The bytes as they are sent: clients of the other tests decode them. */
  async function send(path: string, encoding?: string, headers = {}, method = 'GET'): Promise<Reply> {
    const accepted = encoding === undefined ? {} : { 'Accept-Encoding': encoding };
    const options = { method, headers: { Authorization: service.bearer, ...accepted, ...headers } };
    const sent = request(`${service.url}${path}`, options).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = Buffer.concat(await collectAll<Buffer>(response));
    return { status: Number(response.statusCode), headers: response.headers, bytes };
  }

  for (const path of ['/api/images', '/api/images?limit=100', '/api/openapi.json']) {
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      [undefined, undefined],
    ] as const) {
      it(`of ${path} is sent as ${coding ?? 'it is'} for Accept-Encoding: ${accepted}`, async () => {
        const [plain, reply] = [await send(path), await send(path, accepted)];
        expect(reply.headers['content-encoding']).to.equal(coding);
        expect(reply.headers['vary']).to.include('Accept-Encoding');
        expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(textOf(reply)).to.equal(plain.bytes.toString());
        if (coding !== undefined) expect(reply.bytes.length).to.be.lessThan(plain.bytes.length / 4);
      });
    }

    it(`of ${path} has the headers of GET for HEAD`, async () => {
      const [get, head] = [await send(path, 'br'), await send(path, 'br', {}, 'HEAD')];
      for (const name of ['content-encoding', 'vary', 'content-type', 'etag']) {
        expect(head.headers[name]).to.equal(get.headers[name]);
      }
      expect(head.bytes).to.have.length(0);
    });
  }

  for (const path of [
    '/api/images?limit=1',
    '/api/image/1',
    '/api/image/1/metadata',
    '/api/images?limit=0',
  ]) {
    it(`of ${path} is short and sent as it is`, async () => {
      const reply = await send(path, 'br, gzip');
      expect(reply.headers).not.to.have.property('content-encoding');
      expect(reply.headers['content-length']).to.equal(String(reply.bytes.length));
    });
  }

  it('with an ETag for If-Match is sent as it is', async () => {
    const body = JSON.stringify({ description: 'cat '.repeat(1000) });
    await service.patchJson('/api/image/1/metadata', body, 'application/merge-patch+json').expect(200);
    const reply = await send('/api/image/1/metadata', 'br, gzip');
    expect(reply.headers).not.to.have.property('content-encoding');
    expect(reply.bytes.length).to.be.greaterThan(4000);
  });

  it('of the description has an ETag for each coding', async () => {
    const path = '/api/openapi.json';
    const codings = ['br', 'gzip', 'identity'];
    const tags = await Promise.all(
      codings.map(async (coding) => String((await send(path, coding)).headers['etag'])),
    );
    expect(new Set(tags).size).to.equal(3);
    const statuses = codings.map(
      async (coding) => (await send(path, coding, { 'If-None-Match': tags[0] })).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([304, 200, 200]);
  });

  it('of a listing arrives while it is read', async () => {
    const headers = { Authorization: service.bearer, 'Accept-Encoding': 'br' };
    const sent = request(`${service.url}/api/images`, { headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks = await collectAll(response);
    expect(chunks.length).to.be.greaterThan(1);
  });
});
