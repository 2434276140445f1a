import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { answersBytes } from '../contracts/bytes.contract.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { jpegOfSize, noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { type Front, TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { type OpenStorage, openSqliteAndFiles, type TestStorage } from '../support/http/test-storage.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { isNginxInstalled, Nginx, type NginxSettings, nginxArguments } from '../support/servers/nginx.ts';
import { hangUp, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { describeIf, skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const PREFIX = '/_blobs/';
const MIB = 1024 * 1024;

/** A response that nginx makes itself: the document of the API does not describe it. */
async function fromNginx(service: TestService, path: string): Promise<Response> {
  return await supertest(service.url).get(path).set('Authorization', service.bearer);
}

function blobFolderOf({ environment }: TestStorage): string {
  return environment.BLOB_STORE_URL?.slice('file:'.length) ?? '';
}

async function openNginx(port: number, storage: TestStorage): Promise<Front> {
  return await Nginx.start({ upstreams: [port], blobFolder: blobFolderOf(storage) });
}

async function startBehindNginx(options: TestServiceOptions = {}): Promise<TestService> {
  return await TestService.start({ accelRedirectPrefix: PREFIX, openFront: openNginx, ...options });
}

/** Headers that belong to a connection or a moment, and not to the content. */
const OF_THE_HOP = ['connection', 'date', 'keep-alive', 'server', 'transfer-encoding'];

function ofTheService({ headers }: Response): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers as Record<string, unknown>).filter(([name]) => !OF_THE_HOP.includes(name)),
  );
}

function codeOf(text: string): unknown {
  return (JSON.parse(text) as { code: unknown }).code;
}

const describeWithNginx = describeIf(isNginxInstalled(), 'nginx is not installed');

describeWithNginx('/api/image/:id/file behind nginx, which sends the bytes', () => {
  answersBytes(startBehindNginx);
});

describeWithNginx('/api/image/:id/file behind nginx, which forwards the bytes', () => {
  answersBytes((options) => startBehindNginx({ ...options, accelRedirectPrefix: undefined }));
});

const running = new Set<{ stop(): Promise<void> }>();
const isSilent: Step = () => undefined;
const SHORT_READS: NginxSettings['changes'] = [[/proxy_read_timeout 130s/, 'proxy_read_timeout 100ms']];
const FAULTS = [
  [502, 'bad_gateway', 'dies during the request', hangUp],
  [504, 'gateway_timeout', 'does not respond', isSilent],
] as const;
const sentOnce: ReadonlyArray<readonly [method: string, path: string]> = [
  ['GET', '/api/image/1/file?width=64'],
  ['HEAD', '/api/image/1/file?width=64'],
  ['GET', '/api/image/1?format=webp'],
  ['GET', '/api/image/1/file?w%69dth=64'],
  ['DELETE', '/api/image/1'],
];
const linksAndNames: typeof sentOnce = [
  ['GET', '/d/1/64.webp/1/mac'],
  ['HEAD', '/d/1/64.webp/1/mac'],
  ['GET', '/n/1/hero/64.webp/1/mac'],
  ['GET', '/p/1/hero?width=64'],
  ['GET', '/api/names/hero/file?width=64'],
  ['PUT', '/api/names/hero'],
];

