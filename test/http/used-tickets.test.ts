import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { beginUpload, outcomeOf } from '../support/http/begun-upload.ts';
import { type RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

const MIB = 1024 * 1024;
const USED = '409 ticket_used';

let png: Buffer;

before(async () => {
  png = await noisyPng(100, 100);
});

const tickets = startFor('all', () =>
  TicketedService.start({
    maxFileBytes: 4 * MIB,
    modules: [
      wrapping(TOKENS.staging, (staging) =>
        intercepted(staging, async (method, proceed) => {
          if (method === 'receive') staged += 1;
          return await proceed();
        }),
      ),
    ],
  }),
);
let digest: string;
/** Of the same size. */
let other: Buffer;
let path: string;
let id: number;
/** Files that were written to the staging area. */
let staged: number;

function httpChunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

async function send(headers: Readonly<Record<string, string | number>>): Promise<RawConnection> {
  const connection = await tickets.connect();
  connection.send(requestHead('POST', path, { 'Content-Type': FORM_TYPE, ...headers }));
  return connection;
}

/** The first response to an upload without its body: 100 if the body is requested. */
async function firstOf(headers: Readonly<Record<string, string | number>>): Promise<string> {
  const length = { 'Content-Length': png.length + 500 };
  const { connection, first } = await beginUpload(tickets, path, { ...length, ...headers });
  connection.abandon();
  await tickets.web.idle();
  return outcomeOf(first);
}

describe('A ticket that has been used', () => {
  before(async () => {
    other = Buffer.concat([png.subarray(0, -1), Buffer.from('x')]);
    digest = createHash('sha256').update(png).digest('hex');
  });

  beforeEach(async () => {
    path = await tickets.ticket();
    ({ id } = (await tickets.upload(path, png).expect(201)).body as { readonly id: number });
    staged = 0;
  });

  afterEach(async () => {
    expect(await tickets.leftovers()).to.deep.equal([]);
    expect(staged).to.equal(0);
  });

  describe('asks for no body', refusedByHeaders);
  describe('compares a body', compared);
});

function refusedByHeaders(): void {
  it('whose X-Content-SHA256 is not that of its image', async () => {
    expect(await firstOf({ 'X-Content-SHA256': '0'.repeat(64) })).to.equal(USED);
    expect(await firstOf({ 'X-Content-SHA256': digest.toUpperCase() })).to.equal('100');
  });

  it('that is shorter than its image, or longer by more than 1 MiB', async () => {
    const lengths = [png.length - 1, png.length, png.length + MIB, png.length + MIB + 1];
    const outcomes = [];
    for (const length of lengths) outcomes.push(await firstOf({ 'Content-Length': length }));

    expect(outcomes).to.deep.equal([USED, '100', '100', USED]);
  });

  it('with another digest after its image was deleted', async () => {
    await tickets.service.delete(`/api/image/${id}`).expect(204);

    expect(await firstOf({ 'X-Content-SHA256': '0'.repeat(64) })).to.equal(USED);
    expect(await firstOf({ 'X-Content-SHA256': digest })).to.equal('100');
  });

  it('that it would refuse without the use: above the limit, or ill-formed', async () => {
    expect(await firstOf({ 'Content-Length': 5 * MIB + 1 })).to.equal('413 file_too_large');
    expect(await firstOf({ 'X-Content-SHA256': 'x' })).to.equal('400 invalid_request');
  });
}

function compared(): void {
  it('of the same bytes, and returns the first image', async () => {
    const again = await tickets.upload(path, png, 'other.png');
    expect([again.status, (again.body as { readonly id: number }).id]).to.deep.equal([201, id]);
    expect(again.headers).to.include({ 'idempotency-replayed': 'true' });
  });

  it('of the same bytes in chunks', async () => {
    const connection = await send({ 'Transfer-Encoding': 'chunked' });
    connection.send(httpChunk(multipart([filePart(png)])));
    connection.send('0\r\n\r\n');
    const { status, body } = await connection.response();
    connection.end();

    expect([status, (JSON.parse(body) as { readonly id: number }).id]).to.deep.equal([201, id]);
  });

  it('of other bytes, as many as the image has', async () => {
    expect(refusalOf(await tickets.upload(path, other))).to.deep.equal([409, 'ticket_used']);
    const sent = tickets.upload(path, other).set('X-Content-SHA256', digest);
    expect(refusalOf(await sent)).to.deep.equal([400, 'digest_mismatch']);
  });

  for (const [what, form] of [
    ['a file', (): Buffer => openMultipart([filePart(Buffer.concat([png, Buffer.alloc(100, 'x')]))])],
    ['a body', (): Buffer => Buffer.alloc(png.length + MIB + 1, '\r\n')],
  ] as const) {
    it(`until ${what} has more bytes than the image, and reads no further`, async () => {
      const connection = await send({ 'Transfer-Encoding': 'chunked' });
      connection.send(httpChunk(form()));
      const response = await connection.response();
      connection.abandon();

      expect(outcomeOf(response)).to.equal(USED);
    });
  }

  it('after its image was deleted: 404 for the same bytes, 409 for others', async () => {
    await tickets.service.delete(`/api/image/${id}`).expect(204);

    expect(refusalOf(await tickets.upload(path, png))).to.deep.equal([404, 'image_not_found']);
    expect(refusalOf(await tickets.upload(path, other))).to.deep.equal([409, 'ticket_used']);
  });

  it('and judges its form as ever', async () => {
    const text = Buffer.alloc(png.length, 'no picture ');
    expect(refusalOf(await tickets.upload(path, text))).to.deep.equal([415, 'unsupported_media_type']);
    const two = [filePart(png.subarray(0, 1000)), filePart(png)];
    expect(refusalOf(await tickets.send(path, two))).to.deep.equal([400, 'too_many_files']);
  });
}
