import { expect } from 'chai';
import type { Test } from 'supertest';
import { filePart } from '../support/fixtures/multipart.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const MAX = 3;

for (const recordActor of [true, false]) {
  describe(`The limit of changes of a subject, with RECORD_ACTOR=${recordActor}`, () => {
    const service = startFor('each', () =>
      TestService.start({ changesPerDay: MAX, trashDays: 1, recordActor }),
    );

    async function uploaded(): Promise<number> {
      const { body } = await service.post([filePart(tinyPng(1))]).expect(201);
      return (body as ImageRecord).id;
    }

    function send(
      sub: string,
      method: 'delete' | 'patch' | 'post' | 'put',
      path: string,
      body?: object,
    ): Test {
      const type = method === 'patch' ? 'application/merge-patch+json' : 'application/json';
      const request = service.anonymous(method, path).set('Authorization', service.bearerWith({ sub }));
      return body === undefined ? request : request.type(type).send(JSON.stringify(body));
    }

    function patch(sub: string, id: number, title: string): Test {
      return send(sub, 'patch', `/api/image/${id}/metadata`, { title });
    }

    it('refuses PATCH, bulk edits, names and restores with 429 and Retry-After, and nothing else', async () => {
      const [id, trashed] = [await uploaded(), await uploaded()];
      await send('alice', 'delete', `/api/image/${trashed}`).expect(204);
      await send('alice', 'put', '/api/names/cat', { id }).expect(201);
      await patch('alice', id, 'One').expect(200);
      await patch('alice', id, 'Two').expect(200);

      const refused = [
        await patch('alice', id, 'Three'),
        await send('alice', 'post', '/api/images/metadata', { ids: [id], addTags: ['cat'] }),
        await send('alice', 'put', '/api/names/dog', { id }),
        await send('alice', 'post', `/api/trash/${trashed}/restore`),
      ];

      for (const response of refused) {
        expect(refusalOf(response)).to.deep.equal([429, 'too_many_changes']);
        expect(Number(response.headers['retry-after'])).to.be.within(23 * 60 * 60, 25 * 60 * 60);
      }
      await patch('alice', id, 'Two').expect(200);
      await send('alice', 'delete', '/api/names/cat').expect(204);
      await patch('bob', id, 'Three').expect(200);
      await send('alice', 'delete', `/api/image/${id}`).expect(204);
    });
  });
}