describeWithNginx('deploy/nginx.conf', () => {
  describe('returns the same responses as the service', sameResponses);

  describe('in front of a service', oneService);

  describe('in front of a service that redirects to a bucket', () => {
    it('forwards a long redirect', async () => {
      // A name of 255 bytes, encoded twice, and the credentials of a role.
      const location = `https://images.s3.example.com/?signed=${'x'.repeat(6000)}`;
      const upstream = await ScriptedServer.start((response) =>
        response.writeHead(307, { Location: location }).end(),
      );
      const nginx = await Nginx.start({ upstreams: [portOf(upstream)], blobFolder: '/nowhere' });

      const response = await fetch(`http://127.0.0.1:${nginx.port}/`, { redirect: 'manual' });

      await nginx.stop();
      await upstream.stop();
      expect([response.status, response.headers.get('Location')]).to.deep.equal([307, location]);
    });
  });

  describe('as a user that may not read blobs', () => {
    it('returns 500 and logs the file name', async function () {
      // Only root can start nginx as another user.
      if (process.getuid?.() !== 0) return skipAloud(this, 'needs root');
      let nginx: Nginx | undefined;
      const service = await startBehindNginx({
        openFront: async (port, storage) => {
          nginx = await Nginx.start({ upstreams: [port], blobFolder: blobFolderOf(storage), user: 'daemon' });
          return nginx;
        },
      });
      const { id, filename } = await service.upload(await noisyPng(50, 50));
      const response = await fromNginx(service, `/api/image/${id}/file`);
      const errors = nginx?.errorLog;
      await service.stop();
      expect([response.status, codeOf(response.text)]).to.deep.equal([500, 'internal_error']);
      expect(errors).to.contain(filename.slice(0, 36)).and.to.contain('Permission denied');
    });
  });

  describe('if a blob is deleted between the response of the service and the file', () => {
    it('returns 404 image_not_found', async () => {
      let uuid = '';
      const service = await startBehindNginx({
        modules: [
          wrapping(TOKENS.blobs, (blobs) =>
            intercepted(blobs, async (method, proceed) => {
              const result = await proceed();
              if (method === 'find' && uuid !== '') await blobs.remove(parseBlobKey(uuid));
              return result;
            }),
          ),
        ],
      });
      const { id, filename } = await service.upload(await noisyPng(50, 50));
      uuid = filename.slice(0, 36);
      const response = await fromNginx(service, `/api/image/${id}/file`);
      await service.stop();
      expect([response.status, codeOf(response.text)]).to.deep.equal([404, 'image_not_found']);
      expect(response.headers).not.to.have.any.keys(
        'etag',
        'last-modified',
        'repr-digest',
        'x-accel-redirect',
      );
    });
  });

  describe('in front of several services', severalServices);
});

function sameResponses(): void {
  let direct: TestService;
  let fronted: TestService;
  let opened: number;
  let png: Buffer;
  let record: ImageRecord;

  before(async () => {
    let storage: TestStorage | undefined;
    const openStorage: OpenStorage = async (clock) => {
      storage ??= await openSqliteAndFiles(clock);
      return storage;
    };
    // The service behind nginx stops last and removes the storage.
    direct = await TestService.start({
      openStorage: async (clock) => ({ ...(await openStorage(clock)), tearDown: async () => undefined }),
    });
    fronted = await startBehindNginx({
      openStorage,
      modules: [
        wrapping(TOKENS.blobs, (blobs) =>
          intercepted(blobs, (method, proceed) => {
            if (method === 'open') opened += 1;
            return proceed();
          }),
        ),
      ],
    });
    png = await noisyPng(150, 100);
    record = await direct.upload(png, 'kätzchen.png');
    await direct.putJson('/api/names/hero', JSON.stringify({ id: record.id }));
  });

  after(async () => {
    await direct.stop();
    await fronted.stop();
  });

  // What else GET and HEAD return is in the contract that both services meet: this is every header of theirs.
  const requests: ReadonlyArray<readonly [what: string, headers: () => object, query?: string]> = [
    ['the whole as attachment', () => ({}), '?download=true'],
    ['the whole to another origin', () => ({ Origin: 'https://app.example.com' })],
    ['one range with If-Range', () => ({ Range: 'bytes=10-99', 'If-Range': `"${record.sha256}"` })],
    ['If-None-Match that holds', () => ({ 'If-None-Match': `"${record.sha256}"` })],
  ];
  for (const [what, headers, query = ''] of requests) {
    for (const method of ['get', 'head'] as const) {
      it(`for ${method.toUpperCase()} of ${what}`, async () => {
        for (const address of [`/api/image/${record.id}/file`, '/api/names/hero/file']) {
          const set = { 'X-Request-Id': 'the-same', ...headers() };
          const path = address + query;
          const [expected, got] = [await direct[method](path).set(set), await fronted[method](path).set(set)];
          expect([got.status, ofTheService(got)]).to.deep.equal([expected.status, ofTheService(expected)]);
          expect(got.body).to.deep.equal(expected.body);
        }
      });
    }
  }

  it('for the record, whose ETag does not cause 304', async () => {
    const set = { 'X-Request-Id': 'the-same', 'If-None-Match': `"${record.sha256}"` };
    const path = `/api/image/${record.id}`;
    const [expected, got] = [await direct.get(path).set(set), await fronted.get(path).set(set)];
    expect([got.status, ofTheService(got)]).to.deep.equal([200, ofTheService(expected)]);
  });

  it('without the service opening the file', async () => {
    opened = 0;
    const response = await fronted.get(`/api/image/${record.id}/file`);
    expect(response.body).to.deep.equal(png);
    expect(opened).to.equal(0);
    expect(response.headers).not.to.have.property('x-accel-redirect');
  });
}

