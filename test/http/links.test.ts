import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { RenditionTooLarge } from '../../src/domain/errors.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { MAX_RENDITION_BYTES } from '../../src/domain/image/rendition.ts';
import { type Link, linkPath, signedText } from '../../src/domain/link/signed-link.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { SIGNER } from '../support/doubles/links.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegPicture, noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import type { TestServiceOptions } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { type Served, startServed } from '../support/http/web-listener.ts';
import { wrapMaker } from '../support/http/wrap-maker.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

/** A path in it is taken off by the proxy. */
const WEB_URL = 'https://cats.example.com/gallery/';

let png: Buffer;

before(async () => {
  png = await noisyPng(120, 90);
});

const served = startFor('all', () => start());
let record: ImageRecord;

async function start(options: TestServiceOptions = {}): Promise<Served> {
  return await startServed({ webUrl: WEB_URL, ...options });
}

/** The path of a link that the API has made, on the web listener. */
async function linkTo(
  id: number,
  rendition: object = {},
  { of = served, ttlSeconds = 3600 } = {},
): Promise<string> {
  const body = JSON.stringify({ ids: [id], renditions: [rendition], ttlSeconds });
  const response = await of.service.postJson('/api/images/links', body);
  const url = (response.body as { images?: Record<string, readonly string[]> }).images?.[id]?.[0];
  if (url === undefined) throw new Error(`No link: ${response.status} ${response.text}`);
  return url.replace(WEB_URL, '/');
}

