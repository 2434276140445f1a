import { expect } from 'chai';
import { BOUNDARY, fieldPart, filePart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';

const EXPOSED = 'Idempotency-Replayed, Retry-After, X-Request-Id';
const REQUEST_ID = 'X-Request-Id';

let png: Buffer;

before(async () => {
  png = await noisyPng(40, 30);
});

const tickets = startFor('all', () => TicketedService.start());

async function recordOf(id: number, claims: Record<string, unknown> = {}): Promise<ImageRecord> {
  const response = await tickets.service
    .anonymous('get', `/api/image/${id}`)
    .set('Authorization', tickets.service.bearerWith(claims));
  return response.body as ImageRecord;
}

async function uploadedId(path: string, bytes = png): Promise<number> {
  const response = await tickets.upload(path, bytes).expect(201);
  return (response.body as { readonly id: number }).id;
}

function useTickets(): void {
  afterEach(async () => {
    expect(await tickets.leftovers()).to.deep.equal([]);
  });
}

describe('POST /u/<ticket>', () => {
  useTickets();

  it('stores the bytes and the name as sent, and shows of the image what is of the bytes alone', async () => {
    const { status, body, headers } = await tickets.upload(await tickets.ticket(), png);
    const record = await recordOf((body as { id: number }).id);

    expect(status).to.equal(201);
    const { id, mediaType, size, width, height, sha256, thumbhash, createdAt } = record;
    expect(body).to.deep.equal({ id, mediaType, size, width, height, sha256, thumbhash, createdAt });
    expect(record).to.include({ originalName: 'cat.png', mediaType: 'image/png', size: png.length });
    const file = await tickets.service.get(`/api/image/${id}/file`);
    expect((file.body as Buffer).equals(png)).to.equal(true);
    expect(headers).not.to.have.property('location');
    expect(headers).not.to.have.property('idempotency-replayed');
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
    });
  });

  it('records the user and the metadata of the ticket', async () => {
    const focus = { x: 0.25, y: 0.125 };
    const metadata = { title: 'A guest’s cat', tags: ['guest'], takenAt: '2026-01-31T12:00:00Z', focus };
    const id = await uploadedId(await tickets.ticket({ metadata }, { sub: 'wedding-site' }));

    expect(await recordOf(id)).to.include({ title: metadata.title, createdBy: 'wedding-site' });
    const described = await tickets.service.get(`/api/image/${id}/metadata`);
    expect(described.body).to.deep.include({ tags: ['guest'], takenAt: '2026-01-31T12:00:00.000Z', focus });
    const feed = await tickets.service.get('/api/changes?limit=1000');
    const { changes } = feed.body as { changes: ReadonlyArray<{ id: number; by: string; type: string }> };
    expect(changes.filter((change) => change.id === id)).to.have.length(1);
    expect(changes.at(-1)).to.include({ id, type: 'image.created', by: 'wedding-site' });
  });

  it('ignores tokens, cookies and idempotency keys', async () => {
    const path = await tickets.ticket({}, { sub: 'wedding-site' });
    const first = await tickets
      .upload(path, png)
      .set({ Authorization: 'Bearer none', Cookie: 'a=b', 'Idempotency-Key': 'bad key' });
    const second = await tickets
      .upload(await tickets.ticket(), png)
      .set({ Authorization: tickets.service.bearerWith({ sub: 'mallory' }), 'Idempotency-Key': 'k' });
    const third = await tickets.upload(await tickets.ticket(), png).set('Idempotency-Key', 'k');

    expect([first.status, second.status, third.status]).to.deep.equal([201, 201, 201]);
    const ids = [first, second, third].map(({ body }) => (body as { id: number }).id);
    expect(new Set(ids)).to.have.property('size', 3);
    expect(await recordOf(ids[0] ?? 0)).to.include({ createdBy: 'wedding-site' });
    expect(await recordOf(ids[1] ?? 0)).to.include({ createdBy: 'alice' });
  });
});

describe('A ticket that is used again', () => {
  useTickets();

  it('is not used up by an upload that is refused or abandoned', async () => {
    const path = await tickets.ticket();
    const torn = png.subarray(0, -20);
    expect(refusalOf(await tickets.upload(path, torn))).to.deep.equal([422, 'invalid_image']);
    expect(refusalOf(await tickets.upload(path, Buffer.from('no picture')))).to.deep.equal([
      415,
      'unsupported_media_type',
    ]);
    const connection = await tickets.connect();
    connection.send(
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n`,
    );
    connection.send('Content-Length: 5000\r\n\r\n');
    connection.send(openMultipart([filePart(png)]).subarray(0, -30));
    connection.abandon();
    await tickets.service.log.entry(({ msg }) => msg === 'client left');

    expect((await tickets.upload(path, png)).status).to.equal(201);
  });
});

describe('The form of an upload by ticket', () => {
  useTickets();

  it('refuses the field metadata, before and after the file, and ignores other fields', async () => {
    const path = await tickets.ticket();
    const [file, metadata] = [filePart(png), fieldPart('metadata', '{"title":"Mine"}')];
    expect(refusalOf(await tickets.send(path, [metadata, file]))).to.deep.equal([400, 'invalid_request']);
    expect(refusalOf(await tickets.send(path, [file, metadata]))).to.deep.equal([400, 'invalid_request']);

    expect((await tickets.send(path, [fieldPart('note', 'x'), file])).status).to.equal(201);
  });

  it('takes a file of exactly maxBytes and refuses a larger one with 413', async () => {
    const exact = await tickets.ticket({ maxBytes: png.length });
    const short = await tickets.ticket({ maxBytes: png.length - 1 });

    expect((await tickets.upload(exact, png)).status).to.equal(201);
    const response = await tickets.upload(short, png);
    expect(refusalOf(response)).to.deep.equal([413, 'file_too_large']);
    expect(response.text).to.include(`${png.length - 1} bytes`);
  });

  it('sends its X-Request-Id back, with errors too', async () => {
    const fine = await tickets.upload(await tickets.ticket(), png).set(REQUEST_ID, 'mine');
    const refused = await tickets.upload('/u/none', png).set(REQUEST_ID, 'mine');
    expect([fine.headers, refused.headers].map((headers) => headers['x-request-id'])).to.deep.equal([
      'mine',
      'mine',
    ]);
  });
});
