import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const NO_CAPTURE = {
  takenAt: null,
  make: null,
  model: null,
  lens: null,
  iso: null,
  fNumber: null,
  exposureSeconds: null,
  focalLengthMm: null,
  creator: null,
  copyright: null,
  credit: null,
  usageTerms: null,
};

let png: Buffer;

before(async () => {
  png = await noisyPng(24, 18);
});

const service = startFor('all', () => TestService.start());

function metadataOf({ id }: Pick<ImageRecord, 'id'>): Test {
  return service.get(`/api/image/${id}/metadata`);
}

function patch({ id }: Pick<ImageRecord, 'id'>, body: unknown, type = MERGE_PATCH): Test {
  return service.patchJson(`/api/image/${id}/metadata`, JSON.stringify(body), type);
}

function messageOf(response: Response): string {
  return (response.body as { message: string }).message;
}

function codeOf(response: Response): string {
  return (response.body as { code: string }).code;
}

let image: ImageRecord;

describe('the metadata of an image', () => {
  beforeEach(async () => {
    image = await service.upload(png, 'cat.png');
  });

  it('is empty after an upload without any, in version 1', async () => {
    const response = await metadataOf(image).expect(200);

    expect(response.body).to.deep.equal({
      title: null,
      description: null,
      alt: null,
      tags: [],
      takenAt: null,
      focus: null,
      capture: NO_CAPTURE,
      updatedAt: null,
    });
    expect(response.headers).to.include({ etag: '"m1"', 'cache-control': 'private, no-cache, no-transform' });
  });

  it('is what a patch says, in the record and in the listing as well', async () => {
    const said = { title: 'Chelsea', tags: ['tabby', 'Sofa'], takenAt: '2026-01-31T12:00:00+02:00' };
    const shown = { title: 'Chelsea', tags: ['Sofa', 'tabby'], takenAt: '2026-01-31T12:00:00.000+02:00' };

    const response = await patch(image, { ...said, description: 'one\r\ntwo' }).expect(200);
    const record = await service.get(`/api/image/${image.id}`).expect(200);
    const page = await service.get('/api/images?limit=1&order=desc').expect(200);

    expect(response.body).to.include({ title: 'Chelsea', description: 'one\ntwo', takenAt: shown.takenAt });
    expect(response.headers['etag']).to.equal('"m2"');
    expect(record.body).to.deep.include(shown);
    expect((page.body as ImageRecord[])[0]).to.deep.include(shown);
  });

  it('is 304 for a client that has this version', async () => {
    await metadataOf(image).set('If-None-Match', '"m1"').expect(304);
    await patch(image, { title: 'Chelsea' });

    await metadataOf(image).set('If-None-Match', '"m1"').expect(200);
  });

  it('changes only in the version that If-Match names', async () => {
    await patch(image, { title: 'a' }).set('If-Match', '"m1"').expect(200);
    const stale = await patch(image, { title: 'b' }).set('If-Match', '"m1"').expect(412);
    await patch(image, { title: 'b' }).set('If-Match', '"m3"').expect(412);
    await patch(image, { title: 'b' }).set('If-Match', '*').expect(200);

    expect(codeOf(stale)).to.equal('precondition_failed');
  });

  it('shows a token without the scope for reading its new ETag alone after a patch', async () => {
    const scoped = await TestService.start({ scopes: { read: 'images:read', write: 'images:write' } });
    const [write, both] = ['images:write', 'images:write images:read'].map((scope) => ({
      Authorization: scoped.bearerWith({ scope }),
    }));
    const { body } = await scoped.post([filePart(png)]).set(write ?? {});
    const path = `/api/image/${(body as ImageRecord).id}/metadata`;
    const writing = await scoped.patchJson(path, '{"title":"Chelsea"}', MERGE_PATCH).set(write ?? {});
    const reading = await scoped.patchJson(path, '{"title":"Chelsea"}', MERGE_PATCH).set(both ?? {});
    await scoped.stop();

    expect([writing.status, writing.text, writing.headers['etag']]).to.deep.equal([204, '', '"m2"']);
    expect(writing.headers).not.to.have.any.keys('content-type', 'cache-control');
    expect(reading.body).to.include({ title: 'Chelsea' });
  });

  refusedPatches();
});

function refusedPatches(): void {
  it('takes a merge patch only, and says so', async () => {
    const ofType = await patch(image, { title: 'x' }, 'application/json').expect(415);
    const packed = await patch(image, { title: 'x' }).set('Content-Encoding', 'gzip').expect(415);

    expect(codeOf(ofType)).to.equal('unsupported_media_type');
    for (const { headers } of [ofType, packed]) expect(headers['accept-patch']).to.equal(MERGE_PATCH);
  });

  it('is refused in the order of the contract: type, size, image, version, body', async () => {
    const unknown = { id: 999_999 };
    expect((await patch(unknown, { x: 1 }, 'text/plain')).status).to.equal(415);
    expect((await patch(unknown, { x: 1 })).status).to.equal(404);
    expect((await patch(image, { x: 1 }).set('If-Match', '"m9"')).status).to.equal(412);
    expect((await patch(image, { x: 1 })).status).to.equal(400);
  });
}

