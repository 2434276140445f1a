import { expect } from 'chai';
import supertest from 'supertest';
import { requireVersion } from '../../migrations/require-version.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { PUBLISHED_KEYS, TestService } from '../support/http/test-service.ts';
import { WebListener } from '../support/http/web-listener.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { publish, respond } from '../support/servers/signing-key-server.ts';

let service: TestService;
let management: WebListener;
let agent: ReturnType<typeof supertest>;
let isDatabaseUnavailable = false;
let isBlobStoreUnavailable = false;

function useManagement(begin = beforeEach, end = afterEach): void {
  begin(async () => {
    isDatabaseUnavailable = false;
    isBlobStoreUnavailable = false;
    service = await TestService.start({
      modules: [
        wrapping(TOKENS.images, (images) => failingWhile(images, () => isDatabaseUnavailable)),
        wrapping(TOKENS.blobs, (blobs) => failingWhile(blobs, () => isBlobStoreUnavailable)),
      ],
    });
    management = await WebListener.serve(service, service.container.get(TOKENS.httpApi).managementApp);
    agent = management.agent;
  });

  end(async () => {
    await management.stop();
    await service.stop();
  });
}

describe('The management listener', () => {
  useManagement();

  it('returns 200 for /livez without a token, even if everything else is unavailable', async () => {
    isDatabaseUnavailable = true;
    isBlobStoreUnavailable = true;
    service.identityProvider.answer = respond(500, '');
    const response = await agent.get('/livez');
    expect([response.status, response.body]).to.deep.equal([200, { status: 'ok' }]);
  });

  it('returns 200 for /readyz if all dependencies are available', async () => {
    const response = await agent.get('/readyz');
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.include({ status: 'ok' });
  });

  it('returns 503 for /readyz naming the signing keys until keys are available, then 200', async () => {
    service.identityProvider.answer = respond(500, '');
    const before = await agent.get('/readyz');
    service.identityProvider.answer = publish(PUBLISHED_KEYS);
    const after = await agent.get('/readyz');
    expect([before.status, unavailable(before.body)]).to.deep.equal([503, ['signingKeys']]);
    expect(after.status).to.equal(200);
  });

  it('returns 503 for /readyz naming the database and the blob store, without details', async () => {
    isDatabaseUnavailable = true;
    const first = await agent.get('/readyz');
    isBlobStoreUnavailable = true;
    const both = await agent.get('/readyz');
    expect([first.status, unavailable(first.body)]).to.deep.equal([503, ['database']]);
    expect([both.status, unavailable(both.body)]).to.deep.equal([503, ['database', 'blobStore']]);
    expect(both.text).not.to.include('secret');
  });

  it('is not ready, and no request is handled, once a later version has migrated the catalog', async () => {
    const { knex, schemaGuard } = service.container.get(TOKENS.database);
    await requireVersion(knex, { version: '9.9.9', schema: 9_999 });
    await rejection(schemaGuard.check());

    const [ready, list] = [await agent.get('/readyz'), await service.get('/api/tags')];

    expect([ready.status, unavailable(ready.body)]).to.deep.equal([503, ['database']]);
    expect([list.status, list.body.code]).to.deep.equal([503, 'storage_unavailable']);
    expect(list.headers['retry-after']).to.equal('5');
  });

  it('returns /metrics in the Prometheus text format', async () => {
    const response = await agent.get('/metrics');
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.match(/^text\/plain; version=/);
    expect(response.text).to.include('process_resident_memory_bytes');
    expect(response.text).to.include('image_catalog_http_requests_in_flight 0');
  });
});

describe('The management listener with all dependencies', () => {
  useManagement(before, after);

  it('returns the bytes and the ETag of /api/openapi.json for /openapi.json without a token', async () => {
    const [own, ofTheApi] = [await agent.get('/openapi.json'), await service.get('/api/openapi.json')];
    expect(own.status).to.equal(200);
    expect(own.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(own.headers['cache-control']).to.equal('no-cache');
    expect(own.headers['etag']).to.equal(ofTheApi.headers['etag']);
    expect(own.text).to.equal(ofTheApi.text);
  });

  for (const host of ['localhost', 'LOCALHOST:9090', '127.0.0.1:9090', '[::1]:9090', '192.0.2.7']) {
    it(`serves the host ${host}`, async () => {
      expect((await agent.get('/livez').set('Host', host)).status).to.equal(200);
    });
  }

  for (const host of ['images.example', 'localhost.example:9090', '127.0.0.1.example', '[::1].example', '']) {
    it(`returns 421 for the host "${host}" on a loopback address, whatever the path`, async () => {
      for (const path of ['/metrics', '/nowhere']) {
        const { status, body } = await agent.get(path).set('Host', host);
        expect([status, (body as { code: string }).code]).to.deep.equal([421, 'misdirected_request']);
      }
    });
  }

  it('serves any host on an address that is not of loopback', async () => {
    const open = await TestService.start({ managementHost: '0.0.0.0' });
    const app = open.container.get(TOKENS.httpApi).managementApp.callback();
    const response = await supertest(app).get('/livez').set('Host', 'images.example');
    await open.stop();
    expect(response.status).to.equal(200);
  });

  for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json']) {
    it(`does not serve ${path} to clients of the API`, async () => {
      expect((await service.get(path)).status).to.equal(404);
    });
  }
});

/** A port whose calls fail while `isUnavailable` returns true. */
function failingWhile<Port extends object>(port: Port, isUnavailable: () => boolean): Port {
  return intercepted(port, (_method, proceed) => {
    if (isUnavailable()) throw new StorageUnavailable({ cause: new Error('a secret detail') });
    return proceed();
  });
}

function unavailable(body: unknown): readonly string[] {
  const { checks } = body as { checks: Record<string, string> };
  return Object.keys(checks).filter((name) => checks[name] !== 'ok');
}