let service: TestService;
let nginx: Nginx;
let png: Buffer;
let record: ImageRecord;
let uuid: string;

function expectRefusal(response: Response, status: number, code: string): void {
  expect([response.status, codeOf(response.text)]).to.deep.equal([status, code]);
  expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(response.headers['access-control-allow-origin']).to.equal('*');
  expect(response.headers['x-request-id']).to.match(/^[A-Za-z0-9._-]{1,128}$/);
}

function oneService(): void {
  before(async () => {
    service = await startBehindNginx({
      maxFileBytes: 50 * MIB,
      openFront: async (port, storage) => {
        nginx = await Nginx.start({ upstreams: [port], blobFolder: blobFolderOf(storage) });
        return nginx;
      },
    });
    png = await noisyPng(150, 100);
  });

  beforeEach(async () => {
    record = await service.upload(png);
    uuid = record.filename.slice(0, 36);
  });

  after(() => service.stop());

  it('is accepted without a warning', () => {
    const { stderr } = spawnSync('nginx', [...nginxArguments(nginx.folder, ''), '-t'], {
      encoding: 'utf8',
    });
    expect(stderr, stderr).to.contain('test is successful').and.not.to.contain('[warn]');
  });

  it('forwards an upload of the maximum size without a temporary file', async () => {
    const { size } = await service.upload(await jpegOfSize(50 * MIB));
    expect(size).to.equal(50 * MIB);
    expect(nginx.errorLog).not.to.contain('buffered to a temporary file');
  });

  it('adds a request id if the client sends none and returns the same id', async () => {
    const { headers } = await service.get(`/api/image/${record.id}`);
    const { requestId } = await service.log.entry(({ path }) => path === `/api/image/${record.id}`);
    expect(headers['x-request-id']).to.equal(requestId);
  });

  uploads(() => ({ service, png }));

  malformedRequests();

  it('serves no internal path, with or without a token', async () => {
    const path = `${PREFIX}${uuid.slice(0, 2)}/${uuid}`;
    expectRefusal(await service.anonymous('get', path), 404, 'not_found');
    expectRefusal(await service.get(path), 404, 'not_found');
    expectRefusal(await service.get(PREFIX), 404, 'not_found');
  });

  it('does not let a path traverse into the blob folder', async () => {
    const connection = await service.connect();
    connection.send(requestHead('GET', `/api/..${PREFIX}${uuid.slice(0, 2)}/${uuid}`));
    const { status } = await connection.response();
    connection.close();
    expect(status).to.equal(404);
  });

  it('forwards a path unchanged', async () => {
    const response = await service.get('/api//images');
    expect([response.status, codeOf(response.text)]).to.deep.equal([404, 'not_found']);
  });

  it('logs paths without their queries', async () => {
    await service.get(`/api/image/${record.id}/file?access_token=secret`);
    const isLogged = (log: string): boolean =>
      log.includes(`"path":"/api/image/${record.id}/file","status":400`);
    const log = await eventually(() => readFile(join(nginx.folder, 'access.log'), 'utf8'), isLogged);
    expect(log).to.satisfy(isLogged).and.not.to.contain('secret');
  });
}

