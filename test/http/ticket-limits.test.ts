import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { beginUpload, outcomeOf } from '../support/http/begun-upload.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import type { TestServiceOptions } from '../support/http/test-service.ts';
import { openByEnvironment, type TestStorage } from '../support/http/test-storage.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const MIB = 1024 * 1024;

let png: Buffer;
let other: Buffer;
let clock: ManualClock;
let storage: TestStorage;
let running: TicketedService[];

/** All services of a test have one catalog. */
async function start(options: TestServiceOptions = {}): Promise<TicketedService> {
  const openStorage = async (): Promise<TestStorage> => ({ ...storage, tearDown: async () => undefined });
  const tickets = await TicketedService.start({ openStorage, serviceClock: clock, ...options });
  running.push(tickets);
  return tickets;
}

function useCatalog(): void {
  before(async () => {
    [png, other] = [await noisyPng(20, 20), await noisyPng(21, 21)];
  });

  beforeEach(async () => {
    clock = new ManualClock(new Date());
    storage = await openByEnvironment(clock);
    running = [];
  });

  afterEach(async () => {
    for (const tickets of running) await tickets.stop();
    expect(await storage.leftovers()).to.deep.equal([]);
    await storage.tearDown();
  });
}

describe('Uploads by ticket', () => {
  useCatalog();

  it('go into the space of the token that made the ticket, and its quota is judged at use', async () => {
    const tickets = await start({ spaceClaim: 'org', spaceLimits: { images: 1 } });
    const [first, second] = [await tickets.ticket({}, { org: 'a' }), await tickets.ticket({}, { org: 'a' })];
    const elsewhere = await tickets.ticket({}, { org: 'b' });
    const uploaded = await tickets.upload(first, png);
    const { id } = uploaded.body as ImageRecord;

    expect(refusalOf(await tickets.upload(second, other))).to.deep.equal([403, 'quota_exceeded']);
    expect((await tickets.upload(first, png)).headers).to.include({ 'idempotency-replayed': 'true' });
    expect((await tickets.upload(elsewhere, png)).status).to.equal(201);
    const path = `/api/image/${id}`;
    const statuses = await Promise.all(
      ['a', 'b'].map(async (org) => {
        const bearer = tickets.service.bearerWith({ org });
        return (await tickets.service.get(path).set('Authorization', bearer)).status;
      }),
    );
    expect(statuses).to.deep.equal([200, 404]);

    const bearer = tickets.service.bearerWith({ org: 'a' });
    await tickets.service.delete(path).set('Authorization', bearer).expect(204);
    expect((await tickets.upload(second, other)).status).to.equal(201);
  });

  it('are refused for the quota before their body, unless the ticket was used', async () => {
    const tickets = await start({ spaceLimits: { bytes: png.length }, maxFileBytes: 4 * MIB });
    const [used, path] = [await tickets.ticket(), await tickets.ticket()];
    expect((await tickets.upload(used, png)).status).to.equal(201);
    const length = { 'Content-Length': png.length + MIB };
    const [refused, asked] = [
      await beginUpload(tickets, path, length),
      await beginUpload(tickets, used, length),
    ];
    asked.connection.abandon();

    expect([refused, asked].map(({ first }) => outcomeOf(first))).to.deep.equal([
      '403 quota_exceeded',
      '100',
    ]);
  });

  it('name nobody if RECORD_ACTOR was off when the ticket was made, or is off at its use', async () => {
    const [named, nameless] = [await start(), await start({ recordActor: false })];
    const uploads = [
      await named.upload(await named.ticket(), png),
      await named.upload(await nameless.ticket(), png),
      await nameless.upload(await named.ticket(), png),
    ];
    const records = await Promise.all(
      uploads.map(({ body }) => named.service.get(`/api/image/${(body as ImageRecord).id}`)),
    );

    expect(records.map(({ body }) => (body as ImageRecord).createdBy)).to.deep.equal(['alice', null, null]);
  });

  it('may have the smaller of the two limits: that of the ticket and the present one of the service', async () => {
    const [large, small] = [await start(), await start({ maxFileBytes: png.length - 1 })];
    const path = await large.ticket();

    expect(refusalOf(await small.upload(path, png))).to.deep.equal([413, 'file_too_large']);
    expect((await large.upload(path, png)).status).to.equal(201);
  });
});

describe('Uploads by ticket, whatever comes of them,', () => {
  useCatalog();

  it('leave no ticket in logs and metrics', async () => {
    const tickets = await start();
    const path = await tickets.ticket({ metadata: { title: 'Cat' } });
    const short = path.slice(0, 20);
    for (const shape of [path, `${path}A`, `${path}/x`, `${path}?a`, short, `${short}/${path.slice(20)}`]) {
      await tickets.upload(shape, png);
      await tickets.web.get(shape);
      await tickets.service.get(shape);
    }
    await tickets.upload(path, other);
    await tickets.web.idle();
    await tickets.service.idle();
    const metrics = await tickets.service.container.get(TOKENS.telemetry).metrics.text();

    for (const text of [tickets.service.log.text, metrics]) expect(text).not.to.include(path.slice(3, 20));
    expect(tickets.service.log.text).to.include('"path":"/u/…"');
    expect(metrics).to.match(/route="web:\/u\/:ticket"[^}]*status="201"\} 1\n/);
    expect(metrics).to.match(/uploads_total\{outcome="created"\} 1\n/);
    expect(metrics).to.match(/uploads_total\{outcome="ticket_used"\} 1\n/);
  });
});