/** A link that is signed with the present key, whatever it says. */
async function signed(link: Partial<Link> = {}, { filename, id } = record): Promise<string> {
  const [key] = await served.service.container.get(TOKENS.linkKeys).findAll();
  if (key === undefined) throw new Error('There is no key yet');
  const whole = { id, fileName: 'original', expiry: inSeconds(3600), ...link };
  const uuid = parseBlobKey(filename.slice(0, 36));
  return `/${linkPath({ ...whole, mac: SIGNER.sign(key.secret, signedText(whole, uuid)) })}`;
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

function bytesOf(response: Response): Buffer {
  expect([response.status, response.status < 300 ? '' : response.text]).to.deep.equal([response.status, '']);
  return response.body as Buffer;
}

async function refusalOf(request: Test): Promise<readonly [number, string | undefined]> {
  const { status, body, headers } = await request;
  expect(headers).to.include({
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(headers).to.have.property('x-request-id');
  expect(headers).not.to.have.property('etag');
  return [status, (body as { readonly code?: string }).code];
}

function get(path: string, of = served): Test {
  return of.web.get(path);
}

const INVALID = [403, 'link_invalid'];
const [ID, NAME, EXPIRY, MAC] = [2, 3, 4, 5] as const;

const changes: ReadonlyArray<readonly [string, number, (text: string) => string]> = [
  ['another id', ID, (id) => String(Number(id) + 1)],
  ['an id with a leading zero', ID, (id) => `0${id}`],
  ['an escaped id', ID, (id) => `%3${id}`],
  ['an id that is much too large', ID, () => '9'.repeat(400)],
  ['another rendition', NAME, (name) => name.replace('64', '128')],
  ['the original', NAME, () => 'original'],
  ['a download', NAME, (name) => `${name}-download`],
  ['an escaped rendition', NAME, (name) => name.replace('x', '%78')],
  ['a later expiry', EXPIRY, (expiry) => String(Number(expiry) + 1)],
  ['an expiry that is over', EXPIRY, () => '1'],
  ['an expiry with a leading zero', EXPIRY, (expiry) => `0${expiry}`],
  ['a MAC without its last character', MAC, (mac) => mac.slice(0, -1)],
  ['a padded MAC', MAC, (mac) => `${mac}=`],
  ['a longer MAC', MAC, (mac) => `${mac}A`],
  ['a MAC with its first character changed', MAC, (mac) => (mac.startsWith('A') ? 'B' : 'A') + mac.slice(1)],
  ['a MAC with its last bits changed', MAC, twinOf],
  ['an escaped MAC', MAC, (mac) => `%${mac.charCodeAt(0).toString(16)}${mac.slice(1)}`],
  ['another MAC', MAC, () => randomBytes(32).toString('base64url')],
];

describe('A signed link', () => {
  before(async () => {
    record = await served.service.upload(png, 'Käthe.png');
  });

  describe('to a file', serving);
  describe('that is not valid', refusals);
  describe('over time', expiries);
  describe('and its key', keys);
});

function expectCacheable({ headers }: Response, path: string): void {
  const expiry = Number(path.split('/')[4]);
  const [, maxAge] = /^public, max-age=(\d+), immutable$/.exec(headers['cache-control'] ?? '') ?? [];
  expect(Number(maxAge)).to.be.within(
    Math.floor(expiry - Date.now() / 1000),
    expiry - Date.parse(headers['date'] ?? '') / 1000,
  );
}

function serving(): void {
  it('returns the original with the headers for public caches', async () => {
    const path = await linkTo(record.id);
    const response = await get(path);

    expect(bytesOf(response)).to.deep.equal(png);
    expect(response.headers).to.include({
      'content-type': 'image/png',
      'content-length': String(png.length),
      etag: `"${record.sha256}"`,
      'last-modified': new Date(record.createdAt).toUTCString(),
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${Buffer.from(record.sha256, 'hex').toString('base64')}:`,
      'content-disposition': 'inline; filename="K?the.png"; filename*=UTF-8\'\'K%C3%A4the.png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(response.headers).not.to.have.property('vary');
    expectCacheable(response, path);
  });

  it('returns a rendition with the bytes and the ETag that the API gives it', async () => {
    const [linked, direct] = [
      await get(await linkTo(record.id, { width: 64, format: 'webp' })),
      await served.service.get(`/api/image/${record.id}/file?width=64&format=webp`),
    ];

    expect(bytesOf(linked)).to.deep.equal(bytesOf(direct));
    expect(linked.headers['content-type']).to.equal('image/webp');
    expect(linked.headers['etag']).to.equal(direct.headers['etag']);
    expect(linked.headers['content-disposition']).to.equal(`inline; filename="image-${record.id}.webp"`);
  });

  it('returns the clean original that the API gives, under a name that says nothing', async () => {
    const tagged = withExif(await jpegPicture(60, 40), exifBlock({ image: { 0x010e: 'a secret' } }));
    const { id, sha256 } = await served.service.upload(tagged, 'a secret.jpg');
    const path = await linkTo(id, { metadata: 'none' });
    const [linked, direct, download] = [
      await get(path),
      await served.service.get(`/api/image/${id}/file?metadata=none`),
      await get(await linkTo(id, { metadata: 'none', download: true })),
    ];

    expect(bytesOf(linked)).to.deep.equal(bytesOf(direct));
    expect(bytesOf(download)).to.deep.equal(bytesOf(direct));
    expect(linked.headers['etag']).to.equal(direct.headers['etag']);
    expect(linked.headers['content-disposition']).to.equal(`inline; filename="image-${id}.jpg"`);
    expect(download.headers['content-disposition']).to.equal(`attachment; filename="image-${id}.jpg"`);
    expect(JSON.stringify(linked.headers)).not.to.include(sha256).and.not.to.include('secret');
    expectCacheable(linked, path);
  });

  it('does not depend on Accept, Authorization, cookies and Origin', async () => {
    const path = await linkTo(record.id, { width: 64 });
    const response = await get(path).set({
      Accept: 'application/json',
      Authorization: 'Bearer nonsense',
      Cookie: 'a=b',
      Origin: 'https://elsewhere.example.com',
    });

    expect(response.headers['content-type']).to.equal('image/png');
    expect(response.headers).to.include({ 'access-control-allow-origin': '*' });
    expect(response.headers).not.to.have.property('vary');
  });

  it('allows all origins, whatever CORS_ORIGIN says, and is served here even if nginx sends originals', async () => {
    const narrow = await start({
      corsOrigins: ['https://app.example.com'],
      accelRedirectPrefix: '/_blobs/',
      openStorage: openSqliteAndFiles,
    });
    const { id } = await narrow.service.upload(png);
    const response = await get(await linkTo(id, {}, { of: narrow }), narrow);
    await narrow.stop();

    expect(bytesOf(response)).to.deep.equal(png);
    expect(response.headers).not.to.have.property('x-accel-redirect');
    expect(response.headers).to.include({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  conditionsAndRanges();

  sharedWork();

  it('to a rendition that its format cannot hold is 400, only when it is fetched', async () => {
    const tall = await start({ maxPixels: 100_000_000, maxFileBytes: 2_000_000 });
    const { id } = await tall.service.upload(await jpegPicture(1, 16_384));
    const path = await linkTo(id, { format: 'webp' }, { of: tall });
    const refusal = await refusalOf(get(path, tall));
    await tall.stop();

    expect(refusal).to.deep.equal([400, 'invalid_request']);
  });
}

function conditionsAndRanges(): void {
  it('returns 304 to a client that has the bytes', async () => {
    for (const rendition of [{}, { width: 64 }]) {
      const path = await linkTo(record.id, rendition);
      const { headers } = await get(path);
      const response = await get(path).set('If-None-Match', headers['etag'] ?? '');

      expect([response.status, response.text]).to.deep.equal([304, '']);
      expect(response.headers['etag']).to.equal(headers['etag']);
      expect(response.headers).to.include({ 'access-control-allow-origin': '*' });
      expectCacheable(response, path);
    }
  });

  it('returns 416 and 412 as errors that no cache keeps', async () => {
    const path = await linkTo(record.id);

    expect(await refusalOf(get(path).set('Range', 'bytes=999999999-'))).to.deep.equal([
      416,
      'range_not_satisfiable',
    ]);
    expect(await refusalOf(get(path).set('If-Match', '"other"'))).to.deep.equal([412, 'precondition_failed']);
  });

  it('returns 405 for other methods', async () => {
    const path = await linkTo(record.id);
    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      const request = served.web.agent[method](path);

      expect(await refusalOf(request)).to.deep.equal([405, 'method_not_allowed']);
      expect((await request).headers['allow']).to.equal('GET, HEAD');
    }
  });
}

function sharedWork(): void {
  it('is 422 if the rendition has more than 64 MiB', async () => {
    const unwrap = wrapMaker(served.service, () =>
      Promise.reject(new RenditionTooLarge('image/jpeg', 'png', MAX_RENDITION_BYTES)),
    );
    const refusal = await refusalOf(get(await linkTo(record.id, { width: 96, format: 'png' })));
    unwrap();
    expect(refusal).to.deep.equal([422, 'invalid_image']);
  });

  it('is one subject together with all other links', async () => {
    const subjects: string[] = [];
    const unwrap = wrapMaker(served.service, async (make, source, rendition, requester, keep) => {
      subjects.push(requester.subject);
      await make(source, rendition, requester, keep);
    });

    for (const width of [16, 32]) await get(await linkTo(record.id, { width, quality: 5, format: 'jpeg' }));
    await served.service.get(`/api/image/${record.id}/file?width=48&quality=5&format=jpeg`);

    unwrap();
    expect(subjects).to.deep.equal(['["links"]', '["links"]', '["sub","alice"]']);
  });
}

function replaced(path: string, segment: number, change: (text: string) => string): string {
  return path
    .split('/')
    .map((text, place) => (place === segment ? change(text) : text))
    .join('/');
}

/** Decodes to the same bytes: the last two bits of the text mean nothing. */
function twinOf(mac: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = alphabet[alphabet.indexOf(mac.at(-1) ?? '') ^ 1] ?? '';
  expect(Buffer.from(mac.slice(0, -1) + twin, 'base64url')).to.deep.equal(Buffer.from(mac, 'base64url'));
  return mac.slice(0, -1) + twin;
}

/** The status for exactly this target: clients would normalize it. */
async function statusOf(target: string): Promise<number> {
  const connection = await RawConnection.open(served.web.port);
  connection.send(requestHead('GET', target, { Connection: 'close' }));
  const { status } = await connection.response();
  connection.close();
  return status;
}

function refusals(): void {
  for (const [what, segment, change] of changes) {
    it(`because of ${what} is 403`, async () => {
      const path = await linkTo(record.id, { width: 64, format: 'webp' });
      const changed = replaced(path, segment, change);

      expect(changed).not.to.equal(path);
      expect(await refusalOf(get(changed))).to.deep.equal(INVALID);
    });
  }

  it('because of a query is 403', async () => {
    const path = await linkTo(record.id);
    for (const query of ['?a', '?width=64', '?download=true', '?&', '??']) {
      expect(await refusalOf(get(path + query))).to.deep.equal(INVALID);
    }
  });

  impossibleShapes();

  otherSecrets();
}

function impossibleShapes(): void {
  it('because of an empty query is 403', async () => {
    expect(await statusOf(`${await linkTo(record.id)}?`)).to.equal(403);
  });

  it('because it has another shape is 404', async () => {
    const path = await linkTo(record.id);
    const shapes = [`${path}/`, `${path}/more`, path.slice(0, path.lastIndexOf('/')), path.slice(2)];
    for (const shape of [...shapes, `/D${path.slice(2)}`, `/%64${path.slice(2)}`, `/${path}`, '/d', '/d/']) {
      const { status, body } = await get(shape);

      expect([shape, status, (body as { code: string }).code]).to.deep.equal([shape, 404, 'not_found']);
    }
  });

  it('because its path only leads to one is 404, also in an absolute URL', async () => {
    const path = await linkTo(record.id);
    const targets = ['/x/..', '/.', '/%2e'].map((begin) => `http://cats.example.com${begin}${path}`);
    const statuses = [path, `http://cats.example.com${path}`, ...targets].map(statusOf);

    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 404, 404, 404]);
  });
}

function otherSecrets(): void {
  it('and the web listener is not a part of the API listener', async () => {
    const path = await linkTo(record.id);

    expect((await served.service.anonymous('get', path)).status).to.equal(401);
    expect((await served.service.get(path)).status).to.equal(404);
  });

  it('and any other leaves no MAC in the log', async () => {
    const paths = [await linkTo(record.id), await linkTo(record.id, { width: 64 })];
    const macs = paths.map((path) => path.split('/')[MAC] ?? '');
    served.service.log.clear();
    for (const [at, path] of paths.entries()) {
      await get(path);
      await get(`${path}?a`);
      await get(`${path}/more`);
      await get(`/${path}`);
      await get(replaced(path, EXPIRY, () => '1'));
      await get(replaced(path, MAC, (mac) => mac.slice(0, 35)));
      await get(replaced(path, MAC, (mac) => `${mac.slice(0, 36)}/${mac.slice(36)}`));
      await get(replaced(path, MAC, (mac) => `%${mac.charCodeAt(0).toString(16)}${mac.slice(1)}`));
      await served.service.anonymous('get', path);
      expect(macs[at]).to.have.length(43);
    }
    await served.service.idle();

    expect(served.service.log.entries.filter(({ msg }) => msg === 'request').length).to.be.at.least(12);
    for (const mac of macs) expect(served.service.log.text).not.to.include(mac.slice(1, 30));
  });
}

function expiries(): void {
  before(async () => {
    await linkTo(record.id);
  });

  it('is 410 at its expiry, for files, conditions and HEAD', async () => {
    const path = await signed({ expiry: inSeconds(0) });

    expect(await refusalOf(get(path))).to.deep.equal([410, 'link_expired']);
    expect(await refusalOf(get(path).set('If-None-Match', '*'))).to.deep.equal([410, 'link_expired']);
    expect((await served.web.agent.head(path)).status).to.equal(410);
  });

  it('is 404 for a deleted image, and 410 when it is over', async () => {
    const deleted = await served.service.upload(await pngPicture());
    const [path, over] = [await linkTo(deleted.id), await signed({ expiry: inSeconds(-1) }, deleted)];
    expect((await get(path)).status).to.equal(200);
    await served.service.delete(`/api/image/${deleted.id}`);

    expect(await refusalOf(get(path))).to.deep.equal([404, 'image_not_found']);
    expect(await refusalOf(get(over))).to.deep.equal([410, 'link_expired']);
  });
}

function keys(): void {
  const clock = new ManualClock(new Date());
  const own = startFor('all', () => start({ serviceClock: clock }));
  let path: string;

  before(async () => {
    const { id } = await own.service.upload(png);
    path = await linkTo(id, {}, { of: own });
  });

  it('keeps no response in a cache beyond its end, however long the response takes', async () => {
    const rendition = await linkTo(Number(path.split('/')[2]), { width: 16 }, { of: own });
    wrapMaker(own.service, async (make, ...args) => {
      clock.advance(10_000);
      return await make(...args);
    });
    const { headers } = await get(rendition, own);

    const secondsLeft = Math.floor(Number(rendition.split('/')[4]) - clock.now().getTime() / 1000);
    expect(headers['cache-control']).to.equal(`public, max-age=${secondsLeft}, immutable`);
  });
}
