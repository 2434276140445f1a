import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';
import { WebListener } from '../support/http/web-listener.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

/** A path in it is taken off by the proxy. */
const WEB_URL = 'https://cats.example.com/gallery/';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const UNKNOWN = 999_999;

let service: TestService;
let web: WebListener;
let clock: ManualClock;
let wide: ImageRecord;
let small: ImageRecord;

interface MadePage {
  readonly page?: string | null;
  readonly missing: readonly number[];
  readonly expiresAt: string;
}

async function share(
  ids: readonly number[],
  page: unknown = { title: null },
  ttlSeconds = 3600,
): Promise<MadePage> {
  const body = JSON.stringify({ ids, page, ttlSeconds });
  return (await service.postJson('/api/images/links', body).expect(200)).body as MadePage;
}

/** On the web listener. */
async function pathTo(...args: Parameters<typeof share>): Promise<string> {
  return String((await share(...args)).page).replace(WEB_URL, '/');
}

function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

function useService(): void {
  beforeEach(async () => {
    clock = new ManualClock(new Date());
    service = await TestService.start({ webUrl: WEB_URL, serviceClock: clock, readOnly: false });
    web = await WebListener.start(service);
    wide = await service.upload(await jpegPicture(1_000, 500), 'secret-name.jpg');
    small = await service.upload(await noisyPng(60, 80), 'second.png');
  });

  afterEach(async () => {
    await web.stop();
    await service.stop();
  });
}

