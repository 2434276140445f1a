import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

/** What proxies that compress make of the tag `"t"`, and what no proxy makes of it. */
const ALTERED = [
  'W/"t"',
  '"t-gzip"',
  '"t-br"',
  '"t-zstd"',
  '"t;gzip"',
  '"t--gzip"',
  'W/"t-gzip"',
  'W/"t;gzip"',
];
const OTHER = [
  '"t-deflate"',
  '"t-gzip-gzip"',
  '"t-gzip',
  't',
  'w/"t"',
  '"t-"',
  '"t;br"',
  '"gzip"',
  '"-gzip"',
  'W/*',
  'W/W/"t"',
  '"t"-gzip"',
];

const service = startFor('all', () => TestService.start());
let image: ImageRecord;
let png: Buffer;

before(async () => {
  png = await noisyPng(24, 18);
});

beforeEach(async () => {
  image = await service.upload(png, 'cat.png');
});

function point(name: string): Test {
  return service.putJson(`/api/names/${name}`, JSON.stringify({ id: image.id }));
}

function written(tags: readonly string[], tag: string): readonly string[] {
  return tags.map((each) => each.replace('t', tag));
}

async function statuses(
  tags: readonly string[],
  request: (tag: string) => PromiseLike<Response>,
): Promise<number[]> {
  const received: number[] = [];
  for (const tag of tags) received.push((await request(tag)).status);
  return received;
}

describe('tags that a proxy altered', () => {
  it('match in If-Match of a patch', async () => {
    const patch = (tag: string): PromiseLike<Response> =>
      service
        .patchJson(`/api/image/${image.id}/metadata`, '{"title":null}', 'application/merge-patch+json')
        .set('If-Match', tag);

    expect(await statuses(written(ALTERED, 'm1'), patch)).to.deep.equal(ALTERED.map(() => 200));
    expect(await statuses(['"m2", W/"m1-gzip"'], patch)).to.deep.equal([200]);
    expect(await statuses([...written(OTHER, 'm1'), ...written(ALTERED, 'm2')], patch)).to.deep.equal(
      [...OTHER, ...ALTERED].map(() => 412),
    );
  });

  it('match in If-Match of PUT and DELETE of a name', async () => {
    const put = (tag: string): PromiseLike<Response> => point('altered').set('If-Match', tag);
    const remove = (tag: string): PromiseLike<Response> =>
      service.delete('/api/names/altered').set('If-Match', tag);
    await point('altered');

    expect(await statuses(written(ALTERED, 'n1'), put)).to.deep.equal(ALTERED.map(() => 200));
    expect(await statuses(written(OTHER, 'n1'), put)).to.deep.equal(OTHER.map(() => 412));
    expect(await statuses(['"n2-gzip"', 'W/"n1-br"'], remove)).to.deep.equal([412, 204]);
  });

  it('match in If-Match of DELETE of an image', async () => {
    const remove = (tag: string): PromiseLike<Response> =>
      service.delete(`/api/image/${image.id}`).set('If-Match', tag);
    expect(await statuses(written(OTHER, image.sha256), remove)).to.deep.equal(OTHER.map(() => 412));

    for (const tag of written(ALTERED, image.sha256)) {
      const { id } = await service.upload(png);
      expect((await service.delete(`/api/image/${id}`).set('If-Match', tag)).status, tag).to.equal(204);
    }
  });

  it('match in If-Match of an upload with a name', async () => {
    await point('uploaded');
    const upload = (tag: string): PromiseLike<Response> =>
      service.post([filePart(png)], '?name=uploaded').set('If-Match', tag);

    expect(await statuses(['"n2-gzip"', '"n1-gzip"', 'W/"n2"', '"n3"'], upload)).to.deep.equal([
      412, 201, 201, 201,
    ]);
  });

  it('match in If-None-Match of metadata and names, and the record stays 200', async () => {
    await point('cached');
    const get =
      (path: string) =>
      (tag: string): PromiseLike<Response> =>
        service.get(path).set('If-None-Match', tag);

    for (const [path, tag] of [
      [`/api/image/${image.id}/metadata`, 'm1'],
      ['/api/names/cached', 'n1'],
    ] as const) {
      expect(await statuses(written(ALTERED, tag), get(path))).to.deep.equal(ALTERED.map(() => 304));
      expect(await statuses(written(OTHER.slice(0, 2), tag), get(path))).to.deep.equal([200, 200]);
    }
    const record = get(`/api/image/${image.id}`);
    expect(await statuses([`"${image.sha256}"`, `"${image.sha256}-gzip"`], record)).to.deep.equal([200, 200]);
  });
});

describe('tags that a proxy altered', () => {
  it('do not match for bytes, nor their ranges', async () => {
    const get = async (headers: Record<string, string>): Promise<Response> =>
      await service.get(`/api/image/${image.id}/file`).set(headers);
    const tag = `"${image.sha256}-gzip"`;

    expect((await get({ 'If-Match': tag })).status).to.equal(412);
    expect((await get({ 'If-Match': `W/"${image.sha256}"` })).status).to.equal(412);
    expect((await get({ 'If-None-Match': tag })).status).to.equal(200);
    expect((await get({ 'If-Range': tag, Range: 'bytes=0-7' })).status).to.equal(200);
    expect((await get({ 'If-Range': `W/"${image.sha256}"`, Range: 'bytes=0-7' })).status).to.equal(200);
    expect((await get({ 'If-Range': `"${image.sha256}"`, Range: 'bytes=0-7' })).status).to.equal(206);
  });

  it('are not made by proxies that heed no-transform, which bytes do not have', async () => {
    const named = await point('heeded');
    const metadata = `/api/image/${image.id}/metadata`;
    const patched = await service.patchJson(metadata, '{}', 'application/merge-patch+json');
    const read = await Promise.all(
      [metadata, '/api/names/heeded', `/api/image/${image.id}`].map((path) => service.get(path)),
    );
    const bytes = await service.get(`/api/image/${image.id}`).set('Accept', 'image/*');

    expect([named, patched, ...read].map(({ headers }) => headers['cache-control'] as unknown)).to.deep.equal(
      [...Array<string>(4).fill('private, no-cache, no-transform'), 'no-store, no-transform'],
    );
    expect(bytes.headers['cache-control']).to.equal('private, max-age=300');
  });
});
