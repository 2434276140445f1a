import { expect } from 'chai';
import type { Test } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { WARN } from '../support/doubles/captured-log.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { jpegOf, scene } from '../support/fixtures/scenes.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

interface Similar {
  readonly image: ImageRecord;
  readonly distance: number;
  readonly kind: string;
}

let service: TestService;

function started(options: TestServiceOptions = {}): void {
  before(async () => {
    service = await TestService.start(options);
  });

  after(() => service.stop());
}

async function similarTo(id: number, query = ''): Promise<readonly Similar[]> {
  return (await service.get(`/api/image/${id}/similar${query}`).expect(200)).body as Similar[];
}

async function kindsOf(id: number, query = ''): Promise<Record<number, string>> {
  const found = await similarTo(id, query);
  return Object.fromEntries(found.map(({ image, kind }) => [image.id, kind]));
}

let original: Buffer;
let image: ImageRecord;

describe('GET /api/image/:id/similar', () => {
  started();

  before(async () => {
    original = await jpegOf(await scene(1));
    image = await service.upload(original, 'original.jpg');
    await service.upload(await jpegOf(await scene(2)), 'other.jpg');
  });

  it('finds a copy in another size and format, with its record', async () => {
    const png = await service.upload(await sharp(original).resize(240).png().toBuffer(), 'small.png');

    const found = await similarTo(image.id);

    const { body } = await service.get(`/api/image/${png.id}`);
    expect(found.find((other) => other.image.id === png.id)).to.deep.include({ image: body, kind: 'copy' });
    expect((await kindsOf(png.id))[image.id]).to.equal('copy');
    expect(found.map((other) => other.image.id)).to.not.include(image.id);
  });

  it('returns what is within the distance, nearest first, no more than the limit', async () => {
    const { width, height } = await sharp(original).metadata();
    const cropped = sharp(original).extract({ left: 0, top: 0, width: Math.round(width * 0.97), height });
    const { id } = await service.upload(await cropped.jpeg().toBuffer());
    const all = (await similarTo(image.id)).map((other) => other.image.id);

    expect(all.at(-1)).to.equal(id);
    expect((await similarTo(image.id, '?distance=0')).map((other) => other.image.id)).to.deep.equal(
      all.slice(0, -1),
    );
    expect(await similarTo(image.id, '?limit=1')).to.have.length(1);
  });
});

function upload(bytes: Uint8Array, query: string, headers: Record<string, string> = {}): Test {
  return service
    .anonymous('post', `/api/upload${query}`)
    .set({ Authorization: service.bearer, 'Content-Type': FORM_TYPE, ...headers })
    .serialize(() => multipart([filePart(bytes, 'cat.jpg')]) as unknown as string)
    .send({});
}

describe('POST /api/upload?similar=report', () => {
  started();

  let original: Buffer;

  before(async () => {
    original = await jpegOf(await scene(3));
  });

  it('adds what GET similar returns then', async () => {
    const first = await upload(original, '?similar=report').expect(201);
    const second = await upload(await sharp(original).resize(300).jpeg().toBuffer(), '?similar=report');

    const { similar, ...record } = second.body as ImageRecord & { similar: readonly Similar[] };
    expect((first.body as { similar: unknown }).similar).to.deep.equal([]);
    expect(similar.map(({ image, kind }) => [image.id, kind])).to.deep.equal([
      [(first.body as ImageRecord).id, 'copy'],
    ]);
    expect(similar).to.deep.equal(await similarTo(record.id));
    expect((await service.get(record.links.self)).body).to.deep.equal(record);
  });

  it('adds what there is now to a replay', async () => {
    const picture = await jpegOf(await scene(4));
    const key = { 'Idempotency-Key': 'replayed' };
    const first = await upload(picture, '?similar=report', key).expect(201);
    const later = await upload(picture, '').expect(201);
    const replay = await upload(picture, '?similar=report', key).expect(201);

    expect((first.body as { similar: unknown }).similar).to.deep.equal([]);
    expect(replay.headers['idempotency-replayed']).to.equal('true');
    const { similar } = replay.body as { similar: readonly Similar[] };
    expect(similar.map(({ image }) => image.id)).to.deep.equal([(later.body as ImageRecord).id]);
  });
});

describe('Look-alikes', () => {
  started({ scopes: { read: 'images:read', write: 'images:write' } });

  it('of an upload need the scope for reading as well', async () => {
    const picture = await jpegOf(await scene(5));
    const write = { Authorization: `Bearer ${service.token({ scope: 'images:write' })}` };
    const both = { Authorization: `Bearer ${service.token({ scope: 'images:write images:read' })}` };

    expect(refusalOf(await upload(picture, '?similar=report', write))).to.deep.equal([
      403,
      'insufficient_scope',
    ]);
    const refused = await upload(picture, '?similar=report', write);
    expect(refused.headers['www-authenticate']).to.include('scope="images:read"');
    expect(await service.records()).to.equal(0);
    await upload(picture, '', write).expect(201);
    await upload(picture, '?similar=report', both).expect(201);
  });
});

describe('Look-alikes in a catalog whose database fails', () => {
  started({
    modules: [
      wrapping(TOKENS.images, (images) =>
        failing(
          failing(images, 'findHashes', new StorageUnavailable(), 1),
          'findMetadata',
          new StorageUnavailable(),
          2,
        ),
      ),
    ],
  });

  it('are missing from the response to an upload, which succeeds, and are 503 alone', async () => {
    const picture = await jpegOf(await scene(6));
    const first = await service.upload(picture);

    const { status, body } = await upload(picture, '?similar=report');

    expect(status).to.equal(201);
    expect(body).to.not.have.property('similar');
    expect(await service.records()).to.equal(2);
    expect(service.log.atLeast(WARN)).to.have.length(1);
    expect(refusalOf(await service.get(first.links.similar))).to.deep.equal([503, 'storage_unavailable']);
  });
});