function malformedRequests(): void {
  it('returns 431 in JSON for a header that is too large', async () => {
    const response = await service.get('/').set('X-Large', 'x'.repeat(20_000));
    expectRefusal(response, 431, 'invalid_request');
  });

  for (const target of [
    '/%',
    '/api/%00',
    '/d/%zz',
    '/api/../..',
    '*',
    'x',
    '/a b',
    `/${'a'.repeat(17_000)}`,
  ]) {
    it(`returns an error in JSON for the target ${target.slice(0, 12)}`, async () => {
      const connection = await RawConnection.open(nginx.port);
      connection.send(requestHead('GET', target));
      const { status, body, headers } = await connection.response();
      connection.close();
      expect([status, codeOf(body)]).to.deep.equal([target.length > 100 ? 414 : 400, 'invalid_request']);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    });
  }

  it('returns 400 in JSON for an unknown version of HTTP, and for an unknown encoding', async () => {
    for (const head of ['GET / HTTP/3.0', 'POST / HTTP/1.1\r\nTransfer-Encoding: x']) {
      const connection = await RawConnection.open(nginx.port);
      connection.send(`${head}\r\nHost: a\r\n\r\n`);
      const { status, body } = await connection.response();
      connection.close();
      expect([status, codeOf(body)]).to.deep.equal([400, 'invalid_request']);
    }
  });

  for (const path of ['/api', '/d']) {
    it(`forwards ${path} instead of a redirect to the host that the client names`, async () => {
      const response = await service.get(path).set('Host', 'attacker.example');
      expect([response.status, codeOf(response.text)]).to.deep.equal([404, 'not_found']);
    });
  }

  it('logs the method of a request that it refuses', async () => {
    await service.anonymous('post', `${PREFIX}logged`);
    const isLogged = (log: string): boolean => log.includes(`"method":"POST","path":"${PREFIX}logged"`);
    const log = await eventually(() => readFile(join(nginx.folder, 'access.log'), 'utf8'), isLogged);
    expect(log).to.satisfy(isLogged);
  });
}

function uploads(behindNginx: () => { readonly service: TestService; readonly png: Buffer }): void {
  it('forwards 401 to an upload before its body is sent', async () => {
    const { service, png } = behindNginx();
    const connection = await service.connect();
    connection.send(uploadHead(service, { Authorization: '', 'Content-Length': 20 * MIB }));
    connection.send(openMultipart([filePart(png)]));
    const { status, body } = await connection.response();
    connection.close();
    expect([status, codeOf(body)]).to.deep.equal([401, 'credentials_required']);
  });

  it('leaves no orphaned files of an upload whose client disconnects', async () => {
    const { service, png } = behindNginx();
    const connection = await service.connect();
    connection.send(uploadHead(service, { 'Content-Length': 20 * MIB }));
    connection.send(openMultipart([filePart(png)]));
    connection.abandon();
    await service.log.entry(({ msg }) => msg === 'client left');
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('returns 413 in JSON for a body larger than any upload', async () => {
    const { service } = behindNginx();
    const connection = await service.connect();
    connection.send(uploadHead(service, { 'Content-Length': 51 * MIB + 1 }));
    const { status, body, headers } = await connection.response();
    connection.close();
    expect([status, codeOf(body)]).to.deep.equal([413, 'file_too_large']);
    expect(headers).to.include({
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    });
  });
}

function uploadHead(service: TestService, headers: Readonly<Record<string, string | number>>): string {
  return requestHead('POST', '/api/upload', {
    Authorization: service.bearer,
    'Content-Type': FORM_TYPE,
    ...headers,
  });
}

function severalServices(): void {
  afterEach(async () => {
    for (const one of running) await one.stop();
    running.clear();
  });

  it('keeps working with the remaining services', async () => {
    const [gone, alive] = [await startService(), await startService()];
    const url = await nginxInFrontOf([gone.port, alive.port]);
    running.delete(gone);
    await gone.stop();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const form = new Uint8Array(multipart([filePart(await noisyPng(20, 20))]));
      const headers = { Authorization: alive.bearer, 'Content-Type': FORM_TYPE };
      statuses.push((await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form })).status);
    }
    expect(statuses).to.deep.equal(statuses.map(() => 201));
  });

  it('returns 502 in JSON with Retry-After if no service is left', async () => {
    const gone = await startService();
    const url = await nginxInFrontOf([gone.port]);
    running.delete(gone);
    await gone.stop();
    const response = await fetch(`${url}/api/images`);
    expect([response.status, codeOf(await response.text())]).to.deep.equal([502, 'bad_gateway']);
    expect(response.headers.get('retry-after')).to.equal('5');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('tries another service if one dies during a GET', async () => {
    const [first, second] = [await failingServer(hangUp), await failingServer(hangUp)];
    const url = await nginxInFrontOf([portOf(first), portOf(second)]);
    expect((await fetch(`${url}/api/images`)).status).to.equal(502);
    expect(first.seen.length + second.seen.length).to.equal(2);
  });

  it('never repeats an upload', async () => {
    const [first, second] = [await failingServer(hangUp), await failingServer(hangUp)];
    const url = await nginxInFrontOf([portOf(first), portOf(second)]);
    const form = new Uint8Array(multipart([filePart(await noisyPng(20, 20))]));
    const headers = { 'Content-Type': FORM_TYPE };
    const response = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form });
    expect(response.status).to.equal(502);
    expect(first.seen.length + second.seen.length).to.equal(1);
  });

  requestsSentOnce();
}

