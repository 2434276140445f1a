import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { publicSrcset, publicUrl } from '../../client/src/public.ts';
import { CatalogDatabase } from '../../src/adapters/sql/database/catalog-database.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { RenditionTooLarge } from '../../src/domain/errors.ts';
import { MAX_RENDITION_BYTES } from '../../src/domain/image/rendition.ts';
import { parseName } from '../../src/domain/name/name.ts';
import type { NamePublishing } from '../../src/domain/ports/records/names.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import type { TestServiceOptions } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { type Served, startServed } from '../support/http/web-listener.ts';
import { wrapMaker } from '../support/http/wrap-maker.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const WEB_URL = 'https://cats.example.com/gallery/';
const PUBLISH = { isPublic: true, mayPublish: true };
const SECRET = 'the garden of my grandmother';

let redBytes: Buffer;
let blueBytes: Buffer;

before(async () => {
  redBytes = await noisyPng(120, 90);
  blueBytes = await jpegPicture(80, 60);
});

const served = startFor('all', () => start({ cacheTagHeader: 'Cache-Tag' }));
let red: number;
let blue: number;
/** Of the name `hero`, which is public and shows the red picture before each test. */
let hero: string;

async function start(options: TestServiceOptions = {}): Promise<Served> {
  return await startServed({ webUrl: WEB_URL, publishNames: true, ...options });
}

/** Resolves to the path on the web listener. */
async function point(
  text: string,
  id: number,
  publishing: NamePublishing = PUBLISH,
  of = served,
): Promise<string> {
  const names = of.service.container.get(TOKENS.names).in(COMMON_SPACE);
  const name = parseName(text);
  if (name === undefined) throw new TypeError(`${text} is no name`);
  const { named } = await names.set(name, id, publishing);
  return `/p/${named.number}/${text}`;
}

async function remove(name: string): Promise<void> {
  await served.service.delete(`/api/names/${name}`).expect(204);
}

function get(path: string, headers: Record<string, string> = {}, of = served): Test {
  return of.web.get(path).set(headers).buffer(true);
}

/** All of a response that another one may differ in. */
async function wholeOf(path: string): Promise<readonly unknown[]> {
  const connection = await RawConnection.open(served.web.port);
  connection.send(requestHead('GET', path, { 'X-Request-Id': 'same', Date: 'now' }));
  const { status, headers, body } = await connection.response();
  connection.close();
  const { date: _date, ...others } = headers;
  return [status, others, body];
}

