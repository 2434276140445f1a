import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import supertest from 'supertest';
import { createServer } from '../../src/adapters/http/server/create-server.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/intercepted.ts';
import { publish, respond } from '../support/signing-key-server.ts';
import { PUBLISHED_KEYS, TestService } from '../support/test-service.ts';

describe('The management listener', () => {
  let service: TestService;
  let management: Server;
  let agent: ReturnType<typeof supertest>;
  let isDatabaseAway = false;
  let isBlobStoreAway = false;

  beforeEach(async () => {
    isDatabaseAway = false;
    isBlobStoreAway = false;
    service = await TestService.start({
      wrapImages: (images) => unusableWhere(images, () => isDatabaseAway),
      wrapBlobs: (blobs) => unusableWhere(blobs, () => isBlobStoreAway),
    });
    const handle = service.container.get(TOKENS.managementApp).callback();
    management = createServer((request, response) => void handle(request, response), {
      requestTimeoutMs: 5_000,
      uuids: service.container.get(TOKENS.uuids),
    });
    management.listen(0, '127.0.0.1');
    await once(management, 'listening');
    agent = supertest(`http://127.0.0.1:${(management.address() as AddressInfo).port}`);
  });

  afterEach(async () => {
    management.close();
    management.closeAllConnections();
    await service.stop();
  });

  it('answers /livez without a token, whatever is away', async () => {
    isDatabaseAway = true;
    isBlobStoreAway = true;
    service.identityProvider.answer = respond(500, '');
    const response = await agent.get('/livez');
    expect([response.status, response.body]).to.deep.equal([200, { status: 'ok' }]);
  });

  it('answers /readyz 200 where everything can be used', async () => {
    const response = await agent.get('/readyz');
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.include({ status: 'ok' });
  });

  it('answers /readyz 503 naming the signing keys until there are some, and then 200', async () => {
    service.identityProvider.answer = respond(500, '');
    const before = await agent.get('/readyz');
    service.identityProvider.answer = publish(PUBLISHED_KEYS);
    const after = await agent.get('/readyz');
    expect([before.status, unavailable(before.body)]).to.deep.equal([503, ['signingKeys']]);
    expect(after.status).to.equal(200);
  });

  it('answers /readyz 503 naming the database', async () => {
    isDatabaseAway = true;
    const response = await agent.get('/readyz');
    expect([response.status, unavailable(response.body)]).to.deep.equal([503, ['database']]);
  });

  it('answers /readyz 503 naming the blob store', async () => {
    isBlobStoreAway = true;
    const response = await agent.get('/readyz');
    expect([response.status, unavailable(response.body)]).to.deep.equal([503, ['blobStore']]);
  });

  it('names all that is away, and no detail of it', async () => {
    isDatabaseAway = true;
    isBlobStoreAway = true;
    const response = await agent.get('/readyz');
    expect(unavailable(response.body)).to.have.members(['database', 'blobStore']);
    expect(response.text).not.to.include('secret');
  });

  it('answers /metrics in the text format of Prometheus', async () => {
    const response = await agent.get('/metrics');
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.match(/^text\/plain; version=/);
    expect(response.text).to.include('process_resident_memory_bytes');
  });

  it('counts requests by method, pattern of the route and status', async () => {
    await service.get('/api/image/7');
    await service.get('/api/image/8');
    await service.anonymous('get', '/');
    await service.idle();
    const { text } = await agent.get('/metrics');
    expect(text).to.include(
      'http_request_duration_seconds_count{method="GET",route="/api/image/:id",status="404"} 2',
    );
    expect(text).to.include('http_request_duration_seconds_count{method="GET",route="/",status="200"} 1');
  });

  it('makes no label of paths that nobody serves, nor of tokens', async () => {
    await service.get('/nowhere/at/all?token=abc');
    await service.anonymous('get', '/other/place');
    await service.idle();
    const { text } = await agent.get('/metrics');
    expect(text).not.to.match(/nowhere|other|abc/);
    expect(text).to.match(/http_request_duration_seconds_count\{method="GET",route="[^"]*",status="404"\} 1/);
  });

  for (const path of ['/', '/api/images', '/nowhere', '/metrics/']) {
    it(`answers 404 to ${path}`, async () => {
      const response = await agent.get(path);
      expect([response.status, (response.body as { code: string }).code]).to.deep.equal([404, 'not_found']);
    });
  }

  for (const path of ['/livez', '/readyz', '/metrics']) {
    it(`serves no ${path} to clients of the API`, async () => {
      expect((await service.get(path)).status).to.equal(404);
    });
  }
});

/** A port of which every call fails while `isAway`. */
function unusableWhere<Port extends object>(port: Port, isAway: () => boolean): Port {
  return intercepted(port, (_method, proceed) => {
    if (isAway()) throw new StorageUnavailable({ cause: new Error('a secret detail') });
    return proceed();
  });
}

function unavailable(body: unknown): readonly string[] {
  const { checks } = body as { checks: Record<string, string> };
  return Object.keys(checks).filter((name) => checks[name] !== 'ok');
}
