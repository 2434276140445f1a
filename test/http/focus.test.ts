import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { WebListener } from '../support/http/web-listener.ts';
import { watchEncodes } from '../support/http/wrap-maker.ts';

const WEB_URL = 'https://cats.example.com/';
const SQUARE = '?width=64&height=64&fit=cover&format=png';
const LEFT = { x: 0.1, y: 0.5 };
const RIGHT = { x: 0.9, y: 0.5 };

/** What a square crop of the picture shows. */
const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];

const service = startFor('all', () => TestService.start({ webUrl: WEB_URL }));
const web = startFor('all', () => WebListener.start(service));
let file: Buffer;
let image: ImageRecord;
let encodes: number;

/** Three squares beside each other. */
async function flag(): Promise<Buffer> {
  const square = (background: string, left: number) => ({
    input: { create: { width: 100, height: 100, channels: 3 as const, background } },
    left,
    top: 0,
  });
  return await sharp({ create: { width: 300, height: 100, channels: 3, background: '#0f0' } })
    .composite([square('#f00', 0), square('#00f', 200)])
    .removeAlpha()
    .png()
    .toBuffer();
}

function patchFocus(focus: unknown, { id } = image): Test {
  const body = JSON.stringify({ focus });
  return service.patchJson(`/api/image/${id}/metadata`, body, 'application/merge-patch+json');
}

function crop(query = SQUARE, { id } = image): Test {
  return service.get(`/api/image/${id}/file${query}`);
}

async function middleOf(response: Response): Promise<readonly number[]> {
  expect([response.status, response.status < 300 ? '' : response.text]).to.deep.equal([response.status, '']);
  const { data, info } = await sharp(response.body as Buffer)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [...data.subarray(at, at + 3)];
}

async function linkTo(rendition: object): Promise<string> {
  const body = JSON.stringify({ ids: [image.id], renditions: [rendition] });
  const response = await service.postJson('/api/images/links', body).expect(200);
  const [url = ''] = (response.body as { images: Record<string, readonly string[]> }).images[image.id] ?? [];
  return url.replace(WEB_URL, '/');
}

describe('The focus of an image', () => {
  before(async () => {
    watchEncodes(service, () => {
      encodes += 1;
    });
    file = await flag();
  });

  beforeEach(async () => {
    image = await service.upload(file, 'flag.png');
    encodes = 0;
  });

  describe('in its metadata', metadataCases);
  describe('in crops', cropCases);
  describe('in conditional requests', conditionCases);
  describe('in links', linkCases);
});

function metadataCases(): void {
  it('is set by an upload', async () => {
    const field = fieldPart('metadata', JSON.stringify({ focus: RIGHT }));
    const { body } = await service.post([filePart(file, 'flag.png'), field]).expect(201);

    expect(await middleOf(await crop(SQUARE, body as ImageRecord))).to.deep.equal(BLUE);
  });
}

function cropCases(): void {
  it('is the middle until it is set', async () => {
    expect(await middleOf(await crop())).to.deep.equal(GREEN);
    await patchFocus(LEFT);
    expect(await middleOf(await crop())).to.deep.equal(RED);
    await patchFocus(null);
    expect(await middleOf(await crop())).to.deep.equal(GREEN);
  });

  it('counts for every format, and where bytes are negotiated', async () => {
    await patchFocus(RIGHT);
    for (const format of ['jpeg', 'webp', 'avif', 'auto']) {
      const response = await crop(`?width=64&height=64&fit=cover&format=${format}`).set('Accept', '*/*');
      if (format === 'jpeg' || format === 'auto') {
        const [red = 255, green = 255, blue = 0] = await middleOf(response);
        expect([red < 50, green < 50, blue > 200], format).to.deep.equal([true, true, true]);
      }
      expect(response.headers['etag'], format).to.match(/-64x64-cover-900x500-/);
    }
    const negotiated = await service.get(`/api/image/${image.id}${SQUARE}`).set('Accept', 'image/png');
    expect(await middleOf(negotiated)).to.deep.equal(BLUE);
  });
}

function conditionCases(): void {
  it('gives a client the new bytes if it has those of another focus', async () => {
    const { etag } = (await crop()).headers as { etag: string };
    await crop().set('If-None-Match', etag).expect(304);
    await patchFocus(LEFT);
    const changed = await crop().set('If-None-Match', etag).expect(200);

    expect(await middleOf(changed)).to.deep.equal(RED);
    await crop()
      .set('If-None-Match', changed.headers['etag'] as string)
      .expect(304);
    await patchFocus(null);
    await crop().set('If-None-Match', etag).expect(304);
  });

  it('makes times worthless: a crop that may have changed has none', async () => {
    const { headers } = await crop();
    const date = headers['last-modified'] as string;
    await crop().set('If-Modified-Since', date).expect(304);
    await patchFocus(LEFT);
    const changed = await crop().set('If-Modified-Since', date).expect(200);

    expect(changed.headers).not.to.have.property('last-modified');
    expect(changed.headers['cache-control']).to.equal('private, max-age=300');
    expect((await crop().set({ Range: 'bytes=0-9', 'If-Range': date })).status).to.equal(200);
    expect((await crop('?width=64').set('If-Modified-Since', date)).status).to.equal(304);
  });
}

function linkCases(): void {
  const RENDITION = { width: 64, height: 64, fit: 'cover', format: 'png' };

  it('is that of the making', async () => {
    const middle = await linkTo(RENDITION);
    await patchFocus(LEFT);
    const left = await linkTo(RENDITION);
    await patchFocus(RIGHT);

    expect(middle).to.match(/\/64x64-cover-lossless\.png\//);
    expect(left).to.match(/\/64x64-cover-100x500-lossless\.png\//);
    expect(await middleOf(await web.get(middle))).to.deep.equal(GREEN);
    expect(await middleOf(await web.get(left))).to.deep.equal(RED);
    expect(await middleOf(await web.get(await linkTo(RENDITION)))).to.deep.equal(BLUE);
  });
}