async function refusalOf(request: Test): Promise<readonly [number, string | undefined]> {
  const { status, body, headers } = await request;
  expect(headers).to.include({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
  expect(headers).not.to.have.any.keys('etag', 'cache-tag', 'cdn-cache-control');
  return [status, (body as { readonly code?: string }).code];
}

const UNKNOWN = [404, 'name_not_found'];
const INVALID = [400, 'invalid_request'];

describe('The address of a public name', () => {
  before(async () => {
    ({ id: red } = await served.service.upload(redBytes));
    ({ id: blue } = await served.service.upload(blueBytes, 'blue.jpg'));
  });

  beforeEach(async () => {
    hero = await point('hero', red);
  });

  describe('shows', showing);
  describe('has renditions', renditions);
  describe('refuses', refusing);
  describe('follows', following);
  describe('depends', depending);
});

function showing(): void {
  it('the clean original, to caches for a minute', async () => {
    const tagged = withExif(blueBytes, exifBlock({ image: { 0x010e: SECRET } }));
    const { id } = await served.service.upload(tagged, `${SECRET}.jpg`);
    const path = await point('tagged', id);
    const response = await get(path);

    expect([response.status, response.body as Buffer]).to.deep.equal([200, blueBytes]);
    expect(response.headers).to.include({
      'content-type': 'image/jpeg',
      'content-length': String(blueBytes.length),
      'content-disposition': 'inline; filename="tagged.jpg"',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      'cache-tag': `image-${id},name-${path.split('/')[2]}`,
      'cdn-cache-control': 'public, max-age=86400',
    });
    expect(response.headers).not.to.have.any.keys('vary', 'last-modified', 'repr-digest');
  });

  it('ranges, nothing new, the headers alone, and no bytes if a condition fails', async () => {
    const { headers } = await get(hero);
    const etag = headers['etag'] ?? '';
    const range = await get(hero, { Range: 'bytes=10-19', 'If-Range': etag });
    const unchanged = await get(hero, { 'If-None-Match': etag });
    const head = await served.web.agent.head(hero);

    expect([range.status, range.body as Buffer]).to.deep.equal([206, redBytes.subarray(10, 20)]);
    expect(unchanged.status).to.equal(304);
    expect([head.status, head.headers['content-length']]).to.deep.equal([200, String(redBytes.length)]);
    for (const response of [range, unchanged, head]) {
      expect(response.headers).to.include({
        etag,
        'cache-control': 'public, max-age=60',
        'cdn-cache-control': 'public, max-age=86400',
      });
    }
    expect(await refusalOf(get(hero, { 'If-Match': '"other"' }))).to.deep.equal([412, 'precondition_failed']);
    expect(await refusalOf(get(hero, { Range: 'bytes=999999-' }))).to.deep.equal([
      416,
      'range_not_satisfiable',
    ]);
  });

  it('the picture to a client that knows a time: a name may move to an older image', async () => {
    const time = new Date(Date.now() + 60_000).toUTCString();

    expect((await get(hero, { 'If-Modified-Since': time })).status).to.equal(200);
  });

  it('no digest of the original in its tags', async () => {
    const { sha256 } = (await served.service.get(`/api/image/${red}`)).body as { readonly sha256: string };
    const tags = [];
    for (const query of ['', '?width=64', '?format=webp', '?format=auto']) {
      const { headers } = await get(hero + query);
      expect(headers['etag']).to.match(/^"[^"]+"$/);
      tags.push(headers['etag']);
    }

    expect(tags.join()).not.to.include(sha256);
    expect(new Set(tags)).to.have.property('size', 4);
  });

  it('a file name with the extension of its media type', async () => {
    const dispositions: Record<string, string> = {};
    for (const [name, id] of [
      ['logo.PNG', red],
      ['v1.2', red],
      ['a.jpeg', red],
      ['b.jpeg', blue],
    ] as const) {
      const path = await point(name, id);
      for (const query of ['', '?format=webp', '?width=64']) {
        const { headers } = await get(path + query);
        dispositions[name + query] = /filename="(.+)"$/.exec(headers['content-disposition'] ?? '')?.[1] ?? '';
      }
    }

    expect(dispositions).to.deep.equal({
      'logo.PNG': 'logo.PNG',
      'logo.PNG?format=webp': 'logo.webp',
      'logo.PNG?width=64': 'logo.png',
      'v1.2': 'v1.2.png',
      'v1.2?format=webp': 'v1.2.webp',
      'v1.2?width=64': 'v1.2.png',
      'a.jpeg': 'a.jpeg.png',
      'a.jpeg?format=webp': 'a.webp',
      'a.jpeg?width=64': 'a.png',
      'b.jpeg': 'b.jpeg',
      'b.jpeg?format=webp': 'b.webp',
      'b.jpeg?width=64': 'b.jpg',
    });
  });
}

function renditions(): void {
  it('by width and format, which are never larger than the picture', async () => {
    const types: unknown[] = [];
    for (const query of ['?width=64', '?width=64&format=webp', '?format=jpeg', '?width=3840', '?']) {
      const { status, headers } = await get(hero + query);
      types.push([query, status, headers['content-type']]);
      expect(headers).to.include({ 'cache-control': 'public, max-age=60' });
      expect(headers).not.to.have.property('vary');
    }
    const own = (await served.service.get(`/api/image/${red}/file?width=3840`)).body as Buffer;

    expect(types).to.deep.equal([
      ['?width=64', 200, 'image/png'],
      ['?width=64&format=webp', 200, 'image/webp'],
      ['?format=jpeg', 200, 'image/jpeg'],
      ['?width=3840', 200, 'image/png'],
      ['?', 200, 'image/png'],
    ]);
    expect((await get(`${hero}?width=3840`)).body as Buffer).to.deep.equal(own);
  });

  it('as the client accepts them, if the format is auto', async () => {
    const types = [];
    for (const Accept of ['image/avif,image/webp', 'image/webp', '*/*']) {
      const { headers } = await get(`${hero}?width=64&format=auto`, { Accept });
      types.push([headers['content-type'], headers['vary']]);
    }

    expect(types).to.deep.equal([
      ['image/avif', 'Accept'],
      ['image/webp', 'Accept'],
      ['image/png', 'Accept'],
    ]);
    expect(await refusalOf(get(`${hero}?format=auto`, { Accept: 'text/html' }))).to.deep.equal([
      406,
      'not_acceptable',
    ]);
  });

  for (const query of [
    'width=65',
    'width=064',
    'width=',
    'width=64&width=64',
    'width=64&height=64',
    'height=64',
    'quality=50',
    'fit=cover',
    'metadata=keep',
    'download=true',
    'format=gif',
    'v=2',
    '=',
    'width=64&%zz',
  ]) {
    it(`but not by ?${query}`, async () => {
      expect(await refusalOf(get(`${hero}?${query}`))).to.deep.equal(INVALID);
    });
  }

  it('that are one subject to the decoders', async () => {
    const subjects: string[] = [];
    const unwrap = wrapMaker(served.service, async (make, source, rendition, requester, keep) => {
      subjects.push(requester.subject);
      await make(source, rendition, requester, keep);
    });
    const other = await point('other', (await served.service.upload(redBytes)).id);
    for (const path of [`${hero}?width=48`, `${other}?width=48`, other]) await get(path);
    unwrap();

    expect(subjects).to.deep.equal(Array.from({ length: 3 }, () => '["public"]'));
  });
}

function refusing(): void {
  it('every name that is not public with the same response, after the same reads', async () => {
    const [hidden, gone, missing] = [
      await point('hidden', red, {}),
      await point('gone', red),
      '/p/999999/missing',
    ];
    await remove('gone');
    const number = Number(hero.split('/')[2]);
    const others = [
      hidden,
      gone,
      `/p/${number + 1}/hero`,
      `/p/${number}/her0`,
      `${missing}?width=65`,
      `${hidden}?width=64&width=64`,
      `${hidden}?width=64`,
    ];
    const statements: string[] = [];
    const unwatch = watchReads(statements);
    const expected = await wholeOf(missing);
    const reads = statements.splice(0);

    expect(reads).to.have.length(1);
    expect(expected[0]).to.equal(404);
    expect(String(expected[2])).to.include('"name_not_found"');
    for (const path of others) {
      expect([path, await wholeOf(path)]).to.deep.equal([path, expected]);
      expect([path, statements.splice(0)]).to.deep.equal([path, reads]);
    }
    unwatch();
  });

  /** The function that is returned ends it. */
  function watchReads(statements: string[]): () => void {
    const { prototype } = CatalogDatabase;
    // oxlint-disable-next-line typescript/unbound-method -- called with its object below
    const { rows, preparedRows } = prototype;
    const watched = (read: typeof rows): typeof rows =>
      function watch(this: CatalogDatabase, statement) {
        statements.push(statement.sql);
        return read.call(this, statement) as never;
      };
    Object.assign(prototype, { rows: watched(rows), preparedRows: watched(preparedRows) });
    return () => void Object.assign(prototype, { rows, preparedRows });
  }

  it('another spelling of a number or a name in the same way', async () => {
    const number = hero.split('/')[2] ?? '';
    const expected = await wholeOf('/p/999999/missing');
    for (const path of [
      `/p/0${number}/hero`,
      `/p/+${number}/hero`,
      `/p/${number}.0/hero`,
      `/p/%3${number}/hero`,
      `/p/99999999999999999999/hero`,
      `/p/-1/hero`,
      `/p/x/hero`,
      `/p/${number}/h%65ro`,
      `/p/${number}/hero%00`,
      `/p/${number}/hero%zz`,
      `/p/${number}/%ff`,
      `/p/%/hero`,
      `/p/${number}/HERO`,
      `/p/${number}/.hero`,
      `/p/${number}/${'a'.repeat(200)}`,
      `/p/${number}/a b`.replace(' ', '+'),
    ]) {
      expect([path, await wholeOf(path)]).to.deep.equal([path, expected]);
    }
  });

  it('paths of another shape as unknown ones', async () => {
    for (const path of ['/p', '/p/', `${hero}/`, `${hero}/x`, '/P/1/hero']) {
      const { status, body } = await get(path);
      expect([path, status, (body as { readonly code: string }).code]).to.deep.equal([
        path,
        404,
        'not_found',
      ]);
    }
  });

  it('other methods before it looks at the name', async () => {
    for (const path of [hero, '/p/999999/missing', '/p/x/y?width=1']) {
      for (const method of ['post', 'put', 'delete', 'options'] as const) {
        const { status, headers, body } = await served.web.agent[method](path);
        expect([status, headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
        expect(body).to.include({ code: 'method_not_allowed' });
      }
    }
  });

  it('a format that cannot hold the picture', async () => {
    const { id } = await served.service.upload(await jpegPicture(16_400, 8));
    const wide = await point('wide', id);

    expect(await refusalOf(get(`${wide}?format=webp`))).to.deep.equal(INVALID);
    expect((await get(`${wide}?format=jpeg`)).status).to.equal(200);
  });

  it('a rendition of more than 64 MiB', async () => {
    const unwrap = wrapMaker(served.service, () =>
      Promise.reject(new RenditionTooLarge('image/png', 'png', MAX_RENDITION_BYTES)),
    );
    const refusal = await refusalOf(get(`${hero}?width=96&format=png`));
    unwrap();

    expect(refusal).to.deep.equal([422, 'invalid_image']);
  });
}

/** Runs `act` when the next rendition is made, before the response has begun. */
function whileMaking(act: () => Promise<unknown>): void {
  const unwrap = wrapMaker(served.service, async (make, ...args) => {
    unwrap();
    await make(...args);
    await act();
  });
}

function following(): void {
  it('the name from picture to picture', async () => {
    const first = await get(hero);
    await point('hero', blue, { mayPublish: true });
    const second = await get(hero, { 'If-None-Match': first.headers['etag'] ?? '' });

    expect([second.status, second.body as Buffer]).to.deep.equal([200, blueBytes]);
    expect(second.headers).to.include({ 'content-disposition': 'inline; filename="hero.jpg"' });
  });

  const ends: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    'the end of its publication': async (id) => await point('brief', id, { isPublic: false }),
    'the removal of the name': async () => await remove('brief'),
    'the removal of its image': async (id) => await served.service.delete(`/api/image/${id}`).expect(204),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`${what} at once, and while a rendition is made`, async () => {
      const { id } = await served.service.upload(redBytes);
      const path = await point('brief', id);
      expect((await get(path)).status).to.equal(200);
      whileMaking(() => end(id));

      expect(await refusalOf(get(`${path}?width=32`))).to.deep.equal(UNKNOWN);
      for (const query of ['', '?width=32', '?width=320']) {
        expect(await refusalOf(get(path + query))).to.deep.equal(UNKNOWN);
      }
    });
  }

  it('a name that is set again only when it is published again, at the same address', async () => {
    await remove('hero');
    const [again] = [await point('hero', red, {})];

    expect(again).to.equal(hero);
    expect(await refusalOf(get(hero))).to.deep.equal(UNKNOWN);
    await point('hero', red);
    expect((await get(hero)).status).to.equal(200);
  });
}

function depending(): void {
  it('on no link key, and on no writable catalog', async () => {
    const storage = await openSqliteAndFiles(new SystemClock());
    const openStorage = async () => ({ ...storage, tearDown: async () => undefined });
    const writable = await start({ openStorage });
    const { id } = await writable.service.upload(redBytes);
    const path = await point('hero', id, PUBLISH, writable);
    const key = { secret: Buffer.alloc(32, 1), createdAt: new Date() };
    await writable.service.container.get(TOKENS.linkKeys).rotate(key, 'all others');
    const bodies: Response[] = [await get(path, {}, writable)];
    await writable.stop();
    const readOnly = await start({ readOnly: true, openStorage });
    bodies.push(await get(path, {}, readOnly), await get(`${path}?width=64`, {}, readOnly));
    await readOnly.stop();
    const off = await start({ publishNames: false, openStorage: async () => storage });
    const unknown = await get(path, {}, off);
    await off.stop();

    expect(bodies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect([unknown.status, unknown.body as object]).to.deep.equal([
      404,
      { code: 'not_found', message: 'There is nothing at this path' },
    ]);
  });

  it('on no time: an HTML page that was made once shows what the name shows 30 days and two revoked link keys later', async () => {
    const clock = new ManualClock(new Date());
    const storage = await openSqliteAndFiles(clock);
    const openStorage = async () => ({ ...storage, tearDown: async () => undefined });
    const before = await start({ serviceClock: clock, openStorage });
    const record = await before.service.upload(await jpegPicture(700, 500));
    const replacement = await before.service.upload(await jpegPicture(640, 800));
    await point('hero', record.id, PUBLISH, before);
    const { body: named } = await before.service.get('/api/names/hero').expect(200);
    const html = `<img src="${publicUrl(named, { width: 320 })}" srcset="${publicSrcset(named, record, { format: 'webp' })}">`;
    await rotate(before, clock);
    await before.stop();
    clock.advance(30 * 86_400_000);

    const after = await start({ serviceClock: clock, openStorage: async () => storage });
    await rotate(after, clock);
    const pictures = [...html.matchAll(/https:\/\/cats\.example\.com\/gallery([^\s"]+)/g)].map(
      ([, path = '']) => path,
    );
    const old = await Promise.all(pictures.map((path) => get(path, {}, after)));
    await point('hero', replacement.id, PUBLISH, after);
    const replaced = await Promise.all(pictures.map((path) => get(path, {}, after)));
    await after.stop();

    expect(pictures).to.have.length.above(3);
    expect([...old, ...replaced].map(({ status }) => status)).to.deep.equal(
      Array(2 * pictures.length).fill(200),
    );
    for (const [at, { body }] of replaced.entries()) expect(body).not.to.deep.equal(old[at]?.body);
  });
}

async function rotate({ service }: Served, clock: ManualClock): Promise<void> {
  const key = { secret: randomBytes(32), createdAt: clock.now() };
  await service.container.get(TOKENS.linkKeys).rotate(key, 'all others');
}
