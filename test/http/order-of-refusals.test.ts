import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Clock } from '../../src/domain/ports/process/clock.ts';
import { FORM_TYPE, fieldPart, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { type RawConnection, type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { openByEnvironment, type TestStorage } from '../support/http/test-storage.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 4 * MIB;
const SCOPE = 'images:write';
const WRONG_DIGEST = '0'.repeat(64);

/** An upload that is right but for its space, which is full. */
interface Draft {
  path: string;
  /** `undefined`: it has no token. */
  claims: Record<string, unknown> | undefined;
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Gives the upload the fault. */
  readonly spoil: (draft: Draft) => void;
  /** Of the service, if the fault is not one of the upload. */
  readonly on?: 'readOnly' | 'busy';
}

/** An API, or the listener of its tickets. */
type Target = Pick<TestService, 'connect' | 'idle' | 'bearerWith'>;

const stops: Array<() => Promise<void>> = [];
let service: TestService;
let targets: Readonly<Record<'usual' | 'readOnly' | 'busy', Target>>;
let held: RawConnection;
let picture: Buffer;
/** That of the key `deleted`. */
let deletedPicture: Buffer;

function withBody(bytes: Uint8Array): (draft: Draft) => void {
  return (draft) => {
    draft.body = multipart([filePart(bytes)]);
  };
}

function withHeaders(headers: Record<string, string>): (draft: Draft) => void {
  return (draft) => {
    draft.headers = { ...draft.headers, ...headers };
  };
}

/** By the headers of the form, of uploads by token and by ticket. */
const BY_HEADERS: readonly Refusal[] = [
  { status: 400, code: 'invalid_request', spoil: withHeaders({ 'X-Content-SHA256': 'x' }) },
  { status: 415, code: 'unsupported_media_type', spoil: withHeaders({ 'Content-Encoding': 'gzip' }) },
  {
    status: 413,
    code: 'file_too_large',
    spoil: withHeaders({ 'Content-Length': String(MAX_BYTES + MIB + 1) }),
  },
  { status: 403, code: 'quota_exceeded', spoil: withHeaders({ 'Content-Length': String(3 * MIB) }) },
];

/** In the order of the contract. */
const REFUSALS: readonly Refusal[] = [
  {
    status: 401,
    code: 'credentials_required',
    spoil: (draft) => {
      draft.claims = undefined;
    },
  },
  {
    status: 403,
    code: 'insufficient_scope',
    spoil: (draft) => draft.claims && (draft.claims['scope'] = 'other'),
  },
  { status: 403, code: 'space_missing', spoil: (draft) => draft.claims && (draft.claims['org'] = 7) },
  { status: 503, code: 'read_only', on: 'readOnly', spoil: () => undefined },
  {
    status: 400,
    code: 'invalid_request',
    spoil: (draft) => {
      draft.query = '?similar=yes';
    },
  },
  ...BY_HEADERS,
  { status: 503, code: 'overloaded', on: 'busy', spoil: () => undefined },
  {
    status: 400,
    code: 'file_required',
    spoil: (draft) => {
      draft.body = multipart([fieldPart('other', 'field')]);
    },
  },
  {
    status: 400,
    code: 'digest_mismatch',
    spoil: withHeaders({ 'X-Content-SHA256': WRONG_DIGEST }),
  },
  { status: 422, code: 'idempotency_key_reused', spoil: withHeaders({ 'Idempotency-Key': 'used' }) },
  { status: 422, code: 'invalid_image', spoil: (draft) => withBody(picture.subarray(0, -20))(draft) },
  { status: 403, code: 'quota_exceeded', spoil: () => undefined },
];

const OF_THE_FILE: readonly Refusal[] = [
  { status: 415, code: 'unsupported_media_type', spoil: withBody(Buffer.from('no picture')) },
  {
    status: 413,
    code: 'file_too_large',
    spoil: (draft) => {
      withBody(Buffer.concat([picture, Buffer.alloc(MAX_BYTES)]))(draft);
      draft.headers = { ...draft.headers, 'Transfer-Encoding': 'chunked' };
    },
  },
];

describe('The refusals of an upload come in their order:', () => {
  before(async () => {
    picture = await noisyPng(20, 20);
    deletedPicture = await noisyPng(11, 11);
    service = await start();
    const busy = await start({ uploadConcurrency: 1 });
    targets = { usual: service, readOnly: await start({ readOnly: true }), busy };
    await fill(service);
    await fill(busy);
    held = await holdPlace('/api/upload', { org: 'b', scope: SCOPE });
  });

  after(stopAll);

  inOrder(REFUSALS);

  const mismatch = REFUSALS.find(({ code }) => code === 'digest_mismatch');
  for (const refusal of OF_THE_FILE) {
    it(`${refusal.status} ${refusal.code} of the file before the digest`, async () => {
      const faults = mismatch === undefined ? [] : [refusal, mismatch];
      expect(await codeOf(faults)).to.deep.equal([refusal.status, refusal.code]);
    });
  }

  it('404 of a key whose image was deleted before the quota', async () => {
    const deleted: Refusal = {
      status: 404,
      code: 'image_not_found',
      spoil: (draft) => {
        withHeaders({ 'Idempotency-Key': 'deleted' })(draft);
        withBody(deletedPicture)(draft);
      },
    };
    expect(await codeOf([deleted])).to.deep.equal([404, 'image_not_found']);
  });

  it('nothing of a refused upload remains', async () => {
    expect(await service.records()).to.equal(2);
    expect(await service.leftovers()).to.deep.equal([]);
  });
});

/** Of a ticket whose space is full. */
const OF_TICKETS: readonly Refusal[] = [
  {
    status: 403,
    code: 'ticket_invalid',
    spoil: (draft) => {
      draft.query = '?';
    },
  },
  { status: 410, code: 'ticket_expired', spoil: (draft) => withTicket(draft, 'expired') },
  { status: 503, code: 'read_only', on: 'readOnly', spoil: () => undefined },
  ...BY_HEADERS,
  {
    status: 409,
    code: 'idempotency_key_in_use',
    on: 'busy',
    spoil: (draft) => withTicket(draft, 'held'),
  },
  { status: 503, code: 'overloaded', on: 'busy', spoil: () => undefined },
  {
    status: 409,
    code: 'ticket_used',
    spoil: (draft) => {
      withTicket(draft, 'used');
      withHeaders({ 'X-Content-SHA256': WRONG_DIGEST })(draft);
    },
  },
  {
    status: 400,
    code: 'file_required',
    spoil: (draft) => {
      draft.body = multipart([fieldPart('other', 'x'.repeat(picture.length))]);
    },
  },
  {
    status: 400,
    code: 'digest_mismatch',
    // Not refused before the body, if the ticket was used.
    spoil: (draft) =>
      withHeaders({ 'X-Content-SHA256': createHash('sha256').update(usedPicture).digest('hex') })(draft),
  },
  { status: 409, code: 'ticket_used', spoil: (draft) => withTicket(draft, 'used') },
  { status: 422, code: 'invalid_image', spoil: (draft) => withBody(picture.subarray(0, -20))(draft) },
  { status: 403, code: 'quota_exceeded', spoil: () => undefined },
];

/** Of tickets on the web listener. */
const paths = { fresh: '', used: '', held: '', expired: '' };
let usedPicture: Buffer;

function withTicket(draft: Draft, ticket: keyof typeof paths): void {
  draft.path = paths[ticket];
}

describe('The refusals of an upload by ticket come in their order:', () => {
  let storage: TestStorage;

  before(async () => {
    picture = await noisyPng(20, 20);
    // With the form, the other picture is as long: its length does not tell them apart.
    usedPicture = await noisyPng(21, 20);
    const clock = new ManualClock(new Date());
    storage = await openByEnvironment(clock);
    const usual = await startTickets(storage, clock);
    const busy = await startTickets(storage, clock, { uploadConcurrency: 1 });
    targets = { usual, readOnly: await startTickets(storage, clock, { readOnly: true }), busy };
    for (const name of ['fresh', 'used', 'held', 'expired'] as const) {
      const ttlSeconds = name === 'expired' ? 60 : 3600;
      paths[name] = await usual.tickets.ticket({ ttlSeconds }, { org: 'a', scope: SCOPE });
    }
    clock.advance(60_000);
    expect((await usual.tickets.upload(paths.used, usedPicture)).status).to.equal(201);
    await uploadUnder('other', await noisyPng(13, 13), usual.tickets.service);
    held = await holdPlace(paths.held);
  });

  after(async () => {
    await stopAll();
    await storage.tearDown();
  });

  inOrder(OF_TICKETS, () => ({ path: paths.fresh, claims: undefined }));
});

const SETTINGS: TestServiceOptions = {
  spaceClaim: 'org',
  spaceLimits: { images: 2, bytes: MIB },
  scopes: { write: SCOPE },
  maxFileBytes: MAX_BYTES,
};

async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const started = await TestService.start({ ...SETTINGS, ...options });
  stops.push(() => started.stop());
  return started;
}

interface TicketTarget extends Target {
  readonly tickets: TicketedService;
}

/** All of them have one catalog. */
async function startTickets(
  storage: TestStorage,
  serviceClock: Clock,
  options: TestServiceOptions = {},
): Promise<TicketTarget> {
  const openStorage = async (): Promise<TestStorage> => ({ ...storage, tearDown: async () => undefined });
  const tickets = await TicketedService.start({ ...SETTINGS, openStorage, serviceClock, ...options });
  stops.push(() => tickets.stop());
  return {
    tickets,
    connect: () => tickets.connect(),
    idle: () => tickets.web.idle(),
    bearerWith: (claims) => tickets.service.bearerWith(claims),
  };
}

async function stopAll(): Promise<void> {
  held.abandon();
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

function inOrder(refusals: readonly Refusal[], fresh: () => Partial<Draft> = () => ({})): void {
  for (const [at, refusal] of refusals.entries()) {
    const { status, code } = refusal;
    const next = refusals[at + 1];
    it(`${status} ${code} before ${next === undefined ? 'the record' : `${next.status} ${next.code}`}`, async () => {
      expect(await codeOf([refusal], fresh())).to.deep.equal([status, code]);
      if (next !== undefined) expect(await codeOf([refusal, next], fresh())).to.deep.equal([status, code]);
    });
  }
}

/** Leaves two images, and the key of a third one. */
async function fill(full: TestService): Promise<void> {
  const { id } = await uploadUnder('deleted', deletedPicture, full);
  const bearer = full.bearerWith({ org: 'a' });
  expect((await full.delete(`/api/image/${id}`).set('Authorization', bearer)).status).to.equal(204);
  await uploadUnder('used', await noisyPng(12, 12), full);
  await uploadUnder('other', await noisyPng(13, 13), full);
}

async function uploadUnder(key: string, bytes: Uint8Array, to: TestService): Promise<ImageRecord> {
  const response = await to
    .post([filePart(bytes)])
    .set({ Authorization: to.bearerWith({ org: 'a', scope: SCOPE }), 'Idempotency-Key': key });
  expect(response.status).to.equal(201);
  return response.body as ImageRecord;
}

async function holdPlace(path: string, claims?: Draft['claims']): Promise<RawConnection> {
  const connection = await targets.busy.connect();
  const headers = {
    ...(claims !== undefined && { Authorization: targets.busy.bearerWith(claims) }),
    'Content-Type': FORM_TYPE,
    'Content-Length': 1000,
    Expect: '100-continue',
  };
  connection.send(requestHead('POST', path, headers));
  expect((await connection.response()).status).to.equal(100);
  return connection;
}

function targetFor(refusals: readonly Refusal[]): Target {
  const kinds = refusals.map(({ on }) => on);
  if (kinds.includes('readOnly')) return targets.readOnly;
  return kinds.includes('busy') ? targets.busy : targets.usual;
}

async function send(refusals: readonly Refusal[], fresh: Partial<Draft>): Promise<RawResponse> {
  const to = targetFor(refusals);
  const draft: Draft = {
    path: '/api/upload',
    claims: { org: 'a', scope: SCOPE },
    query: '',
    headers: {},
    body: multipart([filePart(picture)]),
    ...fresh,
  };
  // The first fault last: it wins where both concern one header.
  for (const { spoil } of refusals.toReversed()) spoil(draft);
  const connection = await to.connect();
  connection.send(headOf(draft, to));
  connection.send(bodyOf(draft));
  const response = await connection.response();
  connection.abandon();
  await eventuallyIdle(to);
  return response;
}

function headOf({ path, claims, query, headers, body }: Draft, to: Target): string {
  const isChunked = 'Transfer-Encoding' in headers;
  return requestHead('POST', `${path}${query}`, {
    ...(claims !== undefined && { Authorization: to.bearerWith(claims) }),
    'Content-Type': FORM_TYPE,
    ...(!isChunked && { 'Content-Length': body.length }),
    ...headers,
  });
}

function bodyOf({ headers, body }: Draft): Buffer {
  if (!('Transfer-Encoding' in headers)) return body;
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}

/** The upload that holds its place goes on. */
async function eventuallyIdle(to: Target): Promise<void> {
  if (to !== targets.busy) await to.idle();
}

async function codeOf(
  refusals: readonly Refusal[],
  fresh: Partial<Draft> = {},
): Promise<readonly [number, string]> {
  const { status, body } = await send(refusals, fresh);
  return [status, (JSON.parse(body) as { code: string }).code];
}
