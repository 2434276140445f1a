import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { TWO_DIGITS } from '../../src/domain/ports/records/sweep-slices.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { jwk, rsaKey, signToken } from '../support/fixtures/tokens.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { Scrape } from '../support/http/scrape.ts';
import { startFor } from '../support/http/start-for.ts';
import { PUBLISHED_KEYS, TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { publish, respond } from '../support/servers/signing-key-server.ts';
import { Gate } from '../support/time/gate.ts';

const REQUESTS = 'image_catalog_http_request_duration_seconds_count';
const HOUR_S = 3600;
const HOUR_MS = 3_600_000;

let service: TestService;
let picture: Buffer;

before(async () => {
  picture = await pngPicture();
});

interface Held {
  readonly held: TestService;
  readonly asked: Gate;
  readonly goOn: Gate;
}

/** A service that waits in front of each record until the second gate opens. */
async function startHeld(): Promise<Held> {
  const [asked, goOn] = [new Gate(), new Gate()];
  const held = await TestService.start({
    modules: [
      wrapping(TOKENS.images, (images) =>
        intercepted(images, async (method, proceed) => {
          if (method === 'findById') asked.open();
          if (method === 'findById') await goOn.opened;
          return await proceed();
        }),
      ),
    ],
  });
  return { held, asked, goOn };
}

async function scrape(of = service): Promise<Scrape> {
  await of.idle();
  return await scrapeNow(of);
}

async function scrapeNow(of = service): Promise<Scrape> {
  return new Scrape(await of.container.get(TOKENS.telemetry).metrics.text());
}

describe('Metrics', () => {
  service = startFor('each', () => TestService.start());

  describe('of requests', requestCases);
  describe('of uploads', uploadCases);
  describe('of pictures', pictureCases);
  describe('of authentication', authenticationCases);
  describe('of storage', storageCases);
  describe('of the process', processCases);
});

function requestCases(): void {
  it('count by method, route template and status, whatever the path', async () => {
    const anonymous = { Authorization: '' };
    await send('GET', '/api/image/7');
    await send('GET', '/api/image/8');
    await service.head('/api/image/8');
    await send('GET', '/api/image/7/file', anonymous);
    await send('PUT', '/api/images');
    for (const path of ['/nowhere', '/api/nowhere/1']) await send('GET', path);
    for (const method of ['PROPFIND', 'LOCK']) await send(method, '/api/images');
    const found = await scrape();
    for (const [count, method, route, status] of [
      [2, 'GET', '/api/image/:id', '404'],
      [1, 'HEAD', '/api/image/:id', '404'],
      [1, 'GET', '/api/image/:id/file', '401'],
      [1, 'PUT', '/api/images', '405'],
      [2, 'GET', 'none', '404'],
      [2, 'other', '/api/images', '405'],
    ] as const) {
      expect(found.value(REQUESTS, { method, route, status }), `${method} ${route}`).to.equal(count);
    }
    expect(found.text).not.to.include('nowhere');
  });

  async function send(method: string, path: string, headers = {}): Promise<void> {
    const connection = await service.connect();
    connection.send(requestHead(method, path, { Authorization: service.bearer, ...headers }));
    await connection.response();
    connection.abandon();
  }

  it('include every route before its first request', async () => {
    const routes = (await scrape()).labelValues(REQUESTS, 'route');
    expect(routes).to.include.members(['/', '/api/upload', '/api/images', '/api/image/:id/file']);
  });

  it('show a request in flight until its response ends', async () => {
    const { held, asked, goOn } = await startHeld();
    const response = held.get('/api/image/1').then(({ status }) => status);
    await asked.opened;
    const during = (await scrapeNow(held)).value('image_catalog_http_requests_in_flight');
    goOn.open();
    await response;
    const after = (await scrape(held)).value('image_catalog_http_requests_in_flight');
    await held.stop();
    expect([during, after]).to.deep.equal([1, 0]);
  });

  it('tell clients that leave from statuses', async () => {
    const { held, asked, goOn } = await startHeld();
    const connection = await held.connect();
    connection.send(requestHead('GET', '/api/image/1', { authorization: held.bearer }));
    await asked.opened;
    connection.abandon();
    await held.log.entry(({ msg }) => msg === 'client left');
    goOn.open();
    expect((await scrape(held)).value(REQUESTS, { status: 'client_left' })).to.equal(1);
    await held.stop();
  });
}

function uploadCases(): void {
  it('count outcomes by code', async () => {
    const key = randomUUID();
    for (let turn = 0; turn < 2; turn += 1) {
      await service.post([filePart(picture)]).set('Idempotency-Key', key);
    }
    await service.post([filePart(picture.subarray(0, -20))]);
    await service.post([fieldPart('note', 'no file')]);
    const found = await scrape();
    const count = (outcome: string): number => found.value('image_catalog_uploads_total', { outcome });
    const outcomes = ['created', 'replayed', 'invalid_image', 'file_required'];
    expect(outcomes.map(count)).to.deep.equal([1, 1, 1, 1]);
  });

  it('measure each stage', async () => {
    await service.upload(picture);
    const found = await scrape();
    const name = 'image_catalog_upload_stage_duration_seconds_count';
    for (const stage of ['receive', 'inspect', 'store', 'record']) {
      expect(found.value(name, { stage }), stage).to.equal(1);
    }
  });
}

function pictureCases(): void {
  const RESULTS = 'image_catalog_renditions_total';

  it('tell renditions that are made from those in memory', async () => {
    const { id } = await service.upload(picture);
    for (let turn = 0; turn < 3; turn += 1) await service.get(`/api/image/${id}/file?width=16`);
    const found = await scrape();
    const counts = ['made', 'memory', 'cache', 'shared'].map((result) => found.value(RESULTS, { result }));
    expect(counts).to.deep.equal([1, 2, 0, 0]);
  });

  it('count requests for bytes that are lost', async () => {
    const { id } = await service.upload(picture);
    const image = await service.storage.images.findById(id);
    if (image !== undefined) await service.storage.blobs.remove(image.uuid);
    await service.get(`/api/image/${id}/file`);
    expect((await scrape()).value('image_catalog_lost_blobs_total')).to.equal(1);
  });
}

function authenticationCases(): void {
  const FAILURES = 'image_catalog_auth_failures_total';
  const now = Math.floor(Date.now() / 1000);

  it('count refused tokens by reason', async () => {
    const { domain: iss } = service.identityProvider;
    const tokens = {
      missing: '',
      malformed: 'abc',
      signature: signToken({ iss, aud: 'x', exp: now + HOUR_S }, rsaKey('not-published')),
      expired: service.token({ exp: now - 10 }),
      not_active: service.token({ nbf: now + HOUR_S }),
      audience: service.token({ aud: 'https://other.example.test/' }),
      issuer: service.token({ iss: 'https://other.example.test/' }),
    };
    for (const token of Object.values(tokens)) {
      await service.anonymous('get', '/api/images').set('Authorization', `Bearer ${token}`);
    }
    const found = await scrape();
    for (const reason of Object.keys(tokens)) expect(found.value(FAILURES, { reason }), reason).to.equal(1);
  });

  for (const [reason, options] of [
    ['scope', { scopes: { read: 'images:read' } }],
    ['space', { spaceClaim: 'org' }],
  ] as const) {
    it(`count tokens without a ${reason}`, async () => {
      const strict = await TestService.start(options);
      await strict.get('/api/images');
      expect((await scrape(strict)).value(FAILURES, { reason })).to.equal(1);
      await strict.stop();
    });
  }

  it('tell failed fetches of keys from tokens that are wrong', async () => {
    service.identityProvider.answer = respond(500, '');
    await service.get('/api/images');
    const found = await scrape();
    expect(found.value(FAILURES, { reason: 'no_keys' })).to.equal(1);
    expect(found.value('image_catalog_jwks_fetches_total', { result: 'failed' })).to.equal(1);
    expect(found.value('image_catalog_jwks_age_seconds')).to.equal(Infinity);
  });

  it('have the age of the keys', async () => {
    service.identityProvider.answer = publish([...PUBLISHED_KEYS, jwk(rsaKey('second'))]);
    await service.get('/api/images');
    const found = await scrape();
    expect(found.value('image_catalog_jwks_fetches_total', { result: 'ok' })).to.equal(1);
    expect(found.value('image_catalog_jwks_age_seconds')).to.be.within(0, 60);
  });
}

function storageCases(): void {
  it('measure calls of database and blob store by operation', async () => {
    const { id } = await service.upload(picture);
    await service.get(`/api/image/${id}`);
    const found = await scrape();
    const count = (store: string, operation: string): number =>
      found.value(`image_catalog_${store}_call_duration_seconds_count`, { operation });
    expect([count('database', 'add'), count('database', 'findById')]).to.deep.equal([1, 1]);
    expect([count('blob', 'put'), count('blob', 'open')]).to.deep.equal([1, 0]);
  });

  it('count failed calls', async () => {
    await service.container.get(TOKENS.database).knex.schema.renameTable('images', 'elsewhere');
    await service.get('/api/image/1');
    const errors = 'image_catalog_database_call_errors_total';
    expect((await scrape()).value(errors, { operation: 'findById' })).to.equal(1);
  });

  it('count sweeps and what they remove', async () => {
    const before = await scrape();
    await service.container.get(TOKENS.sweepOrphans).sweepOwn({ dryRun: false });
    const after = await scrape();
    const lastSuccess = 'image_catalog_sweep_last_success_timestamp_seconds';
    expect(before.value(lastSuccess)).to.equal(0);
    expect(after.value(lastSuccess)).to.be.closeTo(Date.now() / 1000, 60);
    expect(after.value('image_catalog_sweeps_total', { result: 'ok' })).to.equal(1);
    expect(after.labelValues('image_catalog_swept_total', 'kind')).to.include('blob');
  });

  it('count slices of the blob store, and tell how long one was not swept', async () => {
    const age = 'image_catalog_sweep_slices_age_seconds';
    expect((await scrape()).value(age)).to.be.NaN;
    const sweepBlobs = service.container.get(TOKENS.sweepBlobs);
    for (const _ of [...TWO_DIGITS, 'none is due']) await sweepBlobs.sweepDue(HOUR_MS, STAYING);
    const after = await scrape();
    expect(after.value('image_catalog_sweep_slices_total', { result: 'ok' })).to.equal(TWO_DIGITS.length);
    expect(after.value(age)).to.be.within(0, 60);
  });

  it('count streams of changes', async () => {
    const leaving = new AbortController();
    await fetch(`${service.url}/api/changes`, {
      headers: { Authorization: service.bearer, Accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    expect((await scrape()).value('image_catalog_change_readers')).to.equal(1);
    leaving.abort();
  });

  it('have no interval of sweeps if the catalog is read-only', async () => {
    const readOnly = await TestService.start({ readOnly: true });
    expect((await scrape(readOnly)).value('image_catalog_sweep_interval_seconds')).to.equal(0);
    await readOnly.stop();
  });

  it('have the free space of each data folder', async () => {
    const found = await scrape();
    const [free, size] = ['free', 'size'].map((what) =>
      found.value(`image_catalog_disk_${what}_bytes`, { folder: 'staging' }),
    );
    expect(free).to.be.above(0);
    expect(size).to.be.above(free ?? Infinity);
  });
}

function processCases(): void {
  it('name the version, and have no other name without the prefix but those of the process', async () => {
    const found = await scrape();
    const [info] = found.all('image_catalog_build_info');
    expect(info?.value).to.equal(1);
    expect(info?.labels.version).to.match(/^\d+\.\d+\.\d+/);
    for (const { name } of found.series) expect(name).to.match(/^(image_catalog|process|nodejs)_/);
  });
}
