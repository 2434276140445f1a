import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Clock } from '../../src/domain/ports/process/clock.ts';
import { FORM_TYPE, fieldPart, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { beginUpload } from '../support/http/begun-upload.ts';
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

/** Gives the upload a fault; of the service, if the fault is not one of the upload. */
type Spoil = ((draft: Draft) => void) | 'readOnly' | 'busy';

type Refusal = readonly [status: number, code: string, ...spoils: readonly Spoil[]];

/** An API, or the listener of its tickets. */
type Target = Pick<TestService, 'connect' | 'idle' | 'bearerWith'>;

const stops: Array<() => Promise<void>> = [];
let service: TestService;
let targets: Readonly<Record<'usual' | 'readOnly' | 'busy', Target>>;
let held: RawConnection;
let picture: Buffer;
/** That of the key `deleted`. */
let deletedPicture: Buffer;
let usedPicture: Buffer;

before(async () => {
  deletedPicture = await noisyPng(11, 11);
  usedPicture = await noisyPng(21, 20);
});

function withBody(bytes: Uint8Array): (draft: Draft) => void {
  return withDraft({ body: multipart([filePart(bytes)]) });
}

function withHeaders(headers: Record<string, string>): (draft: Draft) => void {
  return (draft) => {
    draft.headers = { ...draft.headers, ...headers };
  };
}

function withDraft(changed: Partial<Draft>): (draft: Draft) => void {
  return (draft) => void Object.assign(draft, changed);
}

function withClaim(name: string, value: unknown): (draft: Draft) => void {
  return (draft) => draft.claims && (draft.claims[name] = value);
}

/** By the headers of the form, of uploads by token and by ticket. */
const BY_HEADERS: readonly Refusal[] = [
  [400, 'invalid_request', withHeaders({ 'X-Content-SHA256': 'x' })],
  [415, 'unsupported_media_type', withHeaders({ 'Content-Encoding': 'gzip' })],
  [413, 'file_too_large', withHeaders({ 'Content-Length': String(MAX_BYTES + MIB + 1) })],
  [403, 'quota_exceeded', withHeaders({ 'Content-Length': String(3 * MIB) })],
];

const MISMATCH: Refusal = [400, 'digest_mismatch', withHeaders({ 'X-Content-SHA256': WRONG_DIGEST })];
const TORN: Refusal = [422, 'invalid_image', (draft) => withBody(picture.subarray(0, -20))(draft)];
const FULL: Refusal = [403, 'quota_exceeded'];

/** In the order of the contract. */
const REFUSALS: readonly Refusal[] = [
  [401, 'credentials_required', withDraft({ claims: undefined })],
  [403, 'insufficient_scope', withClaim('scope', 'other')],
  [403, 'space_missing', withClaim('org', 7)],
  [503, 'read_only', 'readOnly'],
  [400, 'invalid_request', withDraft({ query: '?similar=yes' })],
  ...BY_HEADERS,
  [503, 'overloaded', 'busy'],
  [400, 'file_required', withDraft({ body: multipart([fieldPart('other', 'field')]) })],
  MISMATCH,
  [422, 'idempotency_key_reused', withHeaders({ 'Idempotency-Key': 'used' })],
  TORN,
  [412, 'precondition_failed', withDraft({ query: '?name=hero' }), withHeaders({ 'If-Match': '"n1"' })],
  FULL,
];

const OF_THE_FILE: readonly Refusal[] = [
  [415, 'unsupported_media_type', withBody(Buffer.from('no picture'))],
  [
    413,
    'file_too_large',
    (draft) => withBody(Buffer.concat([picture, Buffer.alloc(MAX_BYTES)]))(draft),
    withHeaders({ 'Transfer-Encoding': 'chunked' }),
  ],
];

describe('The refusals of an upload come in their order:', () => {
  before(async () => {
    picture = await noisyPng(20, 20);
    service = await start();
    const busy = await start({ uploadConcurrency: 1 });
    targets = { usual: service, readOnly: await start({ readOnly: true }), busy };
    await fill(service);
    await fill(busy);
    held = await holdPlace('/api/upload', { org: 'b', scope: SCOPE });
  });

  after(stopAll);

  inOrder(REFUSALS);

  for (const refusal of OF_THE_FILE) {
    const [status, code] = refusal;
    it(`${status} ${code} of the file before the digest`, async () => {
      expect(await codeOf([refusal, MISMATCH])).to.deep.equal([status, code]);
    });
  }

  it('404 of a key whose image was deleted before the quota', async () => {
    const body = (draft: Draft): void => withBody(deletedPicture)(draft);
    const deleted: Refusal = [404, 'image_not_found', withHeaders({ 'Idempotency-Key': 'deleted' }), body];
    expect(await codeOf([deleted])).to.deep.equal([404, 'image_not_found']);
  });

  it('nothing of a refused upload remains', async () => {
    expect(await service.records()).to.equal(2);
    expect(await service.leftovers()).to.deep.equal([]);
  });
});

/** Of a ticket whose space is full. */
const OF_TICKETS: readonly Refusal[] = [
  [403, 'ticket_invalid', withDraft({ query: '?' })],
  [410, 'ticket_expired', withTicket('expired')],
  [503, 'read_only', 'readOnly'],
  ...BY_HEADERS,
  [409, 'idempotency_key_in_use', 'busy', withTicket('held')],
  [503, 'overloaded', 'busy'],
  [409, 'ticket_used', withTicket('used'), withHeaders({ 'X-Content-SHA256': WRONG_DIGEST })],
  [
    400,
    'file_required',
    (draft) => withDraft({ body: multipart([fieldPart('other', 'x'.repeat(picture.length))]) })(draft),
  ],
  // Not refused before the body, if the ticket was used.
  [400, 'digest_mismatch', (draft) => withHeaders({ 'X-Content-SHA256': sha256(usedPicture) })(draft)],
  [409, 'ticket_used', withTicket('used')],
  TORN,
  FULL,
];

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Of tickets on the web listener. */
const paths = { fresh: '', used: '', held: '', expired: '' };

function withTicket(ticket: keyof typeof paths): (draft: Draft) => void {
  return (draft) => withDraft({ path: paths[ticket] })(draft);
}

describe('The refusals of an upload by ticket come in their order:', () => {
  let storage: TestStorage;

  before(async () => {
    picture = await noisyPng(20, 20);
    // With the form, the other picture is as long: its length does not tell them apart.
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
    const [status, code] = refusal;
    const next = refusals[at + 1];
    it(`${status} ${code} before ${next?.slice(0, 2).join(' ') ?? 'the record'}`, async () => {
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
  const headers = claims && { Authorization: targets.busy.bearerWith(claims) };
  const { connection, first } = await beginUpload(targets.busy, path, headers);
  expect(first.status).to.equal(100);
  return connection;
}

function targetFor(refusals: readonly Refusal[]): Target {
  const kinds = refusals.flat();
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
  for (const [, , ...spoils] of refusals.toReversed()) {
    for (const spoil of spoils) if (typeof spoil === 'function') spoil(draft);
  }
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
