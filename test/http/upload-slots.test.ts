import type { Socket } from 'node:net';
import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import { type BegunUpload, beginUpload } from '../support/http/begun-upload.ts';
import { type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const SECOND = 1_000;
/** Of a body that never ends. */
const LENGTH = 150_000;
const START = openMultipart([filePart(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))]);
const MESSAGE = 'All upload slots were taken, and this upload was the slowest of the client with the most';

/** An upload that sends so many bytes each second. */
interface SlowUpload extends BegunUpload {
  readonly bytesASecond: number;
}

let time: ManualTime;
let service: TestService;
let slow: SlowUpload[];
/** The other ends of the connections. */
let sockets: Socket[];
let sent: number;

async function start(options: TestServiceOptions): Promise<void> {
  time = new ManualTime();
  [slow, sockets] = [[], []];
  service = await TestService.start({ timer: time.after, stallTimeoutMs: 30 * SECOND, ...options });
  watchConnections(service);
}

function watchConnections({ server }: TestService): void {
  server.on('connection', (socket) => sockets.push(socket));
}

/** Begins an upload and sends the beginning of its form. */
async function begin(claims: Record<string, unknown>, bytesASecond: number): Promise<SlowUpload> {
  return await beginAt(service, '/api/upload', bytesASecond, { Authorization: service.bearerWith(claims) });
}

async function beginAt(
  to: Pick<TestService, 'connect'>,
  path: string,
  bytesASecond: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<SlowUpload> {
  const begun = await beginUpload(to, path, { ...headers, 'Content-Length': LENGTH });
  expect(begun.first.status).to.equal(100);
  begun.connection.send(START);
  const upload = { ...begun, bytesASecond };
  slow.push(upload);
  return upload;
}

/** Lets seconds pass in which the slow uploads send, and the service reads what they have sent. */
async function passSeconds(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    const before = received();
    sent = 0;
    for (const { connection, bytesASecond } of slow) {
      connection.send(Buffer.alloc(bytesASecond));
      sent += bytesASecond;
    }
    const expected = before + sent;
    await eventually(received, (bytes) => bytes >= expected);
    await time.settle(SECOND);
  }
}

function received(): number {
  return sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
}

async function upload(claims: Record<string, unknown>, bytes: Buffer): Promise<RawResponse> {
  const form = multipart([filePart(bytes)]);
  const connection = await service.connect();
  connection.send(
    requestHead('POST', '/api/upload', {
      Authorization: service.bearerWith(claims),
      'Content-Type': FORM_TYPE,
      'Content-Length': form.length,
    }),
  );
  connection.send(form);
  return await connection.response();
}

/** Those that the service has ended, with what it has sent them. */
async function endedOf(uploads: readonly SlowUpload[]): Promise<readonly RawResponse[]> {
  return await Promise.all(
    uploads
      .filter(({ connection }) => connection.pending !== '')
      .map(({ connection }) => connection.response()),
  );
}

async function stop(): Promise<void> {
  for (const { connection } of slow) connection.abandon();
  expect(await service.leftovers()).to.deep.equal([]);
  await service.stop();
}

