import { expect } from 'chai';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const MERGE_PATCH = 'application/merge-patch+json';

describe('The alternative text of an image', () => {
  const service = startFor('each', () => TestService.start());

  async function upload(metadata: object = {}): Promise<ImageRecord> {
    const parts = [filePart(await noisyPng(24, 18)), fieldPart('metadata', JSON.stringify(metadata))];
    return (await service.post(parts).expect(201)).body as ImageRecord;
  }

  async function altsOf(query: string): Promise<ReadonlyArray<string | null>> {
    const { body } = await service.get(`/api/images${query}`).expect(200);
    return (body as ImageRecord[]).map(({ alt }) => alt);
  }

  it('is in the record after an upload, a patch and a bulk edit, and in the listing', async () => {
    const { id, alt } = await upload({ alt: ' A cat ' });
    const path = `/api/image/${id}/metadata`;
    expect(alt).to.equal('A cat');
    for (const [written, shown] of [
      ['A dog', 'A dog'],
      [' \u3000 ', ''],
      [null, null],
    ] as const) {
      const patched = await service
        .patchJson(path, JSON.stringify({ alt: written }), MERGE_PATCH)
        .expect(200);
      expect((patched.body as ImageRecord).alt).to.equal(shown);
      expect(await altsOf('?limit=50')).to.deep.equal([shown]);
    }
    await service.postJson('/api/images/metadata', JSON.stringify({ ids: [id], alt: 'Both' })).expect(200);
    expect(((await service.get(`/api/image/${id}`)).body as ImageRecord).alt).to.equal('Both');
    await service.postJson('/api/images/metadata', JSON.stringify({ ids: [id], alt: null })).expect(200);
    expect(await altsOf('')).to.deep.equal([null]);
  });

  it('is found by its words, and the images without one by a filter', async () => {
    await upload({ alt: 'A tabby cat' });
    await upload({ alt: '' });
    await upload();

    expect(await altsOf('?q=tabby')).to.deep.equal(['A tabby cat']);
    expect(await altsOf('?alt=false&limit=50')).to.deep.equal([null]);
    const timeline = await service.get('/api/images/timeline?by=year&alt=false').expect(200);
    expect((timeline.body as Array<{ count: number }>)[0]?.count).to.equal(1);
    await service.get('/api/images?alt=true').expect(400);
  });

  for (const alt of ['two\nlines', 'a\u0007', '\t', 'x'.repeat(501)]) {
    it(`is refused: ${JSON.stringify(alt).slice(0, 20)}`, async () => {
      const { id } = await upload();
      const body = JSON.stringify({ alt });
      for (const response of [
        await service.patchJson(`/api/image/${id}/metadata`, body, MERGE_PATCH),
        await service.postJson('/api/images/metadata', JSON.stringify({ ids: [id], alt })),
        await service.post([filePart(await noisyPng(24, 18)), fieldPart('metadata', body)]),
      ]) {
        expect(response.status).to.equal(400);
        expect(response.body).to.include({ code: 'invalid_request' });
        expect((response.body as { message: string }).message).to.include('"alt"');
      }
    });
  }
});

describe('Images of one uploader', () => {
  const service = startFor('all', () => TestService.start());

  async function idsOf(query: string): Promise<readonly number[]> {
    const { body } = await service.get(`/api/images?${query}`).expect(200);
    return (body as ImageRecord[]).map(({ id }) => id);
  }

  it('are listed and counted by exactly their name, in pages whose cursors belong to it', async () => {
    for (const sub of ['auth0|ann', 'auth0|Ann', 'auth0|ann', 'bo']) {
      const upload = service.post([filePart(await noisyPng(24, 18))]);
      await upload.set('Authorization', service.bearerWith({ sub })).expect(201);
    }

    expect(await idsOf('createdBy=auth0%7Cann')).to.deep.equal([1, 3]);
    expect(await idsOf('createdBy=auth0%7Cann&sort=taken&order=desc')).to.deep.equal([3, 1]);
    expect(await idsOf('createdBy=auth0')).to.deep.equal([]);
    const page = await service.get('/api/images?createdBy=auth0%7Cann&limit=1&count=true').expect(200);
    const next = nextOf(page) ?? '';
    expect(page.headers['x-total-count']).to.equal('2');
    expect((await service.get(next).expect(200)).body).to.have.length(1);
    await service.get(next.replace('createdBy=auth0%7Cann', 'createdBy=bo')).expect(400);
    const timeline = await service.get('/api/images/timeline?by=year&createdBy=bo').expect(200);
    expect((timeline.body as Array<{ count: number }>)[0]?.count).to.equal(1);
    for (const name of ['', 'a'.repeat(256)]) await service.get(`/api/images?createdBy=${name}`).expect(400);
  });
});
