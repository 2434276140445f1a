import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { jpegOfSize } from '../support/fixtures/pictures.ts';
import { type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Larger than the buffers of a connection. */
const LARGE = 24 * 1024 * 1024;

const service = startFor('all', () => TestService.start());

/** Of requests that do not end. */
const SHORT_MS = 300;

/** Node reads the limits at each check of its connections. */
function limitRequests(ms: number): void {
  Object.assign(service.server, { headersTimeout: ms, requestTimeout: ms });
}

describe('Every response', () => {
  before(async () => {
    await service.images.add(newImage());
  });

  afterEach(async () => {
    await service.idle();
    service.log.clear();
  });

  describe('carries an X-Request-Id,', requestIds);

  describe('from the HTTP parser', parserErrors);

  it('has the announced Content-Length', async () => {
    const response = await service.get('/nowhere');
    expect(response.headers['content-length']).to.equal(String(Buffer.byteLength(response.text)));
  });

  describe('to an internal error', internalErrors);

  describe('is logged', requestLogs);
});

function requestIds(): void {
  for (const id of ['a', 'Trace_1.2-3', 'x'.repeat(128)]) {
    it(`the id of the client if that is ${id.slice(0, 12)}`, async () => {
      const response = await service.get('/api/image/1').set('X-Request-Id', id);
      expect(response.headers['x-request-id']).to.equal(id);
    });
  }

  for (const id of ['', 'x'.repeat(129), 'with space', 'a,b', 'a"b', 'über', '<script>', 'a/b']) {
    it(`a new id instead of ${JSON.stringify(id.slice(0, 12))}`, async () => {
      const { headers } = await raw(requestHead('GET', '/', { 'X-Request-Id': id }));
      expect(headers['x-request-id']).to.match(UUID);
    });
  }

  const requests: ReadonlyArray<
    readonly [method: string, path: string, headers: Record<string, string>, status: number]
  > = [
    ['GET', '/', {}, 200],
    ['GET', '/api/images', {}, 401],
    ['GET', '/nowhere', { token: 'yes' }, 404],
    ['OPTIONS', '/api/images', { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' }, 204],
  ];
  for (const [method, path, { token, ...headers }, status] of requests) {
    it(`for ${method} ${path} (${status})`, async () => {
      const authorization: Record<string, string> =
        token === undefined ? {} : { Authorization: service.bearer };
      const response = await raw(
        requestHead(method, path, { ...headers, ...authorization, 'X-Request-Id': 'mine' }),
      );
      expect(response.status).to.equal(status);
      expect(response.headers['x-request-id']).to.equal('mine');
    });
  }
}

function parserErrors(): void {
  afterEach(() => limitRequests(120_000));

  const malformed: ReadonlyArray<readonly [what: string, text: string, status: number, code: string]> = [
    ['a message that is not HTTP', 'HELLO\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400, 'invalid_request'],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    [
      'Content-Length and Transfer-Encoding together',
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a Content-Length that is not a number',
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['headers over 16 KB', requestHead('GET', '/', { 'X-Long': 'x'.repeat(17_000) }), 431, 'invalid_request'],
    [
      'a token over 16 KB',
      requestHead('GET', '/', { Authorization: `Bearer ${'x'.repeat(100_000)}` }),
      431,
      'invalid_request',
    ],
    ['headers that do not end in time', 'GET / HTTP/1.1\r\nHost: x\r\n', 408, 'request_timeout'],
  ];

  for (const [what, text, status, code] of malformed) {
    it(`is ${status} in JSON for ${what}, and the connection closes`, async () => {
      if (status === 408) limitRequests(SHORT_MS);
      const connection = await service.connect();
      connection.send(text);
      const response = await connection.response();
      await connection.closed;
      expect(refusalOf(response)).to.deep.equal([status, code]);
      expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(response.headers['x-request-id']).to.match(UUID);
    });
  }

  it('is 408 on a connection without a request', async () => {
    limitRequests(SHORT_MS);
    const connection = await service.connect();
    const response = await connection.response();
    expect(refusalOf(response)).to.deep.equal([408, 'request_timeout']);
  });

  it('is 408 if the body does not end in time', async () => {
    limitRequests(SHORT_MS);
    const response = await raw(
      requestHead('POST', '/api/upload', {
        Authorization: service.bearer,
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': 10,
      }),
    );
    expect(refusalOf(response)).to.deep.equal([408, 'request_timeout']);
  });

  it('is not changed by an unknown expectation (RFC 9110, section 10.1.1)', async () => {
    const response = await raw(requestHead('GET', '/', { Expect: 'a miracle', 'X-Request-Id': 'mine' }));
    expect([response.status, response.headers['x-request-id']]).to.deep.equal([200, 'mine']);
  });

  it('never contains an error after the response has begun', async () => {
    const generous = await TestService.start({ maxFileBytes: LARGE });
    const { id } = await generous.upload(await jpegOfSize(LARGE));
    const socket = connect({ port: generous.port, host: '127.0.0.1' });
    socket.write(requestHead('GET', `/api/image/${id}/file`, { Authorization: generous.bearer }));
    await once(socket, 'readable');
    socket.write('NONSENSE\r\n\r\n');
    const text = await everything(socket);
    await generous.stop();
    expect(text.match(/HTTP\/1\.1/g)).to.have.length(1);
  });
}

function internalErrors(): void {
  const broken = startFor('all', () =>
    TestService.start({
      modules: [
        wrapping(TOKENS.images, (images) =>
          failing(images, 'findById', new TypeError('cannot read what is inside')),
        ),
      ],
    }),
  );

  it('is 500 with a fixed text and logs one error with the request id and without the token', async () => {
    const response = await broken.get('/api/image/1').set('X-Request-Id', 'find-me');
    const [entry, ...more] = broken.log.atLeast(ERROR);
    expect(refusalOf(response)).to.deep.equal([500, 'internal_error']);
    expect(response.text).not.to.include('inside');
    expect(more).to.deep.equal([]);
    expect(entry).to.deep.include({ requestId: 'find-me' });
    expect(JSON.stringify(entry?.err)).to.include('cannot read what is inside').and.include('stack');
    expect(broken.log.text).not.to.match(/Bearer|eyJ/);
  });
}

function requestLogs(): void {
  it('in one line with method, path, status and time', async () => {
    await service.get('/api/image/1').set('X-Request-Id', 'mine');
    const entry = await service.log.entry(({ msg }) => msg === 'request');
    expect(service.log.entries).to.have.length(1);
    expect(entry).to.deep.include({ requestId: 'mine', method: 'GET', path: '/api/image/1', status: 200 });
    expect(entry.durationMs).to.be.a('number').and.at.least(0);
  });

  it('without token, query and headers', async () => {
    const token = service.token();
    await service.get(`/api/images?access_token=${token}`).set('X-Secret', 'private');
    await service.log.entry(({ msg }) => msg === 'request');
    expect(service.log.text).not.to.match(/eyJ|Bearer|access_token|private/);
    expect(service.log.text).not.to.include(token.slice(-20));
  });

  it('without the contents of files', async () => {
    await service.post([filePart(Buffer.from('the-content-of-a-file'), 'a-name')]);
    await service.log.entry(({ msg }) => msg === 'request');
    expect(service.log.text).not.to.match(/the-content|a-name/);
  });
}

async function raw(text: string): Promise<RawResponse> {
  const connection = await service.connect();
  connection.send(text);
  const response = await connection.response();
  connection.abandon();
  return response;
}

/** Reads until the other side closes or aborts the connection. */
async function everything(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
