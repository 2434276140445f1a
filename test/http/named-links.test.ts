import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { Overloaded } from '../../src/domain/errors.ts';
import { parseName } from '../../src/domain/name/name.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { tagHeader } from '../../src/infrastructure/config/variable-types.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import type { TestServiceOptions } from '../support/http/test-service.ts';
import { type Served, startServed } from '../support/http/web-listener.ts';
import { wrapMaker } from '../support/http/wrap-maker.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const WEB_URL = 'https://cats.example.com/gallery/';

interface Links {
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly missingNames?: readonly string[];
  readonly images?: Readonly<Record<string, readonly string[]>>;
  readonly missing?: readonly number[];
}

let redBytes: Buffer;
let blueBytes: Buffer;

before(async () => {
  redBytes = await noisyPng(120, 90);
  blueBytes = await jpegPicture(80, 60);
});

const served = startFor('all', () => start({ cacheTagHeader: 'Cache-Tag' }));
let red: number;
let blue: number;

async function start(options: TestServiceOptions = {}): Promise<Served> {
  return await startServed({ webUrl: WEB_URL, ...options });
}

async function point(text: string, id: number | undefined, of = served): Promise<void> {
  const names = of.service.container.get(TOKENS.names).in(COMMON_SPACE);
  const name = parseName(text);
  if (name === undefined) throw new TypeError(`${text} is no name`);
  await (id === undefined ? names.remove(name, {}) : names.set(name, id, {}));
}

function post(body: object, of = served): Test {
  return of.service.postJson('/api/images/links', JSON.stringify(body));
}

/** The path of a link on the web listener. */
async function linkTo(name: string, rendition: object = {}, of = served): Promise<string> {
  const { status, text, body } = await post({ names: [name], renditions: [rendition] }, of);
  const url = (body as Links).names?.[name]?.[0];
  if (url === undefined) throw new Error(`No link: ${status} ${text}`);
  return url.replace(WEB_URL, '/');
}

function get(path: string, of = served): Test {
  return of.web.get(path);
}

