import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type BegunUpload, beginUpload } from '../support/http/begun-upload.ts';
import { type RawConnection, type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

/** Larger than the buffers of a connection. */
const LARGE = 24 * 1024 * 1024;

const LIMIT = 2;
const STALL_MS = 30_000;
/** Of uploads that stall. */
let time: VirtualTimers;
let endTime: () => void;
let service: TestService;
let form: Buffer;
let held: readonly BegunUpload[];

const endings: ReadonlyArray<readonly [how: string, end: (upload: BegunUpload) => Promise<unknown>]> = [
  ['is stored', async ({ connection }) => await finish(connection)],
  [
    'is rejected',
    async ({ connection }) => {
      connection.send(openMultipart([filePart(Buffer.from('no picture at all'))]));
      return await connection.response();
    },
  ],
  [
    'has stalled',
    async ({ connection }) => {
      connection.send(form.subarray(0, -30));
      await settled();
      for (let passed = 0; passed < STALL_MS; passed += 1_000) time.pass(1_000);
      return await connection.response();
    },
  ],
  [
    'is aborted',
    async ({ connection }) => {
      connection.send(form.subarray(0, -30));
      connection.abandon();
      await service.log.entry(({ msg }) => msg === 'client left');
    },
  ],
  [
    'is aborted before its body',
    async ({ connection }) => {
      connection.abandon();
      await service.log.entry(({ msg }) => msg === 'client left');
    },
  ],
];

describe('Uploads above the concurrency limit', () => {
  before(async () => {
    form = multipart([filePart(await pngPicture())]);
  });

  beforeEach(async () => {
    service = await TestService.start({ uploadConcurrency: LIMIT, stallTimeoutMs: STALL_MS });
    time = new VirtualTimers();
    endTime = time.useEverywhere();
    held = await Promise.all(Array.from({ length: LIMIT }, () => begin()));
    expect(held.map(({ first }) => first.status)).to.deep.equal([100, 100]);
  });

  afterEach(async () => {
    endTime();
    for (const { connection } of held) connection.abandon();
    await service.stop();
  });

  it('get no 100 Continue, and a line in the log that names the bound, which the response does not', async () => {
    const { connection, first } = await begin();
    await connection.closed;
    expect([first.status, connection.pending]).to.deep.equal([503, '']);

    const entry = await service.log.entry(({ msg }) => msg === 'request');
    expect(entry).to.include({ status: 503, code: 'overloaded', reason: 'uploads' });
    expect(first.body).to.not.include('uploads');
  });

  it('are exactly those above the limit if many arrive at once', async () => {
    for (const { connection } of held) await finish(connection);
    const uploads = await Promise.all(Array.from({ length: 20 }, () => begin()));
    const statuses = uploads.map(({ first }) => first.status);
    for (const { connection } of uploads) connection.abandon();
    expect(statuses.filter((status) => status === 100)).to.have.length(LIMIT);
    expect(statuses.filter((status) => status === 503)).to.have.length(20 - LIMIT);
  });

  for (const [how, end] of endings) {
    it(`are accepted again after an upload ${how}`, async () => {
      const [upload] = held;
      if (upload !== undefined) await end(upload);
      await allButHeld();
      const { connection, first } = await begin();
      const stored = await finish(connection);
      expect([first.status, stored.status]).to.deep.equal([100, 201]);
    });
  }
});

async function begin(Authorization = anotherSubject()): Promise<BegunUpload> {
  return await beginUpload(service, '/api/upload', { Authorization, 'Content-Length': form.length });
}

/** The limit per subject is not tested here. */
function anotherSubject(): string {
  return service.bearerWith({ sub: randomUUID() });
}

async function finish(connection: RawConnection): Promise<RawResponse> {
  connection.send(form);
  return await connection.response();
}

/** The client may read a response a moment before the service releases the upload. */
async function allButHeld(): Promise<void> {
  await eventually(
    () => service.runningRequests,
    (running) => running < LIMIT,
  );
}

describe('The uploads of one subject', () => {
  const PLACES = 4;
  before(async () => {
    service = await TestService.start({ uploadConcurrency: PLACES });
  });

  after(() => service.stop());

  it('take at most half of the places and leave the rest to other subjects', async () => {
    const held = await Promise.all(Array.from({ length: PLACES / 2 }, () => begin(service.bearer)));
    const beyond = await begin(service.bearer);
    const other = await begin(service.bearerWith({ sub: 'carol' }));
    for (const { connection } of [...held, beyond, other]) connection.abandon();
    await service.idle();

    expect(held.map(({ first }) => first.status)).to.deep.equal([100, 100]);
    expect(refusalOf(beyond.first)).to.deep.equal([503, 'overloaded']);
    expect(other.first.status).to.equal(100);
  });
});

describe('The uploads of one space', () => {
  const PLACES = 4;

  for (const [spaceClaim, inSpace] of [
    ['org', 503],
    [undefined, 100],
  ] as const) {
    it(`take ${spaceClaim === undefined ? 'all' : 'at most half'} of the places with SPACE_CLAIM=${spaceClaim}`, async () => {
      service = await TestService.start({ uploadConcurrency: PLACES, ...(spaceClaim && { spaceClaim }) });
      const begun: BegunUpload[] = [];
      for (const [sub, org] of ['alice a', 'bob a', 'carol a', 'alice b'].map((claims) =>
        claims.split(' '),
      )) {
        begun.push(await begin(service.bearerWith({ sub, org })));
      }
      for (const { connection } of begun) connection.abandon();
      await service.stop();

      expect(begun.map(({ first }) => first.status)).to.deep.equal([100, 100, inSpace, 100]);
    });
  }
});

describe('An upload whose client disconnects', () => {
  it('is not inspected if its inspection has not begun, and leaves no orphaned files', async () => {
    const service = await TestService.start();
    const inspector = service.container.get(TOKENS.uploadInspector);
    const inspect = inspector.inspect.bind(inspector);
    const [asked, left] = [new Gate(), new Gate()];
    let outcome: Promise<unknown> = Promise.resolve();
    inspector.inspect = (file, mediaType, signal) => {
      asked.open();
      outcome = left.opened.then(() => inspect(file, mediaType, signal));
      return outcome as ReturnType<typeof inspect>;
    };
    const connection = await service.connect();
    const form = multipart([filePart(await pngPicture())]);
    connection.send(
      requestHead('POST', '/api/upload', {
        Authorization: service.bearer,
        'Content-Type': FORM_TYPE,
        'Content-Length': form.length,
      }),
    );
    connection.send(form);
    await asked.opened;
    connection.abandon();
    await service.log.entry(({ msg }) => msg === 'client left');
    left.open();

    expect((await rejection(outcome)).name).to.equal('AbortError');
    expect([await service.leftovers(), await service.records()]).to.deep.equal([[], 0]);
    await service.stop();
  });
});

describe('The listener', () => {
  const service = startFor('all', () => TestService.start({ maxFileBytes: LARGE }));

  it('has explicit limits', () => {
    const { headersTimeout, keepAliveTimeout, timeout } = service.server;
    expect({ headersTimeout, keepAliveTimeout, timeout }).to.deep.equal({
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      // Clients that read nothing have a check of their own.
      timeout: 0,
    });
  });
});
