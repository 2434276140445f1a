import { expect } from 'chai';
import type { Response } from 'supertest';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService } from '../support/http/test-service.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Trashed {
  readonly image: ImageRecord;
  readonly trashedAt: string;
  readonly trashedBy: string | null;
  readonly erasedAt: string;
}

let service: TestService;
/** Of the last upload. */
let png: Buffer;

function useTrash(): void {
  beforeEach(async () => {
    service = await TestService.start({ trashDays: 30 });
  });

  afterEach(() => service.stop());
}

async function upload(side = 20): Promise<ImageRecord> {
  const tags = fieldPart('metadata', '{"title":"Chelsea","tags":["Cat"]}');
  png = await noisyPng(side, 20);
  const response = await service.post([filePart(png, 'cat.png'), tags]).expect(201);
  return response.body as ImageRecord;
}

async function uploadToTrash(side?: number): Promise<ImageRecord> {
  const image = await upload(side);
  await service.delete(`/api/image/${image.id}`).expect(204);
  return image;
}

async function storedBlobs(): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  for await (const entry of service.storage.blobs.list()) entries.push(entry);
  return entries;
}

async function trash(query = ''): Promise<readonly Trashed[]> {
  const response = await service.get(`/api/trash${query}`).expect(200);
  return response.body as Trashed[];
}

describe('DELETE /api/image/:id with a trash', () => {
  useTrash();

  it('takes the image out of everything, and keeps its bytes', async () => {
    const { id, sha256 } = await uploadToTrash();

    for (const path of [`/api/image/${id}`, `/api/image/${id}/file?width=16`, `/api/image/${id}/metadata`]) {
      expect(refusalOf(await service.get(path))).to.deep.equal([404, 'image_not_found']);
    }
    expect(refusalOf(await service.delete(`/api/image/${id}`))).to.deep.equal([404, 'image_not_found']);
    expect((await service.get('/api/images')).body).to.deep.equal([]);
    expect((await service.get('/api/tags')).body).to.deep.equal([]);
    const lookUp = await service.postJson('/api/images/lookup', JSON.stringify({ sha256: [sha256] }));
    expect(lookUp.body).to.deep.equal({});
    expect((await service.get('/api/usage')).body).to.deep.include({
      images: 0,
      bytes: 0,
      trashed: { images: 1, bytes: png.length },
      limits: { images: null, bytes: null },
    });
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('lists it with its record and the times', async () => {
    const image = await uploadToTrash();

    const [{ trashedAt, erasedAt, ...trashed } = { trashedAt: '', erasedAt: '' }, ...others] = await trash();

    expect(others).to.deep.equal([]);
    expect(trashed).to.deep.equal({ image, trashedBy: image.createdBy });
    expect(Date.parse(erasedAt) - Date.parse(trashedAt)).to.equal(30 * DAY_MS);
  });

  it('lets its idempotency key return 404 until it is restored', async () => {
    const parts = [filePart(await noisyPng(20, 20))];
    const send = (): ReturnType<TestService['post']> => service.post(parts).set('Idempotency-Key', 'k');
    const { id } = (await send()).body as ImageRecord;
    await service.delete(`/api/image/${id}`).expect(204);

    expect(refusalOf(await send())).to.deep.equal([404, 'image_not_found']);
    await service.postJson(`/api/trash/${id}/restore`, '').expect(200);

    expect((await send()).body).to.include({ id });
  });
});

describe('POST /api/trash/:id/restore', () => {
  useTrash();

  it('returns the record as it was, with its bytes', async () => {
    const image = await uploadToTrash();

    const restored = await service.postJson(`/api/trash/${image.id}/restore`, '').expect(200);

    expect(restored.body).to.deep.equal(image);
    expect((await service.get(`/api/image/${image.id}`)).body).to.deep.equal(image);
    const file = await service.get(`/api/image/${image.id}/file`).buffer(true);
    expect(png.equals(file.body as Buffer)).to.equal(true);
    expect((await service.get('/api/images?q=chelsea')).body).to.deep.equal([image]);
    expect(await trash()).to.deep.equal([]);
  });
});

describe('DELETE /api/trash/:id', () => {
  useTrash();

  it('erases the image with its bytes, once', async () => {
    const { id } = await uploadToTrash();

    const erased = await service.delete(`/api/trash/${id}`);

    expect([erased.status, erased.text]).to.deep.equal([204, '']);
    expect(refusalOf(await service.delete(`/api/trash/${id}`))).to.deep.equal([404, 'image_not_found']);
    expect(refusalOf(await service.postJson(`/api/trash/${id}/restore`, ''))[0]).to.equal(404);
    expect(await storedBlobs()).to.deep.equal([]);
  });
});

describe('GET /api/trash', () => {
  useTrash();

  it('lists all, newest first, or in pages', async () => {
    const ids: number[] = [];
    for (let side = 20; side < 25; side += 1) ids.unshift((await uploadToTrash(side)).id);
    const pages: number[][] = [];
    let path: string | undefined = '/api/trash?limit=2';
    while (path !== undefined) {
      const response: Response = await service.get(path).expect(200);
      pages.push((response.body as Trashed[]).map(({ image }) => image.id));
      path = nextOf(response);
    }

    expect((await trash()).map(({ image }) => image.id)).to.deep.equal(ids);
    expect(pages).to.deep.equal([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });
});

describe('The trash of a service without one', () => {
  it('has routes that find nothing, and a delete that removes the bytes', async () => {
    service = await TestService.start();
    const { id } = await uploadToTrash();

    const outcomes = [
      (await service.get('/api/trash')).body,
      refusalOf(await service.postJson(`/api/trash/${id}/restore`, '')),
      refusalOf(await service.delete(`/api/trash/${id}`)),
      await storedBlobs(),
    ];
    await service.stop();

    expect(outcomes).to.deep.equal([[], [404, 'image_not_found'], [404, 'image_not_found'], []]);
  });
});