async function refusalOf(request: Test): Promise<readonly [number, string | undefined]> {
  const { status, body, headers } = await request;
  expect(headers).to.include({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
  expect(headers).not.to.have.any.keys('etag', 'cache-tag', 'cdn-cache-control');
  return [status, (body as { readonly code?: string }).code];
}

const INVALID = [403, 'link_invalid'];

describe('A signed link to a name', () => {
  before(async () => {
    ({ id: red } = await served.service.upload(redBytes));
    ({ id: blue } = await served.service.upload(blueBytes, 'blue.jpg'));
  });

  beforeEach(async () => {
    await point('hero', red);
  });

  describe('is made', making);
  describe('shows', showing);
  describe('moves', moving);
  describe('is refused', refusing);
  describe('is tagged', tagging);
});

function making(): void {
  it('for names, with those that point to no image', async () => {
    const { body } = await post({ names: ['hero', 'none', 'hero'], renditions: [{}, { width: 64 }] });
    const { expiresAt, ...links } = body as Links & { readonly expiresAt: string };

    expect(links).to.have.all.keys('names', 'missingNames');
    expect(links.missingNames).to.deep.equal(['none']);
    expect(Object.keys(links.names ?? {})).to.deep.equal(['hero']);
    const pattern = (file: string): RegExp =>
      new RegExp(
        `^${WEB_URL}n/\\d+/hero/${file}/${Date.parse(expiresAt) / 1000}/[0-9a-f]{12}[A-Za-z0-9_-]{43}$`,
      );
    expect(links.names?.['hero']?.[0]).to.match(pattern('original'));
    expect(links.names?.['hero']?.[1]).to.match(pattern('64xauto-inside-lossless\\.png'));
  });

  it('for names and ids at once', async () => {
    const { body } = await post({ names: ['hero'], ids: [blue, 999_999] });
    const { names, missingNames, images, missing } = body as Links;

    expect(body).to.have.all.keys('expiresAt', 'names', 'missingNames', 'images', 'missing');
    expect([missingNames, missing]).to.deep.equal([[], [999_999]]);
    expect([Object.keys(names ?? {}), Object.keys(images ?? {})]).to.deep.equal([['hero'], [String(blue)]]);
  });

  it('for a name that objects inherit', async () => {
    await point('__proto__', red);
    const { text } = await post({ names: ['__proto__', 'constructor'] });
    await point('__proto__', undefined);

    expect(text).to.match(/"names":\{"__proto__":\["[^"]+\/n\/\d+\/__proto__\/original\//);
    expect(text).to.include('"missingNames":["constructor"]');
  });
}

function showing(): void {
  it('the image that the name points to, to caches for a minute', async () => {
    const response = await get(await linkTo('hero'));

    expect([response.status, response.body as Buffer]).to.deep.equal([200, redBytes]);
    expect(response.headers).to.include({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(response.headers).not.to.have.any.keys('vary', 'last-modified');
  });

  it('a rendition, a range, nothing new and the headers alone', async () => {
    const path = await linkTo('hero', { width: 64, format: 'webp', download: true });
    const { headers, body } = await get(path);
    const bytes = body as Buffer;
    const range = await get(path).set('Range', 'bytes=10-19').buffer(true);
    const unchanged = await get(path).set('If-None-Match', headers['etag'] ?? '');
    const head = await served.web.agent.head(path);

    expect(headers['content-type']).to.equal('image/webp');
    expect(headers['content-disposition']).to.match(/^attachment; filename="image-\d+.webp"$/);
    expect([range.status, range.body as Buffer]).to.deep.equal([206, bytes.subarray(10, 20)]);
    expect([unchanged.status, unchanged.headers['cache-control']]).to.deep.equal([304, 'public, max-age=60']);
    expect([head.status, head.headers['content-length']]).to.deep.equal([200, String(bytes.length)]);
  });

  it('nothing longer than it is good', async () => {
    const clock = new ManualClock(new Date());
    const own = await start({ serviceClock: clock });
    const { id } = await own.service.upload(redBytes);
    await point('hero', id, own);
    const path = await linkTo('hero', {}, own);
    clock.advance(Number(path.split('/')[5]) * 1000 - 30_500 - clock.now().getTime());
    const [soon, headers] = [await get(path, own), (await get(path, own)).headers];
    clock.advance(30_500);
    const over = await refusalOf(get(path, own));
    await own.stop();

    expect(soon.headers['cache-control']).to.equal('public, max-age=30');
    expect(headers).not.to.have.any.keys('cache-tag', 'cdn-cache-control');
    expect(over).to.deep.equal([410, 'link_expired']);
  });
}

/** Runs `act` when the next rendition is made, before the response has begun. */
function whileMaking(act: () => Promise<void>): void {
  const unwrap = wrapMaker(served.service, async (make, ...args) => {
    unwrap();
    const bytes = await make(...args);
    await act();
    return bytes;
  });
}

function moving(): void {
  it('with the name, also to an older image for a client that knows the time of the other', async () => {
    const path = await linkTo('hero');
    await point('hero', blue);
    const first = await get(path);
    expect([first.body as Buffer, first.headers['content-type']]).to.deep.equal([blueBytes, 'image/jpeg']);
    await point('hero', red);

    const second = await get(path).set('If-Modified-Since', new Date().toUTCString());
    expect([second.status, second.body as Buffer]).to.deep.equal([200, redBytes]);
    const third = await get(path).set('If-None-Match', first.headers['etag'] ?? '');
    expect(third.status).to.equal(200);
    const rest = await get(path).set('Range', 'bytes=10-').set('If-Range', new Date().toUTCString());
    expect([rest.status, rest.body as Buffer]).to.deep.equal([200, redBytes]);
  });

  it('while the response is made, which is then made for the other image', async () => {
    const path = await linkTo('hero', { width: 48, format: 'webp' });
    whileMaking(() => point('hero', blue));
    const response = await get(path);
    await point('hero', blue);
    const after = await get(path);

    expect(response.status).to.equal(200);
    expect(response.headers['cache-tag']).to.match(new RegExp(`^image-${blue},name-\\d+$`));
    expect(response.headers['etag']).to.equal(after.headers['etag']);
    expect(response.body as Buffer).to.deep.equal(after.body as Buffer);
    expect(response.headers['content-length']).to.equal(after.headers['content-length']);
  });

  it('while a part of the former image was to be sent, of which no header is left', async () => {
    const path = await linkTo('hero', { width: 128, format: 'webp' });
    const { headers } = await get(path).set('If-None-Match', '*');
    whileMaking(() => point('hero', blue));
    const response = await get(path)
      .set('Range', 'bytes=0-9')
      .set('If-Range', headers['etag'] ?? '');

    expect(response.status).to.equal(200);
    expect(response.headers).not.to.have.property('content-range');
  });

  it('while the response is an error of the former image', async () => {
    const path = await linkTo('hero', { width: 32, format: 'webp' });
    const { headers } = await get(path);
    await point('hero', blue);
    whileMaking(async () => {
      await point('hero', red);
      throw new Overloaded('moving_name');
    });
    const response = await get(path);

    expect([response.status, response.headers['etag']]).to.deep.equal([200, headers['etag']]);
  });

  it('away while the response is made, which is then 404', async () => {
    const path = await linkTo('hero', { width: 96, format: 'webp' });
    whileMaking(() => point('hero', undefined));

    expect(await refusalOf(get(path))).to.deep.equal([404, 'name_not_found']);
  });

  it('too often for one response: 503', async () => {
    const path = await linkTo('hero');
    const names = served.service.container.get(TOKENS.names);
    const find = names.findByNumber.bind(names);
    let looks = 0;
    names.findByNumber = async (number) => {
      const found = await find(number);
      looks += 1;
      return found && { ...found, imageId: [red, blue][looks % 2] };
    };
    const response = await get(path);
    names.findByNumber = find;

    expect([response.status, (response.body as { code: string }).code]).to.deep.equal([503, 'overloaded']);
    expect(response.headers).to.include({ 'cache-control': 'no-store', 'retry-after': '1' });
  });
}

function refusing(): void {
  it('if the name is gone: 404 without tags, which no cache keeps', async () => {
    const path = await linkTo('hero');
    await point('hero', undefined);

    expect(await refusalOf(get(path))).to.deep.equal([404, 'name_not_found']);
    expect((await served.web.agent.head(path)).status).to.equal(404);
  });

  it('if the number of the name was forgotten: 404, with a wrong MAC 403', async () => {
    await point('forgotten', red);
    const path = await linkTo('forgotten');
    await point('forgotten', undefined);
    await point('hero', blue);
    const { container } = served.service;
    const never = new Date(8.64e15);
    while ((await container.get(TOKENS.changes).removeOlder(never)) > 0);
    await container.get(TOKENS.names).forgetRemoved(never);
    await point('forgotten', red);

    expect(await refusalOf(get(path))).to.deep.equal([404, 'name_not_found']);
    expect(await refusalOf(get(`${path.slice(0, -43)}${'A'.repeat(43)}`))).to.deep.equal(INVALID);
  });

  it('if one of its segments is another one, or has another spelling', async () => {
    await point('logo', red);
    const [path, other] = [await linkTo('hero'), await linkTo('logo')];
    const segments = path.split('/');
    const wrong = [2, 3, 6].map((at) => segments.with(at, other.split('/')[at] ?? ''));
    wrong.push(segments.with(5, String(Number(segments[5]) + 1)), segments.with(4, '64xauto-inside-q75.jpg'));
    wrong.push(segments.with(3, 'HERO'), segments.with(3, 'h%65ro'), segments.with(2, `0${segments[2]}`));
    wrong.push(segments.with(2, '999999'), segments.with(3, '.'.repeat(3)));

    for (const changed of wrong) {
      expect([changed.join('/'), await refusalOf(get(changed.join('/')))]).to.deep.equal([
        changed.join('/'),
        INVALID,
      ]);
    }
    expect(await refusalOf(get(`${path}?a`))).to.deep.equal(INVALID);
  });

  it('if it has another shape: 404', async () => {
    const path = await linkTo('hero');
    for (const shape of [`${path}/`, `${path}/more`, path.replace('/hero', ''), '/n/', '/n']) {
      const { status, body } = await get(shape);
      expect([shape, status, (body as { code: string }).code]).to.deep.equal([shape, 404, 'not_found']);
    }
  });

  it('and leaves no MAC in the log', async () => {
    const path = await linkTo('hero');
    const mac = path.split('/')[6] ?? '';
    await served.service.idle();
    served.service.log.clear();
    const shapes = [path, `${path}?a`, `${path}/more`, `/${path}`, path.replace('/hero', '')];
    for (const shape of shapes) await get(shape);
    await get(`${path.slice(0, -mac.length)}${mac.slice(0, 20)}/${mac.slice(20)}`);
    await served.service.idle();

    expect(mac).to.have.length(12 + 43);
    expect(served.service.log.entries.filter(({ msg }) => msg === 'request')).to.have.length(6);
    expect(served.service.log.text).not.to.include(mac.slice(0, 20));
    expect(served.service.log.text).not.to.include(mac.slice(20));
  });
}

function tagging(): void {
  it('with its image and its name, at 200, 206 and 304, and good in caches that are purged until it is over', async () => {
    const path = await linkTo('hero');
    const number = path.split('/')[2] ?? '';
    const { headers } = await get(path);
    const responses = [
      await get(path),
      await get(path).set('Range', 'bytes=0-1').buffer(true),
      await get(path).set('If-None-Match', headers['etag'] ?? ''),
      await served.web.agent.head(path),
    ];

    expect(responses.map(({ status }) => status)).to.deep.equal([200, 206, 304, 200]);
    for (const response of responses) expectTags(response, `image-${red},name-${number}`, path);
  });

  function expectTags({ headers }: Response, tags: string, path: string): void {
    expect(headers).to.include({ 'cache-tag': tags });
    const [, seconds] = /^public, max-age=(\d+)$/.exec(headers['cdn-cache-control'] ?? '') ?? [];
    const expiry = Number(path.split('/')[5]);
    expect(Number(seconds)).to.be.within(
      Math.floor(expiry - Date.now() / 1000),
      expiry - Date.parse(headers['date'] ?? '') / 1000,
    );
  }

  it('with its image alone, and no other time, if it is a link to an image', async () => {
    const { body } = await post({ ids: [red] });
    const path = ((body as Links).images?.[red]?.[0] ?? '').replace(WEB_URL, '/');
    const { headers } = await get(path);
    const unchanged = await get(path).set('If-None-Match', headers['etag'] ?? '');
    const part = await get(path).set('Range', 'bytes=0-1').buffer(true);

    for (const response of [unchanged, part]) {
      expect(response.headers).to.include({ 'cache-tag': `image-${red}` });
      expect(response.headers).not.to.have.property('cdn-cache-control');
    }
    expect(await refusalOf(get(path).set('Range', 'bytes=99999999-'))).to.deep.equal([
      416,
      'range_not_satisfiable',
    ]);
  });

  it('by spaces in every other header', async () => {
    for (const cacheTagHeader of ['xkey', 'Surrogate-Key']) {
      const own = await start({ cacheTagHeader });
      const { id } = await own.service.upload(redBytes);
      await point('hero', id, own);
      const { headers } = await get(await linkTo('hero', {}, own), own);
      await own.stop();

      expect(headers[cacheTagHeader.toLowerCase()]).to.equal(`image-${id} name-1`);
    }
  });

  it('in a header that no response has otherwise', async () => {
    const connection = await RawConnection.open(served.web.port);
    connection.send(requestHead('GET', await linkTo('hero')));
    const { headers } = await connection.response();
    connection.close();
    const responses = [
      headers,
      (await get('/s/A/1/x')).headers,
      (await served.service.get('/api/images')).headers,
    ];

    const names = responses.flatMap((sent) => Object.keys(sent)).filter((name) => name !== 'cache-tag');
    for (const name of names) expect(tagHeader.safeParse(name).success, name).to.equal(false);
    expect(names).to.include.members(['date', 'content-length', 'cdn-cache-control']);
  });
}
