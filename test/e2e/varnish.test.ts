import { expect } from 'chai';
import { hangUp, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { isVarnishInstalled, Varnish } from '../support/servers/varnish.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';

const describeWithVarnish = describeIf(isVarnishInstalled(), 'varnishd is not installed');

let upstream: ScriptedServer;
let varnish: Varnish;
let respond: Step;
let requests: string[];

function respondWith(headers: Record<string, string>, status = 200): void {
  respond = (response) => response.writeHead(status, { 'Content-Length': '3', ...headers }).end('cat');
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(varnish.url + path, { headers });
  await response.arrayBuffer();
  return response;
}

async function purge(tags?: string): Promise<number> {
  const headers: Record<string, string> = tags === undefined ? {} : { xkey: tags };
  return (await fetch(varnish.purgeUrl, { method: 'PURGE', headers })).status;
}

describeWithVarnish('the cache of deploy/varnish.vcl', () => {
  before(async () => {
    upstream = await ScriptedServer.start((response, request) => {
      if (request.url === '/config.json') return void response.end('{}');
      requests.push(`${request.method} ${request.url}`);
      respond(response, request);
    });
    varnish = await Varnish.start(Number(new URL(upstream.url).port));
  });

  beforeEach(async () => {
    requests = [];
    await purge();
  });

  after(async () => {
    await varnish?.stop();
    await upstream.stop();
  });

  it('keeps a link to a name for the time of CDNs, and shows neither that time nor the tags', async () => {
    respondWith({
      'Cache-Control': 'public, max-age=0',
      'CDN-Cache-Control': 'public, max-age=600',
      xkey: 'image-1 name-2',
      ETag: '"a"',
    });
    await get('/n/2/hero/original/1/mac');
    const { headers } = await get('/n/2/hero/original/1/mac', { 'x-request-id': 'second', cookie: 'a=b' });

    expect(requests).to.deep.equal(['GET /n/2/hero/original/1/mac']);
    expect(headers.get('cache-control')).to.equal('public, max-age=0');
    expect(headers.get('x-request-id')).to.equal('second');
    const hidden = ['cdn-cache-control', 'xkey', 'via', 'x-varnish'];
    expect(hidden.filter((name) => headers.has(name))).to.deep.equal([]);
    expect((await get('/n/2/hero/original/1/mac', { 'if-none-match': '"a"' })).status).to.equal(304);
  });

  it('forgets what has one of the tags, and nothing else', async () => {
    for (const [path, tags] of [
      ['/d/1/original/1/mac', 'image-1'],
      ['/n/2/hero/original/1/mac', 'image-1 name-2'],
      ['/n/3/logo/original/1/mac', 'image-12 name-3'],
    ] as const) {
      respondWith({ 'Cache-Control': 'public, max-age=600', xkey: tags });
      await get(path);
    }
    const paths = [...requests];
    const fetched = async (tags?: string): Promise<readonly number[]> => {
      expect(await purge(tags)).to.equal(200);
      requests = [];
      for (const path of paths) await get(path.slice('GET '.length));
      return paths.flatMap((path, at) => (requests.includes(path) ? [at] : []));
    };

    respond = (response, request) => {
      const tags = request.url.startsWith('/n/3/') ? 'image-12 name-3' : 'image-1 name-2';
      response.writeHead(200, { 'Cache-Control': 'public, max-age=600', xkey: tags }).end();
    };
    expect(await fetched('image-3')).to.deep.equal([]);
    expect(await fetched('image-1')).to.deep.equal([0, 1]);
    expect(await fetched('name-3 image-99')).to.deep.equal([2]);
    expect(await fetched()).to.deep.equal([0, 1, 2]);
  });

  it('takes purges at its own listener alone', async () => {
    respondWith({ 'Cache-Control': 'public, max-age=600', xkey: 'image-1' });
    await get('/d/1/original/1/mac');
    respondWith({}, 405);
    const refused = await fetch(varnish.url, { method: 'PURGE', headers: { xkey: 'image-1' } });
    await get('/d/1/original/1/mac');

    expect(refused.status).to.equal(405);
    expect(requests).to.deep.equal(['GET /d/1/original/1/mac', 'PURGE /']);
    expect((await fetch(`${varnish.purgeUrl}d/1/original/1/mac`)).status).to.equal(405);
  });

  it('keeps no error, no other path, and nothing with a query', async () => {
    const tagged = { 'Cache-Control': 'public, max-age=600', xkey: 'image-1' };
    respondWith({ 'Cache-Control': 'no-store' }, 404);
    for (let count = 0; count < 2; count += 1) await get('/n/2/gone/original/1/mac');
    respondWith(tagged);
    expect((await get('/n/2/gone/original/1/mac')).status).to.equal(200);
    for (const path of ['/', '/s/a/1/mac', '/d/1/original/1/mac?a']) {
      requests = [];
      for (let count = 0; count < 2; count += 1) await get(path);
      expect(requests, path).to.have.length(2);
    }
  });

  publicPictures();

  it('cuts ranges from the whole', async () => {
    respondWith({ 'Cache-Control': 'public, max-age=600', ETag: '"a"', 'Accept-Ranges': 'bytes' });
    const part = await fetch(`${varnish.url}/d/1/original/1/mac`, { headers: { range: 'bytes=1-' } });

    expect([part.status, await part.text()]).to.deep.equal([206, 'at']);
    expect((await get('/d/1/original/1/mac')).status).to.equal(200);
    expect(requests).to.have.length(1);
  });

  it('says that the service is unavailable, to pages of all origins and to no cache', async () => {
    respond = hangUp;
    const response = await fetch(`${varnish.url}/d/1/original/1/mac`);

    expect(response.status).to.equal(502);
    expect(await response.text()).to.match(/^{"code":"bad_gateway","message":"[^"]+"}$/);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
  });
});

function publicPictures(): void {
  it('keeps a public picture once for each width and format, in whatever order they are written', async () => {
    respondWith({ 'Cache-Control': 'public, max-age=60', 'CDN-Cache-Control': 'public, max-age=600' });
    const paths = ['', '?width=320', '?format=webp', '?width=320&format=webp', '?width=640'];
    for (const query of paths) await get(`/p/2/hero${query}`);
    expect(new Set(requests)).to.have.length(paths.length);
    requests = [];
    for (const query of [...paths, '?format=webp&width=320']) {
      await get(`/p/2/hero${query}`, { authorization: 'Bearer a', cookie: 'a=b', accept: 'text/html' });
    }

    expect(requests).to.deep.equal([]);
  });

  it('keeps a public picture in an automatic format once for each set of formats that clients name', async () => {
    respondWith({ 'Cache-Control': 'public, max-age=600', Vary: 'Accept' });
    const clients = [
      'image/avif,image/webp,*/*;q=0.8',
      'text/html, IMAGE/WEBP, image/avif;q=0.9',
      'image/webp,image/apng',
      'image/webp;q=1, image/avif;q=0.0, image/png',
      '*/*',
      'image/png',
    ];
    const asked: number[] = [];
    for (const accept of clients) {
      await get('/p/2/hero?width=320&format=auto', { accept });
      asked.push(requests.length);
    }

    expect(asked).to.deep.equal([1, 1, 2, 2, 3, 3]);
  });

  it('keeps no public picture under a spelling that strangers could vary', async () => {
    respondWith({ 'Cache-Control': 'public, max-age=600' });
    const queries = [
      '?a=b',
      '?width=320&a=b',
      '?w%69dth=320',
      '?width=320&format=webp&width=320',
      '?width=320&',
    ];
    for (const query of queries) {
      requests = [];
      for (let count = 0; count < 2; count += 1) await get(`/p/2/hero${query}`);
      expect(requests, query).to.have.length(2);
    }
  });
}
