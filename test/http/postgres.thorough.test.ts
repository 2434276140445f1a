import { expect } from 'chai';
import supertest from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { TestService } from '../support/http/test-service.ts';
import { openFiles, openPostgresOn, storageOf } from '../support/http/test-storage.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

let bytes: Buffer;

before(async () => {
  bytes = await pngPicture();
});

describe('The service on a Postgres server that is killed', () => {
  let server: PostgresServer | undefined;
  let service: TestService;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    service = await TestService.start({ openStorage: storageOf(openPostgresOn(server), openFiles) });
  });

  after(async () => {
    await server?.start();
    await service?.stop();
    server?.remove();
  });

  beforeEach(async () => {
    await server?.start();
    await eventually(
      async () => (await service.get('/api/images')).status,
      (status) => status === 200,
    );
  });

  const REQUESTS = [
    ['GET /api/images', () => service.get('/api/images')],
    ['GET /api/images?limit=1&count=true', () => service.get('/api/images?limit=1&count=true')],
    ['GET /api/image/1', () => service.get('/api/image/1')],
    ['GET /api/image/1/file', () => service.get('/api/image/1/file')],
    ['DELETE /api/image/1', () => service.delete('/api/image/1')],
    ['POST /api/upload', () => service.post([filePart(bytes, 'cat.png')])],
    [
      'POST /api/upload with a key',
      () => service.post([filePart(bytes, 'cat.png')]).set('Idempotency-Key', 'a-key'),
    ],
  ] as const;
  for (const [request, send] of REQUESTS) {
    it(`returns 503 with Retry-After for ${request}`, async () => {
      await server?.kill();

      const response = await send();

      expect(response.status).to.equal(503);
      expect(response.body).to.include({ code: 'storage_unavailable' });
      expect(response.headers['retry-after']).to.equal('5');
    });
  }

  it('recovers once the server is available again and keeps all acknowledged uploads', async () => {
    const records = await Promise.all(Array.from({ length: 8 }, () => service.upload(bytes)));
    await server?.kill();
    await Promise.all(Array.from({ length: 20 }, () => service.get('/api/images')));
    await server?.start();

    for (const { id } of records) expect((await service.get(`/api/image/${id}`)).status).to.equal(200);
    const next = await service.upload(bytes);
    expect(next.id).to.be.greaterThan(Math.max(...records.map(({ id }) => id)));
  });

  it('reports the database at /readyz', async () => {
    const management = supertest(service.container.get(TOKENS.httpApi).managementApp.callback());
    await server?.kill();

    const down = await management.get('/readyz');
    await server?.start();
    const up = await management.get('/readyz');

    expect(down.status).to.equal(503);
    expect(down.body.checks).to.include({ database: 'unavailable', blobStore: 'ok' });
    expect(up.body.checks).to.include({ database: 'ok' });
  });
});
