import { expect } from 'chai';
import type { Test } from 'supertest';
import { noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const PATH = '/api/images/links';
const WEB_URL = 'https://cats.example.com/gallery/';
const MAC = '[A-Za-z0-9_-]{43}';

interface Links {
  readonly expiresAt: string;
  readonly images: Readonly<Record<string, readonly string[]>>;
  readonly missing: readonly number[];
}

const service = startFor('all', () => TestService.start({ webUrl: WEB_URL }));
let id: number;

function post(body: unknown, of = service): Test {
  return of.postJson(PATH, JSON.stringify(body));
}

async function linksOf(body: unknown): Promise<Links> {
  const response = await post(body);
  expect([response.status, response.status === 200 ? '' : response.text]).to.deep.equal([200, '']);
  return response.body as Links;
}

let other: number;

describe('POST /api/images/links', () => {
  before(async () => {
    ({ id } = await service.upload(await noisyPng(40, 30)));
    ({ id: other } = await service.upload(await pngPicture()));
  });

  it('returns a link to the original of each image, good for an hour', async () => {
    const before = Date.now();
    const response = await post({ ids: [id, other] });
    const { expiresAt, images, missing } = response.body as Links;

    expect(response.headers).to.include({ 'cache-control': 'no-store' });
    expect(response.body).to.have.all.keys('expiresAt', 'images', 'missing');
    const seconds = Date.parse(expiresAt) / 1000;
    expect(seconds % 360).to.equal(0);
    expect(seconds - before / 1000).to.be.within(3600, 3961);
    expect(Object.keys(images)).to.have.members([String(id), String(other)]);
    expect(images[id]).to.have.length(1);
    expect(images[id]?.[0]).to.match(
      new RegExp(`^https://cats\\.example\\.com/gallery/d/${id}/original/${seconds}/${MAC}$`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('returns a link to each rendition, in their order', async () => {
    const renditions = [
      { width: 320, format: 'webp' },
      { width: 64, height: 48, fit: 'cover', quality: 5, download: true },
      { height: 16, format: 'jpeg' },
      {},
      { download: true },
    ];
    const { images } = await linksOf({ ids: [id], renditions });

    const names = images[id]?.map((url) => new URL(url).pathname.split('/')[4]);
    expect(names).to.deep.equal([
      '320xauto-inside-q75.webp',
      '64x48-cover-lossless.png-download',
      'autox16-inside-q75.jpg',
      'original',
      'original-download',
    ]);
  });

  it('returns the same link for renditions that mean the same', async () => {
    const groups = [
      [{}, { download: false }, { metadata: 'keep' }],
      [
        { width: 64, format: 'webp' },
        { width: 64, format: 'webp', fit: 'inside', quality: 75, download: false },
      ],
      [{ width: 64 }, { width: 64, format: 'png' }, { width: 64, quality: 10, metadata: 'none' }],
    ];
    const { images } = await linksOf({ ids: [id], renditions: groups.flat() });

    const urls = [...(images[id] ?? [])];
    for (const group of groups) expect(new Set(urls.splice(0, group.length)).size).to.equal(1);
  });

  it('names each id without an image once, in the order of the request', async () => {
    const ids = [999_999, id, 888_888, id, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300, 999_999];
    const { images, missing } = await linksOf({ ids });

    expect(Object.keys(images)).to.deep.equal([String(id)]);
    expect(missing).to.deep.equal([999_999, 888_888, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300]);
  });

  it('takes no notice of Host and X-Forwarded headers', async () => {
    const response = await post({ ids: [id] }).set({
      Host: 'evil.example.com',
      'X-Forwarded-Host': 'evil.example.com',
      'X-Forwarded-Proto': 'gopher',
      Forwarded: 'host=evil.example.com',
    });

    expect((response.body as Links).images[id]?.[0]).to.match(/^https:\/\/cats\.example\.com\/gallery\/d\//);
  });
});

describe('POST /api/images/links refuses', () => {
  for (const [field, body] of [
    ['ids', {}],
    ['ids', { page: { title: null } }],
    ['renditions[0].fit', { ids: [1], renditions: [{ fit: 'cover', width: 64 }] }],
    ['page', { names: ['a'], ids: [1], page: { title: null } }],
    ['ids', { ids: Array.from({ length: 101 }, (_, at) => at + 1), page: { title: null } }],
    ['page.title', { ids: [1], page: { title: '😺'.repeat(101) } }],
    ['page.title', { ids: [1], page: { title: 'a\nb' } }],
    ['page', { ids: [1], page: {} }],
  ] as const) {
    it(`${JSON.stringify(body).slice(0, 60)} naming ${field}`, async () => {
      const response = await post(body);
      expect(refusalOf(response)).to.deep.equal([400, 'invalid_request']);
      expect((response.body as { readonly message: string }).message).to.include(`"${field}`);
    });
  }
});

describe('POST /api/images/links without a web listener', () => {
  const bare = startFor('all', () => TestService.start());

  it('returns 404, before it looks at the body', async () => {
    expect(refusalOf(await post({ ids: [1] }, bare))).to.deep.equal([404, 'not_found']);
    expect(refusalOf(await bare.postJson(PATH, 'no JSON'))).to.deep.equal([404, 'not_found']);
  });
});