describe('an upload with metadata', () => {
  const metadata = (value: unknown) =>
    fieldPart('metadata', typeof value === 'string' ? value : JSON.stringify(value));

  for (const [title, parts] of [
    ['before', (field: ReturnType<typeof metadata>) => [field, filePart(png)]],
    ['after', (field: ReturnType<typeof metadata>) => [filePart(png), field]],
  ] as const) {
    it(`takes the field ${title} the file`, async () => {
      const response = await service.post(parts(metadata({ title: 'Chelsea', tags: ['tabby'] }))).expect(201);

      expect(response.body).to.deep.include({ title: 'Chelsea', tags: ['tabby'], takenAt: null });
      const stored = await metadataOf(response.body as ImageRecord);
      expect(stored.headers['etag']).to.equal('"m1"');
      expect(stored.body).to.include({ title: 'Chelsea', updatedAt: null });
    });
  }

  for (const [title, values, message] of [
    ['ill-formed JSON', ['{'], /"metadata" is not JSON/],
    ['two fields', ['{}', '{}'], /more than one field "metadata"/],
    ['a blank title', ['{"title":""}'], /"title" may not be blank/],
  ] as const) {
    it(`refuses ${title}, and stores nothing`, async () => {
      const before = await service.records();
      const response = await service.post([filePart(png), ...values.map(metadata)]).expect(400);

      expect(codeOf(response)).to.equal('invalid_request');
      expect(messageOf(response)).to.match(message);
      expect(await service.records()).to.equal(before);
      expect(await service.leftovers()).to.deep.equal([]);
    });
  }

  it('refuses the field as a file', async () => {
    const response = await service
      .post([filePart(png), filePart(Buffer.from('{}'), 'a.json', 'metadata')])
      .expect(400);

    expect(codeOf(response)).to.equal('too_many_files');
  });

  it('reads time and camera from the file; a set time wins, and null goes back to it', async () => {
    const jpeg = withExif(
      await jpegPicture(24, 18),
      exifBlock({ image: { 0x010f: 'NIKON' }, photo: { 0x9003: '2020:02:29 10:00:00', 0x9011: '+01:00' } }),
    );
    const camera = '2020-02-29T10:00:00.000+01:00';
    const image = await service.upload(jpeg, 'cat.jpg');
    const set = await patch(image, { takenAt: '2021-01-01T00:00:00Z' }).expect(200);
    const cleared = await patch(image, { takenAt: null }).expect(200);

    expect(image).to.include({ takenAt: camera });
    expect(set.body).to.deep.include({
      takenAt: '2021-01-01T00:00:00.000Z',
      capture: { ...NO_CAPTURE, takenAt: camera, make: 'NIKON' },
    });
    expect(cleared.body).to.include({ takenAt: camera });
  });

  it('shows the present record when it is replayed', async () => {
    const upload = () =>
      service.post([filePart(png, 'r.png'), metadata({ title: 'first' })]).set('Idempotency-Key', 'replayed');
    const first = await upload().expect(201);
    await patch(first.body as ImageRecord, { title: 'second' });
    const replay = await upload().expect(201);

    expect(replay.headers['idempotency-replayed']).to.equal('true');
    expect(replay.body).to.include({ id: (first.body as ImageRecord).id, title: 'second' });
  });
});

describe('the tags of many images', () => {
  const service = startFor('all', () => TestService.start());
  let images: readonly ImageRecord[];

  before(async () => {
    images = [await service.upload(png), await service.upload(png), await service.upload(png)];
  });

  const tag = (body: unknown) => service.postJson('/api/images/metadata', JSON.stringify(body));

  it('are changed together, removals first, and unknown ids are named', async () => {
    const [one, two, three] = images.map(({ id }) => id);
    await tag({ ids: [one, two, three], addTags: ['a', 'b'] }).expect(200);
    const response = await tag({
      ids: [two, 999_999, one, two],
      addTags: ['B'],
      removeTags: ['b', 'a'],
    }).expect(200);
    const records = await service.get('/api/images').expect(200);

    expect(response.body).to.deep.equal({ updated: [two, one], missing: [999_999] });
    expect((await service.get('/api/tags')).body).to.deep.equal([
      { tag: 'a', count: 1 },
      { tag: 'b', count: 3 },
    ]);
    expect((records.body as ImageRecord[]).map(({ tags }) => tags)).to.deep.equal([['b'], ['b'], ['a', 'b']]);
  });
});
