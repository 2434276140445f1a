import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { isNginxInstalled, Nginx } from '../support/servers/nginx.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { ScriptedServer } from '../support/servers/scripted-server.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const describeWithNginx = describeIf(isNginxInstalled(), 'nginx is not installed');

interface AccessLine {
  readonly path: string;
  readonly status: number;
  readonly upstream: string;
  readonly cache: string;
}

/** The lines of requests for paths that begin so, once there are as many. */
async function accessLog(nginx: Nginx, path: string, count: number): Promise<readonly AccessLine[]> {
  return await eventually(
    async () => {
      const lines = (await readFile(join(nginx.folder, 'access.log'), 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as AccessLine).filter((line) => line.path.startsWith(path));
    },
    (lines) => lines.length >= count,
  );
}

/** The status for exactly this path: `fetch` would normalize it. */
async function statusOf(port: number, path: string): Promise<number> {
  const connection = await RawConnection.open(port);
  connection.send(requestHead('GET', path));
  const { status } = await connection.response();
  connection.close();
  return status;
}

/** The name `hero` of the first image. */
async function setPublic(isPublic: boolean): Promise<void> {
  const { status } = await catalog.request('api/names/hero', {
    method: 'PUT',
    body: JSON.stringify({ id: 1, public: isPublic }),
    headers: { 'content-type': 'application/json' },
  });
  expect(status).to.be.oneOf([200, 201]);
}

let catalog: RunningCatalog;
let nginx: Nginx;
let url: string;
let png: Buffer<ArrayBuffer>;

describeWithNginx('deploy/nginx.conf with the web listener', () => {
  before(async () => {
    png = Buffer.from(await noisyPng(300, 200));
  });

  beforeEach(async () => {
    const env = {
      WEB_HOST: '127.0.0.1',
      WEB_PORT: '0',
      WEB_URL: 'https://cats.example.com/',
      PUBLISH_NAMES: 'true',
    };
    catalog = await RunningCatalog.start({ env });
    const webPort = catalog.logged(({ msg }) => msg === 'web listening')[0]?.['port'];
    nginx = await Nginx.start({
      upstreams: [catalog.port],
      webUpstreams: [Number(webPort)],
      blobFolder: catalog.paths.blobs,
    });
    url = `http://127.0.0.1:${nginx.port}`;
    await catalog.client().upload(png, 'cat.png');
  });

  afterEach(async () => {
    await nginx.stop();
    await catalog.stop();
  });

  it('serves pages to share, and logs nothing of their signatures', async () => {
    const made = await fetch(new URL('api/images/links', catalog.url), {
      method: 'POST',
      body: JSON.stringify({ ids: [1], page: { title: 'Cats' } }),
      headers: { authorization: `Bearer ${catalog.token()}`, 'content-type': 'application/json' },
    });
    const { page } = (await made.json()) as { page: string };
    const path = new URL(page).pathname;
    const response = await fetch(`${url}${path}`);
    expect([response.status, response.headers.get('cache-control')]).to.deep.equal([
      200,
      'private, no-store',
    ]);
    expect(await response.text()).to.include('<h1>Cats</h1>');
    const refused = await fetch(`${url}${path}x`, { headers: { accept: 'text/html' } });
    expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
      403,
      'text/html; charset=utf-8',
    ]);
    const [line] = await accessLog(nginx, '/s/', 2);
    expect(line?.path).to.equal('/s/...');
  });

  it('serves the gallery, the API reference and the API under one origin', async () => {
    const requests: ReadonlyArray<readonly [path: string, status: number, type: string]> = [
      ['/', 200, 'text/html; charset=utf-8'],
      ['/docs/', 200, 'text/html; charset=utf-8'],
      ['/config.json', 200, 'application/json; charset=utf-8'],
      ['/api/images', 401, 'application/json; charset=utf-8'],
      ['/api/nowhere', 401, 'application/json; charset=utf-8'],
      ['/nowhere', 404, 'application/json; charset=utf-8'],
    ];
    for (const [path, status, type] of requests) {
      const response = await fetch(`${url}${path}`);
      expect([path, response.status, response.headers.get('content-type')]).to.deep.equal([
        path,
        status,
        type,
      ]);
    }
    const assets = /assets\/gallery-[\w-]+\.js/.exec(await (await fetch(url)).text())?.[0];
    const script = await fetch(`${url}/${assets}`, { headers: { 'accept-encoding': 'gzip' } });
    expect([script.headers.get('content-encoding'), script.headers.get('vary')]).to.deep.equal([
      'gzip',
      'Accept-Encoding',
    ]);
  });

  hotLinks();

  it('says for a cold link that the service is unavailable, to pages of all origins and to no cache', async () => {
    const path = await catalog.client().link(1);
    await catalog.process.stop();
    const response = await fetch(`${url}${path}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      502,
      'bad_gateway',
    ]);
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('retry-after')).to.equal('5');
  });

  it('says for a link to a name what is true of all links, also if the service is unavailable', async () => {
    const refused = await fetch(`${url}/n/1/hero/original/1/${'A'.repeat(43)}`);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      403,
      'link_invalid',
    ]);
    await catalog.process.stop();
    const { status, headers } = await fetch(`${url}/n/1/hero/original/1/${'A'.repeat(43)}`);
    expect([status, headers.get('access-control-allow-origin'), headers.get('cache-control')]).to.deep.equal([
      502,
      '*',
      'no-store',
    ]);
  });

  publicAddresses();

  logs();
});

function publicAddresses(): void {
  it('forwards a public address with its query, the formats of the client, and no token', async () => {
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', accept: 'image/webp' };
    const refused = await fetch(`${url}/p/1/hero?width=16&format=auto`, { headers });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      404,
      'name_not_found',
    ]);
    await setPublic(true);
    const shown = await fetch(`${url}/p/1/hero?width=16&format=auto`, { headers });
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('vary')]).to.deep.equal([
      200,
      'image/webp',
      'Accept',
    ]);
    expect(shown.headers.get('cache-control')).to.equal('public, max-age=60');
    await setPublic(false);
    expect((await fetch(`${url}/p/1/hero?width=16&format=auto`)).status).to.equal(404);
    await catalog.process.stop();
    const gone = await fetch(`${url}/p/1/hero`);
    expect([gone.status, gone.headers.get('access-control-allow-origin')]).to.deep.equal([502, '*']);
    expect(gone.headers.get('cache-control')).to.equal('no-store');
  });
}

function logs(): void {
  it('logs no signature of a link', async () => {
    const path = await catalog.client().link(1);
    await fetch(`${url}${path}`);
    await fetch(`${url}${path}?a=b`);
    const signature = path.split('/').at(-1) ?? '';
    for (const altered of [
      `/${path}`,
      `/%64${path.slice(2)}`,
      path.replace('/original', ''),
      `/d/${signature}/a/b/c`,
      `/n/1/hero/original/1/${signature}`,
      `/n/1/hero/original/${signature}`,
    ]) {
      await statusOf(nginx.port, altered);
    }
    await statusOf(nginx.port, path.slice(0, -8));
    await statusOf(nginx.port, '/docs/');
    const lines = await accessLog(nginx, '/', 10);
    const log = await readFile(join(nginx.folder, 'access.log'), 'utf8');
    expect(signature).to.have.length(43);
    expect(lines[0]?.path).to.equal(`${path.slice(0, -43)}...`);
    expect(lines.at(-1)?.path).to.equal('/docs/');
    expect(log).not.to.include(signature.slice(0, 30));
  });
}

function hotLinks(): void {
  it('serves a hot link without the service, with ranges and conditions', async () => {
    const path = await catalog.client().link(1, { width: 64, format: 'webp' });
    const first = await fetch(`${url}${path}`, { headers: { 'x-request-id': 'first' } });
    const bytes = Buffer.from(await first.arrayBuffer());
    await catalog.process.stop();

    const second = await fetch(`${url}${path}`, { headers: { 'x-request-id': 'second' } });
    expect(second.status).to.equal(200);
    expect(Buffer.from(await second.arrayBuffer()).equals(bytes)).to.equal(true);
    expect(second.headers.get('x-request-id')).to.equal('second');
    for (const [name, value] of first.headers) {
      if (!['x-request-id', 'connection', 'keep-alive'].includes(name)) {
        expect([name, second.headers.get(name)]).to.deep.equal([name, value]);
      }
    }
    expect(second.headers.get('cache-control')).to.match(/^public, max-age=\d+, immutable$/);

    const tag = String(first.headers.get('etag'));
    const unchanged = await fetch(`${url}${path}`, { headers: { 'if-none-match': tag } });
    expect([unchanged.status, unchanged.headers.get('cache-control')]).to.deep.equal([
      304,
      first.headers.get('cache-control'),
    ]);

    const range = await fetch(`${url}${path}`, { headers: { range: 'bytes=10-19' } });
    expect([range.status, range.headers.get('content-range')]).to.deep.equal([
      206,
      `bytes 10-19/${bytes.length}`,
    ]);
    expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(10, 20))).to.equal(true);

    const head = await fetch(`${url}${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(bytes.length)]);
  });

  it('cuts a range from the whole also at the first request', async () => {
    const path = await catalog.client().link(1);
    const range = await fetch(`${url}${path}`, { headers: { range: 'bytes=-5' } });
    expect([range.status, Buffer.from(await range.arrayBuffer())]).to.deep.equal([206, png.subarray(-5)]);
    await catalog.process.stop();
    const whole = await fetch(`${url}${path}`);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(png)]).to.deep.equal([200, true]);
  });

  it('sends one request to the service for many clients', async () => {
    const path = await catalog.client().link(1, { width: 128, format: 'webp' });
    const responses = await Promise.all(Array.from({ length: 12 }, () => fetch(`${url}${path}`)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(12);
    const lines = await accessLog(nginx, '/d/1/', 12);
    expect(lines.filter(({ upstream }) => upstream !== '')).to.have.length(1);
    expect(lines.filter(({ cache }) => cache === 'HIT')).to.have.length(11);
  });

  it('keeps no error, and another spelling of a hot link is refused', async () => {
    const path = await catalog.client().link(1);
    expect((await fetch(`${url}${path}`)).status).to.equal(200);
    const last = path.at(-1) === 'A' ? 'B' : 'A';
    const refused: ReadonlyArray<readonly [path: string, status: number]> = [
      [`${path.slice(0, -1)}${last}`, 403],
      [path.replace('/d/1/', '/d/%31/'), 403],
      [`${path}?a=b`, 403],
      [path.replace('/d/1/', '/d//1/'), 404],
      [path.replace('/d/1/', '/d/./1/'), 404],
    ];
    for (const [wrong, status] of refused) {
      for (let count = 0; count < 2; count += 1) {
        expect([wrong, await statusOf(nginx.port, wrong)]).to.deep.equal([wrong, status]);
      }
    }
    const lines = (await accessLog(nginx, '/d/', 11)).filter(({ status }) => status !== 200);
    expect(lines.map(({ upstream }) => upstream !== '')).to.deep.equal(refused.flatMap(() => [true, true]));
  });
}

describeWithNginx('the cache of deploy/nginx.conf', () => {
  const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';
  let upstream: ScriptedServer;
  let nginx: Nginx;
  let caching: string;

  beforeEach(async () => {
    upstream = await ScriptedServer.start((response) => {
      response.sendDate = false;
      response.writeHead(200, { 'Cache-Control': caching, Date: DATE }).end('cat');
    });
    const port = Number(new URL(upstream.url).port);
    const webUpstreams = [port, await lastingPort()];
    nginx = await Nginx.start({ upstreams: [port], webUpstreams, blobFolder: '/nowhere' });
  });

  afterEach(async () => {
    await nginx.stop();
    await upstream.stop();
  });

  /** The dates of two responses, and how many of them are those of the service. */
  async function twice(path: string): Promise<readonly [dates: readonly (string | null)[], asked: number]> {
    const before = upstream.seen.length;
    const address = `http://127.0.0.1:${nginx.port}${path}`;
    const responses = [await fetch(address), await fetch(address)];
    return [responses.map(({ headers }) => headers.get('date')), upstream.seen.length - before];
  }

  it('keeps what the service allows, with the time of the service', async () => {
    caching = 'public, max-age=60, immutable';
    expect(await twice('/d/1/320/1/mac')).to.deep.equal([[DATE, DATE], 1]);
  });

  it('keeps nothing of a link that is over, nor what the service forbids', async () => {
    for (const value of ['public, max-age=0, immutable', 'no-store', 'private, max-age=60']) {
      caching = value;
      const [, asked] = await twice(`/d/1/320/1/${encodeURIComponent(value)}`);
      expect([value, asked]).to.deep.equal([value, 2]);
    }
  });

  it('asks the remaining process if one is gone', async () => {
    caching = 'no-store';
    const address = `http://127.0.0.1:${nginx.port}/d/1/320/1/mac`;
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await fetch(address)).status);
    expect([statuses, upstream.seen.length]).to.deep.equal([[200, 200, 200], 3]);
  });

  it('keeps nothing of other paths', async () => {
    caching = 'public, max-age=60, immutable';
    for (const path of [
      '/',
      '/assets/gallery-01234567.js',
      '/api/image/1',
      '/n/2/hero/320/1/mac',
      '/p/2/hero?width=320',
    ]) {
      const [, asked] = await twice(path);
      expect([path, asked]).to.deep.equal([path, 2]);
    }
  });
});