describe('Two subjects whose slow uploads have all slots', () => {
  let picture: Buffer;
  let inspected: Promise<RawResponse>;
  let proceed: Gate;

  before(async () => {
    picture = Buffer.from(await noisyPng(20, 20));
  });

  beforeEach(async () => {
    await start({ uploadConcurrency: 64 });
    await holdInspection();
    for (let number = 0; number < 30; number += 1) await begin({ sub: 'alice' }, 1_000);
    for (let number = 0; number < 31; number += 1) await begin({ sub: 'bob' }, 1_000 + number);
    await begin({ sub: 'dave' }, 1_000);
    await passSeconds(10);
    // It is younger than ten seconds.
    await begin({ sub: 'alice' }, 1_000);
  });

  afterEach(async () => {
    proceed.open();
    await inspected;
    await stop();
  });

  /** An upload of alice arrives, and is inspected until the gate opens. */
  async function holdInspection(): Promise<void> {
    const inspector = service.container.get(TOKENS.uploadInspector);
    const inspect = inspector.inspect.bind(inspector);
    const reached = new Gate();
    proceed = new Gate();
    inspector.inspect = async (...args) => {
      inspector.inspect = inspect;
      reached.open();
      await proceed.opened;
      return await inspect(...args);
    };
    inspected = upload({ sub: 'alice' }, picture);
    await reached.opened;
  }

  it('give their slowest ones to a third, and nobody else loses one', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => upload({ sub: 'carol' }, picture)));
    expect(responses.map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 201));

    const ofOthers = slow.slice(-2);
    const ended = await endedOf(slow.slice(0, -2));
    expect(ended.map(({ status, body }) => [status, JSON.parse(body)])).to.deep.equal(
      Array.from({ length: ended.length }, () => [408, { code: 'request_timeout', message: MESSAGE }]),
    );
    expect(ended.length).to.be.within(1, 10);
    expect(await endedOf(ofOthers)).to.deep.equal([]);
    proceed.open();
    expect((await inspected).status).to.equal(201);
  });

  it('tell of it in the log and in the metrics', async () => {
    await upload({ sub: 'carol' }, picture);
    const line = await service.log.entry(({ code }) => code === 'request_timeout');
    expect(line).to.include({ msg: 'request', status: 408, reason: 'slot_taken' });
    const text = await service.container.get(TOKENS.metrics).text();
    expect(text).to.match(/uploads_timed_out_total\{reason="slot_taken"\} 1\n/);
  });

  it('keep them if the third has as many already', async () => {
    const begun: BegunUpload[] = [];
    for (let number = 0; number < 24; number += 1) {
      begun.push(
        await beginUpload(service, '/api/upload', {
          Authorization: service.bearerWith({ sub: 'carol' }),
          'Content-Length': LENGTH,
        }),
      );
    }
    for (const { connection } of begun) connection.abandon();
    expect(begun.map(({ first }) => first.status)).to.deep.equal([
      // The others have 21 each by then.
      ...Array.from({ length: 21 }, () => 100),
      ...Array.from({ length: 3 }, () => 503),
    ]);
  });
});

describe('An upload that has most slots', () => {
  afterEach(stop);

  it('keeps its slot if it is fast enough', async () => {
    await start({ uploadConcurrency: 4, maxFileBytes: 10_000_000 });
    for (const [sub, bytesASecond] of [
      ['alice', 64_000],
      ['alice', 64_000],
      ['bob', 70_000],
      ['bob', 64_000],
    ] as const) {
      const headers = { Authorization: service.bearerWith({ sub }), 'Content-Length': '5000000' };
      const begun = await beginUpload(service, '/api/upload', headers);
      begun.connection.send(START);
      slow.push({ ...begun, bytesASecond });
    }
    await passSeconds(10);
    expect((await upload({ sub: 'carol' }, Buffer.from(await pngPicture()))).status).to.equal(503);
  });

  it('gives it to another space if SPACE_CLAIM is set', async () => {
    await start({ uploadConcurrency: 4, spaceClaim: 'org' });
    for (const sub of ['alice', 'bob']) await begin({ sub, org: 'cats' }, 1_000);
    for (const sub of ['carol', 'dave']) await begin({ sub, org: 'dogs' }, 1_100);
    await passSeconds(10);
    const picture = Buffer.from(await pngPicture());

    expect((await upload({ sub: 'erin', org: 'birds' }, picture)).status).to.equal(201);
    expect(await endedOf(slow.slice(2))).to.deep.equal([]);
    expect(await endedOf(slow.slice(0, 2))).to.have.length(1);
  });
});

describe('Slow uploads by ticket that have all of their slots', () => {
  let tickets: TicketedService;

  beforeEach(async () => {
    [slow, sockets, time] = [[], [], new ManualTime()];
    tickets = await TicketedService.start({
      timer: time.after,
      stallTimeoutMs: 30 * SECOND,
      uploadConcurrency: 8,
    });
    service = tickets.service;
    watchConnections(service);
    tickets.web.watchConnections((socket) => void sockets.push(socket));
  });

  afterEach(async () => {
    for (const { connection } of slow) connection.abandon();
    expect(await tickets.leftovers()).to.deep.equal([]);
    await tickets.stop();
  });

  it('give one to a subject, also if it only compares, and its ticket can be used again', async () => {
    const picture = Buffer.from(await noisyPng(200, 200));
    const path = await tickets.ticket();
    expect((await tickets.upload(path, picture)).status).to.equal(201);
    await beginAt(tickets, path, 500);
    await beginAt(tickets, await tickets.ticket(), 1_000);
    for (const sub of ['alice', 'alice', 'bob', 'bob', 'dave', 'dave']) await begin({ sub }, 1_000);
    await passSeconds(10);

    expect((await upload({ sub: 'carol' }, picture)).status).to.equal(201);
    const [ended] = await endedOf(slow);
    expect([ended?.status, JSON.parse(ended?.body ?? '')]).to.deep.equal([
      408,
      { code: 'request_timeout', message: MESSAGE },
    ]);
    const repeated = await tickets.upload(path, picture);
    expect([repeated.status, repeated.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
  });
});