function requestsSentOnce(): void {
  for (const [method, path] of [...sentOnce, ...linksAndNames]) {
    for (const [status, code, what, fault] of FAULTS) {
      it(`does not repeat ${method} ${path} if a service ${what}`, async () => {
        const [first, second] = [await failingServer(fault), await failingServer(fault)];
        // One that dies in time on a slow machine as well.
        const changes = fault === isSilent ? SHORT_READS : [];
        const url = await nginxInFrontOf([portOf(first), portOf(second)], changes);
        const response = await fetch(`${url}${path}`, { method });
        expect([response.status, response.headers.get('retry-after')]).to.deep.equal([status, '5']);
        if (method !== 'HEAD') expect(codeOf(await response.text())).to.equal(code);
        // nginx may give up before this process has read what it was sent.
        const seen = await eventually(
          () => [...first.seen, ...second.seen],
          ({ length }) => length > 0,
        );
        expect(seen).to.have.length(1);
      });
    }
  }

  it('sends PUT of a name, with its body, to a remaining service', async () => {
    const [gone, alive] = [await startService(), await startService()];
    const { id } = await alive.upload(await noisyPng(80, 60));
    const url = await nginxInFrontOf([gone.port, alive.port]);
    running.delete(gone);
    await gone.stop();
    const headers = { Authorization: alive.bearer, 'Content-Type': 'application/json' };
    const request = { method: 'PUT', headers, body: JSON.stringify({ id }) };
    const statuses: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      statuses.push((await fetch(`${url}/api/names/${name}`, request)).status);
    }
    expect(statuses).to.deep.equal([201, 201, 201]);
  });

  for (const [method, path] of sentOnce) {
    it(`sends ${method} ${path} to a remaining service`, async () => {
      const [gone, alive] = [await startService(), await startService()];
      const record = await alive.upload(await noisyPng(80, 60));
      const url = await nginxInFrontOf([gone.port, alive.port]);
      running.delete(gone);
      await gone.stop();
      const headers = { Authorization: alive.bearer };
      const ofRecord = path.replace('/1', `/${record.id}`);
      const statuses: number[] = [];
      for (let count = 0; count < 2; count += 1) {
        statuses.push((await fetch(`${url}${ofRecord}`, { method, headers })).status);
      }
      expect(statuses).to.deep.equal(method === 'DELETE' ? [204, 404] : [200, 200]);
    });
  }
}

async function nginxInFrontOf(
  upstreams: readonly number[],
  changes: NginxSettings['changes'] = [],
): Promise<string> {
  const nginx = await Nginx.start({ upstreams, blobFolder: '/nonexistent', changes });
  running.add(nginx);
  return `http://127.0.0.1:${nginx.port}`;
}

async function failingServer(onRequest: Step): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(onRequest);
  running.add(server);
  return server;
}

function portOf({ url }: { readonly url: string }): number {
  return Number(new URL(url).port);
}

async function startService(): Promise<TestService> {
  const started = await TestService.start();
  running.add(started);
  return started;
}
