import { expect } from 'chai';
import { WARN } from '../support/doubles/captured-log.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const PATH = '/api/images/lookup';
const UNKNOWN = 'f'.repeat(64);
const MAX_BYTES = 256 * 1024;
const ONE_DIGEST = JSON.stringify({ sha256: [UNKNOWN] });

const service = startFor('all', () => TestService.start());

describe('POST /api/images/lookup', () => {
  let first: ImageRecord;
  let copy: ImageRecord;
  let other: ImageRecord;

  before(async () => {
    const png = await noisyPng(40, 30);
    first = await service.upload(png, 'first.png');
    other = await service.upload(await noisyPng(30, 40), 'other.png');
    copy = await service.upload(png, 'copy.png');
  });

  async function lookUp(sha256: readonly string[]): Promise<unknown> {
    const response = await service.postJson(PATH, JSON.stringify({ sha256 })).expect(200);
    return response.body as unknown;
  }

  it('returns the ids of the images with each digest, ascending, and leaves out unknown digests', async () => {
    expect(await lookUp([other.sha256, UNKNOWN, first.sha256])).to.deep.equal({
      [first.sha256]: [first.id, copy.id],
      [other.sha256]: [other.id],
    });
  });

  it('takes digests in either case and twice, and returns them in lower case once', async () => {
    expect(await lookUp([other.sha256.toUpperCase(), other.sha256])).to.deep.equal({
      [other.sha256]: [other.id],
    });
  });
});

function jsonHead(headers: Record<string, string | number>): string {
  const authorization = { Authorization: service.bearer, 'Content-Type': 'application/json' };
  return requestHead('POST', PATH, { ...authorization, ...headers });
}

describe('The body of a JSON route', () => {
  for (const type of [
    'application/json',
    'Application/JSON; Charset="UTF-8"',
    'application/json;charset=utf-8',
    'application/json; version=1',
    'application/json; charset',
  ]) {
    it(`may be ${type}`, async () => {
      await service.postJson(PATH, ONE_DIGEST, type).expect(200);
    });
  }

  for (const type of [
    'text/plain',
    'application/merge-patch+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    '/',
  ]) {
    it(`is 415 as ${type}`, async () => {
      expect(refusalOf(await service.postJson(PATH, ONE_DIGEST, type))).to.deep.equal([
        415,
        'unsupported_media_type',
      ]);
    });
  }

  it('may be of 256 KiB', async () => {
    await service.postJson(PATH, ONE_DIGEST.padEnd(MAX_BYTES)).expect(200);
  });

  it('is 413 by Content-Length before it is sent, without 100 Continue', async () => {
    const connection = await service.connect();
    connection.send(jsonHead({ 'Content-Length': MAX_BYTES + 1, Expect: '100-continue' }));
    const response = await connection.response();
    connection.close();
    expect(response.status).to.equal(413);
  });

  it('is asked for by 100 Continue', async () => {
    const connection = await service.connect();
    connection.send(jsonHead({ 'Content-Length': ONE_DIGEST.length, Expect: '100-continue' }));
    const interim = await connection.response();
    connection.send(ONE_DIGEST);
    const response = await connection.response();
    connection.close();
    expect([interim.status, response.status]).to.deep.equal([100, 200]);
  });

  it('is 413 in chunks as soon as the limit is passed, and the connection closes', async () => {
    const connection = await service.connect();
    connection.send(jsonHead({ 'Transfer-Encoding': 'chunked' }));
    connection.send(`${(MAX_BYTES + 1).toString(16)}\r\n${'x'.repeat(MAX_BYTES + 1)}\r\n`);
    const response = await connection.response();
    await connection.closed;
    expect(response.status).to.equal(413);
    expect(response.headers['connection']).to.equal('close');
  });

  it('may come in chunks', async () => {
    const connection = await service.connect();
    connection.send(jsonHead({ 'Transfer-Encoding': 'chunked' }));
    for (const piece of [ONE_DIGEST.slice(0, 7), ONE_DIGEST.slice(7)]) {
      connection.send(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    connection.send('0\r\n\r\n');
    const response = await connection.response();
    connection.close();
    expect(response.status).to.equal(200);
  });

  it('causes no warning if the client leaves in the middle of it', async () => {
    const connection = await service.connect();
    connection.send(jsonHead({ 'Content-Length': 100 }));
    connection.send('{');
    connection.close();
    await service.log.entry(({ msg }) => msg === 'client left');
    await service.idle();
    expect(service.log.atLeast(WARN)).to.deep.equal([]);
  });

  contentOfBodies();
});

function contentOfBodies(): void {
  for (const [what, body, message] of [
    ['empty', '', 'not JSON'],
    ['cut off', '{"sha256":[', 'not JSON'],
    ['an array', '[]', 'JSON object'],
    ['a text', '"sha256"', 'JSON object'],
    ['with a byte order mark', `\ufeff${ONE_DIGEST}`, 'not JSON'],
    ['of UTF-16', Buffer.from(ONE_DIGEST, 'utf16le'), 'not JSON'],
    ['not UTF-8', Buffer.from('{"sha256":"\xff"}', 'latin1'), 'not UTF-8'],
    ['of an encoded surrogate', Buffer.from('7b2261223a22eda080227d', 'hex'), 'not UTF-8'],
    ['without the field', '{}', 'Field "sha256" must be'],
    ['with an unknown field', `{"more":1,${ONE_DIGEST.slice(1)}`, 'Field "more" is not known'],
    ['with a field __proto__', `{"__proto__":1,${ONE_DIGEST.slice(1)}`, 'Field "__proto__" is not known'],
    ['with a lone surrogate', '{"sha256":["\\ud800"]}', 'Field "sha256" must be without lone surrogates'],
    ['with a NUL', '{"sha256":["\\u0000"]}', 'Field "sha256" must be without lone surrogates and NUL'],
    ['with a NUL in a name', '{"sha\\u0000":1}', 'Field "sha\\u0000" must be without'],
    ['with a NUL in an inner name', '{"sha256":[{"\\u0000":1}]}', 'Field "sha256" must be without'],
    ['nested deeply', `{"sha256":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'Field "sha256[0]" must be'],
  ] as const) {
    it(`is 400 if it is ${what}`, async () => {
      const response = await service.postJson(PATH, body);
      const { code, message: sent } = JSON.parse(response.text) as { code: string; message: string };
      expect([response.status, code]).to.deep.equal([400, 'invalid_request']);
      expect(sent).to.include(message);
    });
  }

  it('may hold a pair of surrogates, escaped or not', async () => {
    const response = await service.postJson(PATH, '{"sha256":["\\ud83d\\ude00😀"]}');
    expect(response.text).to.include('must be 64 hexadecimal digits');
  });

  it('counts the last of equal fields', async () => {
    await service.postJson(PATH, `{"sha256":7,${ONE_DIGEST.slice(1)}`).expect(200);
    await service.postJson(PATH, `${ONE_DIGEST.slice(0, -1)},"sha256":7}`).expect(400);
  });
}