describe('A page to share', () => {
  useService();

  it('is one HTML document without scripts, for nobody to keep or index', async () => {
    const { page, expiresAt } = await share([wide.id, small.id], { title: ' Cats & <b>dogs</b> ' });
    const response = await web.get(String(page).replace(WEB_URL, '/')).set('Accept', BROWSER).expect(200);

    expect(page).to.match(
      /^https:\/\/cats\.example\.com\/gallery\/s\/[A-Za-z0-9_-]+\/\d+\/[A-Za-z0-9_-]{43}$/,
    );
    expect(response.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(response.text).to.include('<h1>Cats &#38; &#60;b&#62;dogs&#60;/b&#62;</h1>');
    expect(response.text).to.include(expiresAt);
    expect(response.text).not.to.match(/<script|javascript:|style=|onload/);
  });

  it('has a policy that allows its one style element, and pictures of this address alone', async () => {
    const response = await web.get(await pathTo([wide.id])).expect(200);
    const [style = ''] = all(response.text, /<style>([^<]*)<\/style>/g);
    const digest = createHash('sha256').update(style).digest('base64');

    expect(response.headers['content-security-policy']).to.equal(
      `default-src 'none'; style-src 'sha256-${digest}'; font-src 'self'; img-src 'self' blob: data: https://cats.example.com; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('shows the pictures in order, with sizes and colours, and no name of them', async () => {
    const { text } = await web.get(await pathTo([small.id, wide.id, small.id])).expect(200);

    expect(all(text, /<img[^>]* width="(\d+)"/g)).to.deep.equal(['60', '1000']);
    expect(all(text, /<img[^>]* height="(\d+)"/g)).to.deep.equal(['80', '500']);
    expect(all(text, /--colour:(rgb\(\d+ \d+ \d+\))/g)).to.have.length(2);
    for (const hidden of [
      'secret',
      'second',
      wide.filename.slice(0, 13),
      wide.createdAt.slice(0, 16),
      wide.sha256,
    ]) {
      expect(text).not.to.include(hidden);
    }
  });

  it('tells screen readers the alternative texts, else the number of the picture', async () => {
    await service
      .patchJson(`/api/image/${wide.id}/metadata`, '{"alt":"A <cat>"}', 'application/merge-patch+json')
      .expect(200);
    const { text } = await web.get(await pathTo([wide.id, small.id])).expect(200);

    expect(all(text, /<img[^>]* alt="([^"]*)"/g)).to.deep.equal(['A &#60;cat&#62;', 'Picture 2 of 2']);
    expect(text).not.to.include('aria-label="Picture 1 of 2"');
  });

  it('names the link of a decorative picture, whose alternative text is empty', async () => {
    await service
      .patchJson(`/api/image/${wide.id}/metadata`, '{"alt":""}', 'application/merge-patch+json')
      .expect(200);
    const { text } = await web.get(await pathTo([wide.id])).expect(200);

    expect(text).to.match(/<a href="[^"]+" aria-label="Picture 1 of 1"><img [^>]* alt=""/);
  });

  it('links to renditions no wider than the originals, clean originals and downloads, until the page expires', async () => {
    const { page, expiresAt } = await share([wide.id, small.id]);
    const { text } = await web.get(String(page).replace(WEB_URL, '/')).expect(200);
    const [sizes = '', ...others] = all(text, /srcset="([^"]+)"/g);

    expect(all(sizes, / (\d+)w/g)).to.deep.equal(['320', '480', '750']);
    expect(others).to.have.length(1);
    const urls = [...new Set(all(text, /"?(https:\/\/cats\.example\.com\/gallery\/d\/[^" ]+)/g))];
    expect(urls.filter((url) => url.includes('/clean/'))).to.have.length(2);
    expect(urls.filter((url) => url.includes('/clean-download/'))).to.have.length(2);
    for (const url of urls) {
      expect(url).to.include(`/${Date.parse(expiresAt) / 1000}/`);
      const { status, headers } = await web.get(url.replace(WEB_URL, '/'));
      expect(status, url).to.equal(200);
      expect(headers['content-disposition']).to.match(/^(?:inline|attachment); filename="image-\d+\.\w+"$/);
    }
  });

  for (const [language, languages, words] of [
    ['de', 'de-AT,de;q=0.9,en;q=0.8', ['<h1>Bilder</h1>', '2 Bilder', 'Bild 1 von 2', 'Verfügbar bis']],
    ['en', 'fr,en;q=0.5,de;q=0.3', ['<h1>Pictures</h1>', '2 pictures', 'Picture 1 of 2', 'Available until']],
    ['en', '', ['Download picture 2']],
  ] as const) {
    it(`is in ${language} for Accept-Language: ${languages}`, async () => {
      const path = await pathTo([wide.id, small.id]);
      const response = await web.get(path).set('Accept-Language', languages).expect(200);

      expect(response.headers['vary']).to.include('Accept-Language');
      for (const word of [`<html lang="${language}">`, ...words]) expect(response.text).to.include(word);
    });
  }

  it('responds to HEAD, and to no other method', async () => {
    const path = await pathTo([wide.id]);
    const [get, head] = [await web.get(path), await web.agent.head(path)];
    expect([head.status, head.text]).to.deep.equal([200, undefined]);
    expect(head.headers['content-security-policy']).to.equal(get.headers['content-security-policy']);
    const post = await web.agent.post(path);
    expect([post.status, post.headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('leaves no payload and no MAC in the log', async () => {
    const path = await pathTo([wide.id], { title: 'Abcdef' });
    await web.get(path);
    const { path: logged } = (await service.log.entry(
      ({ msg, path: of }) => msg === 'request' && String(of).startsWith('/s/'),
    )) as {
      path?: unknown;
    };
    expect(logged).to.equal('/s/…');
  });
});

describe('A page to share as time passes', () => {
  useService();

  it('drops pictures that were deleted, and is 404 when none is left', async () => {
    const path = await pathTo([wide.id, small.id]);
    await service.delete(`/api/image/${wide.id}`).expect(204);
    const { text } = await web.get(path).expect(200);
    expect(all(text, /<img[^>]* width="(\d+)"/g)).to.deep.equal(['60']);

    await service.delete(`/api/image/${small.id}`).expect(204);
    const response = await web.get(path).expect(404);
    expect(response.body).to.include({ code: 'image_not_found' });
    expect(response.headers['cache-control']).to.equal('no-store');
  });

  it('shows no other picture that has got the id', async () => {
    const path = await pathTo([wide.id]);
    const { images } = service.storage;
    const found = await images.findById(wide.id);
    await service.images.removeById(wide.id);
    if (found === undefined) throw new Error('There is no image');
    await images.restore([{ ...found, uuid: parseBlobKey(crypto.randomUUID()) }]);
    expect(await images.findById(wide.id)).not.to.equal(undefined);
    await web.get(path).expect(404);
  });
});

describe('The address of a page to share', () => {
  useService();

  it('is good until it expires, and then 410', async () => {
    const { page, expiresAt } = await share([wide.id], { title: null }, 60);
    const path = String(page).replace(WEB_URL, '/');
    clock.advance(Date.parse(expiresAt) - clock.now().getTime() - 1);
    await web.get(path).expect(200);
    clock.advance(1);
    const response = await web.get(path).expect(410);
    expect(response.body).to.include({ code: 'link_expired' });
  });
});

describe('A page to share that cannot be shown', () => {
  useService();

  async function altered(change: (segments: string[]) => void): Promise<string> {
    const segments = (await pathTo([wide.id])).split('/');
    change(segments);
    return segments.join('/');
  }

  for (const [title, change] of [
    ['another payload', (segments) => (segments[2] = `A${segments[2]}`)],
    ['another expiry', (segments) => (segments[3] = String(Number(segments[3]) + 1))],
    [
      'another MAC',
      (segments) => (segments[4] = `${segments[4]?.startsWith('A') ? 'B' : 'A'}${segments[4]?.slice(1)}`),
    ],
    ['an escaped payload', (segments) => (segments[2] = String(segments[2]).replace('A', '%41'))],
    ['a payload of nothing', (segments) => (segments[2] = '-')],
  ] as const satisfies ReadonlyArray<readonly [string, (segments: string[]) => unknown]>) {
    it(`is 403 with ${title}`, async () => {
      const response = await web.get(await altered(change)).expect(403);
      expect(response.body).to.include({ code: 'link_invalid' });
    });
  }

  for (const shape of ['/s/', '/s/a', '/s/a/b', '/s/a/b/c/d']) {
    it(`is 404 for the path ${shape}`, async () => {
      expect((await web.get(shape).expect(404)).body).to.include({ code: 'not_found' });
    });
  }

  it('is not accepted as a link, nor a link as a page', async () => {
    const [, , payload, expiry, mac] = (await pathTo([wide.id])).split('/');
    await web.get(`/d/${wide.id}/original/${expiry}/${mac}`).expect(403);
    const body = JSON.stringify({ ids: [wide.id] });
    const made = (await service.postJson('/api/images/links', body)).body as {
      images: Record<string, string[]>;
    };
    const linkMac = made.images[wide.id]?.[0]?.split('/').at(-1);
    await web.get(`/s/${payload}/${expiry}/${linkMac}`).expect(403);
  });

  for (const [accept, type] of [
    [BROWSER, 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
  ] as const) {
    it(`is explained as ${type} for Accept: ${accept}`, async () => {
      const check = (response: Response): void => {
        expect(response.headers['content-type']).to.equal(type);
        expect(response.headers['cache-control']).to.equal('no-store');
        expect(response.headers['vary']).to.include('Accept');
        if (type.startsWith('text/html')) {
          expect(response.headers['content-security-policy']).to.include("style-src 'sha256-");
        }
      };
      const refused = await web.get('/s/a/1/b').set('Accept', accept).expect(403);
      check(refused);
      if (type.startsWith('text/html')) {
        expect(refused.text).to.match(/<h1>[^<]*<\/h1><p>.* ask for a new one/);
      }
      check(await web.get('/s/a').set('Accept', accept).expect(404));
    });
  }
});

describe('POST /api/images/links with a page', () => {
  useService();

  it('names missing images, which are not in the page', async () => {
    const { page, missing } = await share([UNKNOWN, wide.id]);
    expect(missing).to.deep.equal([UNKNOWN]);
    const { text } = await web.get(String(page).replace(WEB_URL, '/')).expect(200);
    expect(all(text, /<(img)/g)).to.have.length(1);
  });

  it('has no page if all images are missing, and none if none is asked for', async () => {
    expect((await share([UNKNOWN])).page).to.equal(null);
    const body = JSON.stringify({ ids: [wide.id] });
    expect((await service.postJson('/api/images/links', body)).body).not.to.have.property('page');
  });
});

describe('A page to share of a catalog with a name', () => {
  afterEach(async () => {
    await web.stop();
    await service.stop();
  });

  it('says the name, also in its errors', async () => {
    service = await TestService.start({ webUrl: WEB_URL, webTitle: 'Cats & <dogs>' });
    web = await WebListener.start(service);
    const { id } = await service.upload(await noisyPng(60, 80));
    const path = await pathTo([id], { title: 'Summer' });

    const page = await web.get(path).set('Accept', BROWSER).expect(200);
    const refused = await web.get(`${path.slice(0, -1)}!`).set('Accept', BROWSER);

    expect(page.text).to.include('<title>Summer – Cats &#38; &#60;dogs&#62;</title>');
    for (const { text } of [page, refused]) {
      expect(text).to.include('<p class="catalog">Cats &#38; &#60;dogs&#62;</p>');
    }
  });
});
