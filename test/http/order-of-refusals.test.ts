import { expect } from 'chai';
import { FORM_TYPE, fieldPart, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { type RawConnection, type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 4 * MIB;
const SCOPE = 'images:write';
const WRONG_DIGEST = '0'.repeat(64);

/** An upload that is right but for its space, which is full. */
interface Draft {
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

const services: TestService[] = [];
let service: TestService;
let readOnly: TestService;
let busy: TestService;
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
  { status: 400, code: 'invalid_request', spoil: withHeaders({ 'X-Content-SHA256': 'x' }) },
  { status: 415, code: 'unsupported_media_type', spoil: withHeaders({ 'Content-Encoding': 'gzip' }) },
  {
    status: 413,
    code: 'file_too_large',
    spoil: withHeaders({ 'Content-Length': String(MAX_BYTES + MIB + 1) }),
  },
  { status: 403, code: 'quota_exceeded', spoil: withHeaders({ 'Content-Length': String(3 * MIB) }) },
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
    readOnly = await start({ readOnly: true });
    busy = await start({ uploadConcurrency: 1 });
    await fill(service);
    await fill(busy);
    held = await holdPlace();
  });

  after(async () => {
    held.abandon();
    await Promise.all(services.map((each) => each.stop()));
  });

  for (const [at, refusal] of REFUSALS.entries()) {
    const { status, code } = refusal;
    const next = REFUSALS[at + 1];
    it(`${status} ${code} before ${next === undefined ? 'the record' : `${next.status} ${next.code}`}`, async () => {
      expect(await codeOf([refusal])).to.deep.equal([status, code]);
      if (next !== undefined) expect(await codeOf([refusal, next])).to.deep.equal([status, code]);
    });
  }

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

async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const started = await TestService.start({
    spaceClaim: 'org',
    spaceLimits: { images: 2, bytes: MIB },
    scopes: { write: SCOPE },
    maxFileBytes: MAX_BYTES,
    ...options,
  });
  services.push(started);
  return started;
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

async function holdPlace(): Promise<RawConnection> {
  const connection = await busy.connect();
  const Authorization = busy.bearerWith({ org: 'b', scope: SCOPE });
  const headers = {
    Authorization,
    'Content-Type': FORM_TYPE,
    'Content-Length': 1000,
    Expect: '100-continue',
  };
  connection.send(requestHead('POST', '/api/upload', headers));
  expect((await connection.response()).status).to.equal(100);
  return connection;
}

function serviceFor(refusals: readonly Refusal[]): TestService {
  const kinds = refusals.map(({ on }) => on);
  if (kinds.includes('readOnly')) return readOnly;
  return kinds.includes('busy') ? busy : service;
}

async function send(refusals: readonly Refusal[]): Promise<RawResponse> {
  const to = serviceFor(refusals);
  const draft: Draft = {
    claims: { org: 'a', scope: SCOPE },
    query: '',
    headers: {},
    body: multipart([filePart(picture)]),
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

function headOf({ claims, query, headers, body }: Draft, to: TestService): string {
  const isChunked = 'Transfer-Encoding' in headers;
  return requestHead('POST', `/api/upload${query}`, {
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
async function eventuallyIdle(to: TestService): Promise<void> {
  if (to !== busy) await to.idle();
}

async function codeOf(refusals: readonly Refusal[]): Promise<readonly [number, string]> {
  const { status, body } = await send(refusals);
  return [status, (JSON.parse(body) as { code: string }).code];
}
