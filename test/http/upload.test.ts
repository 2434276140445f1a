import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { failing } from '../support/doubles/intercepted.ts';
import {
  BOUNDARY,
  FORM_TYPE,
  fieldPart,
  filePart,
  multipart,
  openMultipart,
  type Part,
  partWith,
} from '../support/fixtures/multipart.ts';
import { jpegOfSize, jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import { type BegunUpload, beginUpload } from '../support/http/begun-upload.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { type RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { PUBLISHED_KEYS, TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { publish } from '../support/servers/signing-key-server.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const GIF = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00;', 'latin1');
const MAX_FILE_BYTES = 100_000;
const FORM_OVERHEAD_BYTES = 1024 * 1024;
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fields(count: number, value = 'a value'): readonly Part[] {
  return Array.from({ length: count }, (_, index) => fieldPart(`field${index}`, value));
}

let jpeg: Buffer;
let png: Buffer;

before(async () => {
  jpeg = await jpegPicture(32, 20);
  png = await pngPicture(40, 30);
});

const service = startFor('all', () => TestService.start({ maxFileBytes: MAX_FILE_BYTES }));

type Refused<Sent> = Readonly<Record<string, Readonly<Record<string, () => Sent>>>>;

/** Forms by the refusal of each. */
const REFUSED_FORMS: Refused<readonly Part[]> = {
  '400 file_required': {
    'a form without a file': () => [fieldPart('a', '1')],
    'an empty file': () => [filePart(Buffer.alloc(0))],
    'a text field named "file"': () => [fieldPart('file', 'text')],
    'a picture without a file name': () => [partWith('form-data; name="file"', png)],
    'a part of type application/octet-stream without a file name': () => [
      withType('application/octet-stream'),
    ],
    'a file named ".."': () => [filePart(png, '..')],
    'a file in another field': () => [filePart(png, 'cat.png', 'image')],
    'a part that is not form data': () => [partWith('attachment; filename="cat.png"', png)],
    'a part without a disposition': () => [{ headers: ['Content-Type: image/png'], body: png }],
    'a nested multipart': () => [withType('multipart/mixed; boundary=x')],
  },
  '400 too_many_files': {
    'two files': () => [filePart(png, 'a.png'), filePart(jpeg, 'b.jpg')],
    'a file and one under another name': () => [filePart(png), filePart(jpeg, 'b.jpg', 'other')],
    'a file after one under another name': () => [filePart(jpeg, 'b.jpg', 'other'), filePart(png)],
  },
  '400 invalid_request': {
    'a file without a field name': () => [partWith('form-data; filename="cat.png"', png)],
    'a name of 256 bytes': () => [filePart(png, 'é'.repeat(128))],
    '21 fields before the file': () => [...fields(MAX_FIELDS + 1), filePart(png)],
    '10,000 fields': () => [...fields(10_000), filePart(png)],
    'a field of more than 64 KiB': () => [...fields(1, 'x'.repeat(MAX_FIELD_BYTES + 1)), filePart(png)],
    'fields of more than 64 KiB together': () => [
      ...fields(2, 'x'.repeat(MAX_FIELD_BYTES / 2)),
      filePart(png),
      fieldPart('b', 'x'),
    ],
    'a part header of more than 16 KB': () => [{ headers: [`X-Long: ${'x'.repeat(17_000)}`], body: png }],
    'NUL in a part header': () => [filePart(png, 'a\0b.png')],
  },
  '415 unsupported_media_type': { 'a GIF': () => [filePart(GIF, 'cat.png')] },
  '422 invalid_image': {
    'half a JPEG': () => [filePart(jpeg.subarray(0, jpeg.length / 2))],
  },
  '413 file_too_large': {
    'a file one byte too large': () => [filePart(paddedJpeg(MAX_FILE_BYTES + 1))],
  },
};

/** Bodies with their types. */
const REFUSED_BODIES: Refused<readonly [body: Buffer, type: string]> = {
  '400 invalid_request': {
    'a form without a boundary': () => [form(), 'multipart/form-data'],
    'a form with an empty boundary': () => [form(), 'multipart/form-data; boundary='],
    'a form with an empty boundary in quotes, and delimited by it': () => [
      Buffer.from(form().toString('latin1').replaceAll(BOUNDARY, ''), 'latin1'),
      'multipart/form-data; boundary=""; charset=utf-8',
    ],
    'a form whose Content-Type is malformed': () => [
      form(),
      `multipart/form-data; boundary=${BOUNDARY}; a b`,
    ],
    'an empty body': () => [Buffer.alloc(0), FORM_TYPE],
    'another boundary': () => [form(), 'multipart/form-data; boundary=other'],
    'a form without its end': () => [openMultipart([filePart(png)]), FORM_TYPE],
    'a form that ends in the file': () => [form().subarray(0, -60), FORM_TYPE],
    'a form that ends in a part header': () => [Buffer.from(`--${BOUNDARY}\r\nContent-Dispo`), FORM_TYPE],
  },
  '415 unsupported_media_type': {
    'multipart of another kind': () => [form(), `multipart/mixed; boundary=${BOUNDARY}`],
    'the bare bytes': () => [png, 'image/png'],
    'a URL-encoded form': () => [Buffer.from('file=x'), 'application/x-www-form-urlencoded'],
    JSON: () => [Buffer.from('{}'), 'application/json'],
  },
};

function form(): Buffer {
  return multipart([filePart(png)]);
}

function paddedJpeg(bytes: number): Buffer {
  return Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
}

/** A picture without a file name. */
function withType(type: string): Part {
  return { headers: ['Content-Disposition: form-data; name="file"', `Content-Type: ${type}`], body: png };
}

describe('POST /api/upload', () => {
  afterEach(() => {
    service.log.clear();
  });

  describe('stores a picture', storedPictures);

  describe('keeps in the name', storedNames);

  describe('ignores', ignoredFields);

  describe('rejects and stores nothing for', rejections);

  describe('with X-Content-SHA256', digests);

  describe('before the body has arrived', earlyRejections);

  describe('with "Expect: 100-continue"', expectations);

  describe('on a keep-alive connection', keptConnections);

  describe('from a client that disconnects', disconnects);

  slowClients();

  limitsAndFailures();
});

function storedPictures(): void {
  it('returning 201 and its record', async () => {
    const earliest = Date.now();

    const response = await service.post([filePart(png, 'a cat.png')]);

    const record = response.body as ImageRecord;
    expect(response.status).to.equal(201);
    expect(record).to.deep.include({
      originalName: 'a cat.png',
      mediaType: 'image/png',
      size: png.length,
      width: 40,
      height: 30,
      sha256: sha256(png),
    });
    expect(record.id).to.satisfy(Number.isSafeInteger).and.at.least(1);
    expect(record.filename).to.match(new RegExp(`^${UUID}-a cat\\.png$`));
    expect(Buffer.from(record.thumbhash, 'base64')).to.have.length.within(5, 25);
    expect(record.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(record.createdAt)).to.be.within(earliest, Date.now());
    expect(response.headers.location).to.equal(`/api/image/${record.id}`);
    expect((await service.get(`/api/image/${record.id}`)).body).to.deep.equal(record);
  });

  it('with a new id and a new UUID for the same file', async () => {
    const first = await service.upload(png);
    const second = await service.upload(png);
    expect(second.id).to.be.above(first.id);
    expect(second.filename).not.to.equal(first.filename);
  });

  it('of exactly the maximum size', async () => {
    const record = await service.upload(await jpegOfSize(MAX_FILE_BYTES), 'largest.jpg');
    expect(record.size).to.equal(MAX_FILE_BYTES);
  });

  const forms: ReadonlyArray<readonly [what: string, send: () => Test]> = [
    [
      'with a boundary in quotes',
      () => service.postBody(form(), `multipart/form-data; boundary="${BOUNDARY}"`),
    ],
    [
      'with a preamble and an epilogue in the form',
      () => service.postBody(Buffer.concat([Buffer.from('preamble\r\n'), form(), Buffer.from('epilogue')])),
    ],
    ['encoded as "identity"', () => service.post([filePart(png)]).set('Content-Encoding', 'identity')],
  ];
  for (const [what, send] of forms) {
    it(what, async () => {
      expect((await send()).status).to.equal(201);
    });
  }
}

function storedNames(): void {
  const names: ReadonlyArray<readonly [what: string, disposition: string, originalName: string]> = [
    ['letters of any script', 'filename="Überraschung 日本語 🐈.png"', 'Überraschung 日本語 🐈.png'],
    ['the last segment of a percent-encoded path', `filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, 'passwd'],
    [
      'the extended parameter before the plain one',
      `filename="cat.png"; filename*=UTF-8''k%C3%A4tzchen.png`,
      'kätzchen.png',
    ],
    ['quotes written as %22', 'filename="a %22quoted%22 cat.png"', 'a "quoted" cat.png'],
    ['escaped quotes', String.raw`filename="a \"quoted\" cat.png"`, 'a "quoted" cat.png'],
    ['a percent sign that encodes nothing', 'filename="50% of %41 cat.png"', '50% of %41 cat.png'],
  ];

  for (const [what, parameters, originalName] of names) {
    it(what, async () => {
      const response = await service.post([partWith(`form-data; name="file"; ${parameters}`, png)]);
      const record = response.body as ImageRecord;
      expect(record.originalName).to.equal(originalName);
      expect(record.filename.slice(36)).to.equal(`-${originalName}`);
    });
  }
}

function ignoredFields(): void {
  const named = (...names: readonly string[]): readonly Part[] => names.map((name) => fieldPart(name, 'x'));
  const half = 'x'.repeat(MAX_FIELD_BYTES / 2);
  const charsets = ['utf-16le', 'base64', 'x-unknown', '__proto__', ''].map((charset) => {
    const { headers, body } = fieldPart('a', 'x');
    return { headers: [...headers, `Content-Type: text/plain; charset="${charset}"`], body };
  });
  const ignored: ReadonlyArray<readonly [what: string, before: readonly Part[], after?: readonly Part[]]> = [
    [`${MAX_FIELDS} fields before and after the file`, fields(MAX_FIELDS / 2), fields(MAX_FIELDS / 2)],
    ['fields of 64 KiB together', [fieldPart('a', half)], [fieldPart('b', half)]],
    ['a text field named "file" next to the file', named('file')],
    ['the charsets of fields', charsets],
    ['brackets', named('a[b]', 'a[]', '[]', '[', 'a[', 'a]b[', '[a]', 'a[b', 'a[b]c', 'a', 'a[0]')],
    ['brackets after the names of prototypes', named('__proto__[x]', 'constructor[prototype][x]')],
    ['a large array index', named('a[1000000000]', 'a[99999999999999999999]', 'a[b]')],
    ['1,000 levels of brackets', named(`a${'[b]'.repeat(1000)}`, `b${'[0]'.repeat(1000)}`)],
    [
      'names of 15,000 bytes',
      fields(MAX_FIELDS).map((_, index) => fieldPart(`${index}${'x'.repeat(15_000)}`, 'x')),
    ],
    ['the names of members', named('__proto__', 'constructor', 'toString', 'files', 'path')],
  ];
  for (const [what, before, after = []] of ignored) {
    it(what, async () => {
      const response = await service.post([...before, filePart(png), ...after]);
      expect(response.status).to.equal(201);
      expect(Object.prototype).not.to.have.property('x');
    });
  }
}

function rejections(): void {
  for (const [refusal, forms] of Object.entries(REFUSED_FORMS)) {
    for (const [what, parts] of Object.entries(forms)) {
      it(`${what}: ${refusal}`, async () => {
        await expectNothingStored(async () => await expectRefusal(await service.post(parts()), refusal));
      });
    }
  }

  for (const [refusal, bodies] of Object.entries(REFUSED_BODIES)) {
    for (const [what, body] of Object.entries(bodies)) {
      it(`${what}: ${refusal}`, async () => {
        await expectNothingStored(
          async () => await expectRefusal(await service.postBody(...body()), refusal),
        );
      });
    }
  }

  const FORMS_WITHOUT_FILE: ReadonlyArray<readonly [parts: () => readonly Part[], received: string]> = [
    [() => [], 'The form has no parts'],
    [() => [filePart(png, 'cat.png', 'image')], 'The form has: file part "image"'],
    [() => [partWith('form-data; name="file"', png)], 'The form has: part "file" without a file name'],
    [() => [withType('image/png')], 'The form has: part "file" without a file name'],
    [
      () => [fieldPart('filepond', '{}'), filePart(png, 'cat.png', 'filepond')],
      'The form has: field "filepond", file part "filepond"',
    ],
    [
      () => fields(8),
      'The form has: field "field0", field "field1", field "field2", field "field3", field "field4" and 3 more',
    ],
  ];
  for (const [parts, received] of FORMS_WITHOUT_FILE) {
    it(`a form without its file, and says: ${received}`, async () => {
      const { body } = await service.post(parts());
      expect(body).to.include({
        code: 'file_required',
        message: `A file part named "file" with a file name is required. ${received}`,
      });
    });
  }

  it('a request without a Content-Type: 415', async () => {
    const response = await service.anonymous('post', '/api/upload').set('Authorization', service.bearer);
    await expectRefusal(response, '415 unsupported_media_type');
  });

  it('"Content-Encoding: identity, gzip": 415', async () => {
    const response = await service.post([filePart(png)]).set('Content-Encoding', 'identity, gzip');
    await expectRefusal(response, '415 unsupported_media_type');
  });
}

function digests(): void {
  it('accepts a file with that digest', async () => {
    const response = await service.post([filePart(png)]).set('X-Content-SHA256', sha256(png));
    expect(response.status).to.equal(201);
  });

  it('returns 400 invalid_request for what is no digest', async () => {
    for (const header of ['', 'g'.repeat(64), 'a'.repeat(65)]) {
      const response = await service.post([filePart(png)]).set('X-Content-SHA256', header);
      await expectRefusal(response, '400 invalid_request');
    }
  });
}

function earlyRejections(): void {
  let connection: RawConnection;

  beforeEach(async () => {
    connection = await service.connect();
  });

  afterEach(() => {
    connection.abandon();
  });

  it('returns 413 for a Content-Length above the limits of file and form', async () => {
    connection.send(uploadHead({ 'Content-Length': MAX_FILE_BYTES + FORM_OVERHEAD_BYTES + 1 }));
    const response = await connection.response();
    expect(refusalOf(response)).to.deep.equal([413, 'file_too_large']);
    expect(response.headers.connection).to.equal('close');
    await connection.closed;
  });

  it('waits for a body of exactly the limits of file and form', async () => {
    connection.send(
      uploadHead({ 'Content-Length': MAX_FILE_BYTES + FORM_OVERHEAD_BYTES, Expect: '100-continue' }),
    );
    expect((await connection.response()).status).to.equal(100);
  });

  it('returns 415 for a GIF after its first bytes', async () => {
    connection.send(uploadHead({ 'Transfer-Encoding': 'chunked' }));
    connection.send(httpChunk(startOfForm(GIF)));
    const response = await connection.response();
    expect(refusalOf(response)).to.deep.equal([415, 'unsupported_media_type']);
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('returns 413 and closes the connection as soon as a file is too large', async () => {
    connection.send(uploadHead({ 'Transfer-Encoding': 'chunked' }));
    connection.send(httpChunk(startOfForm(Buffer.concat([jpeg, Buffer.alloc(MAX_FILE_BYTES)]))));
    const response = await connection.response();
    expect(refusalOf(response)).to.deep.equal([413, 'file_too_large']);
    await connection.closed;
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('does not read the rest of a rejected body', async () => {
    const total = 64 * 1024 * 1024;
    const accepted = once(service.server, 'connection') as Promise<[Socket]>;
    const own = await service.connect();
    const [socket] = await accepted;
    own.send(uploadHead({ 'Transfer-Encoding': 'chunked' }));
    own.send(httpChunk(startOfForm(GIF)));
    await own.response();
    own.send(httpChunk(Buffer.alloc(total)));
    await own.closed;
    expect(socket.bytesRead).to.be.below(total / 8);
  });
}

function expectations(): void {
  const refusals: ReadonlyArray<readonly [Record<string, string | number>, number, string]> = [
    [{ Authorization: '' }, 401, 'credentials_required'],
    [{ 'Content-Length': MAX_FILE_BYTES + FORM_OVERHEAD_BYTES + 1 }, 413, 'file_too_large'],
    [{ 'Content-Type': 'image/png' }, 415, 'unsupported_media_type'],
  ];

  for (const [headers, status, code] of refusals) {
    it(`returns ${status} ${code} and never requests the body`, async () => {
      const { connection, first } = await begin(headers);
      expect(refusalOf(first)).to.deep.equal([status, code]);
      await connection.closed;
    });
  }

  it('requests the body, then responds to it', async () => {
    const form = multipart([filePart(png)]);
    const { connection, first } = await begin({ 'Content-Length': form.length });
    connection.send(form);
    const final = await connection.response();
    connection.end();
    expect([first.status, final.status]).to.deep.equal([100, 201]);
  });
}

function keptConnections(): void {
  for (const [how, status, headers, start] of [
    ['before the end of the body', 415, {}, startOfForm(GIF)],
    ['by the headers', 401, { Authorization: '' }, Buffer.alloc(0)],
  ] as const) {
    it(`responds to a second request after a rejection ${how}`, async () => {
      const connection = await service.connect();
      connection.send(uploadHead({ 'Content-Length': start.length + 300_000, ...headers }));
      connection.send(start);
      const first = await connection.response();
      connection.send(Buffer.alloc(300_000));
      connection.send(requestHead('GET', '/'));
      const second = await connection.response();
      connection.end();
      expect([first.status, second.status]).to.deep.equal([status, 200]);
    });
  }
}

function disconnects(): void {
  const places: ReadonlyArray<readonly [where: string, body: () => Buffer]> = [
    ['before the body', () => Buffer.alloc(0)],
    ['in a part header', () => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-da`)],
    ['in the file', () => startOfForm(png.subarray(0, -10))],
    ['after the file', () => openMultipart([filePart(png)])],
    [
      'in a field after the file',
      () => openMultipart([filePart(png), fieldPart('a', 'text')]).subarray(0, -4),
    ],
  ];

  for (const [where, body] of places) {
    it(`${where} leaves no orphaned files and logs no error`, async () => {
      const before = await service.records();
      const { connection } = await begin({ 'Content-Length': 90_000 });
      connection.send(body());
      connection.abandon();
      await service.log.entry(({ msg }) => msg === 'client left');
      expect(await service.leftovers()).to.deep.equal([]);
      expect(await service.records()).to.equal(before);
      expect(service.log.atLeast(ERROR)).to.deep.equal([]);
    });
  }

  it('returns 400 for an invalid chunk', async () => {
    const connection = await service.connect();
    connection.send(uploadHead({ 'Transfer-Encoding': 'chunked' }));
    connection.send(httpChunk(startOfForm(png)));
    connection.send('not hexadecimal\r\n');
    const response = await connection.response();
    expect(refusalOf(response)).to.deep.equal([400, 'invalid_request']);
    expect(await service.leftovers()).to.deep.equal([]);
  });
}

function slowClients(): void {
  it('stops if the client disconnects during the verification of its token', async () => {
    const slow = await TestService.start();
    const asked = new Promise<() => void>((resolve) => {
      slow.identityProvider.answer = (response) => resolve(() => publish(PUBLISHED_KEYS)(response));
    });
    const connection = await slow.connect();
    connection.send(uploadHead({ 'Content-Length': 5_000 }, slow));
    const release = await asked;
    connection.abandon();
    await slow.log.entry(({ msg }) => msg === 'client left');
    release();
    expect(await slow.leftovers()).to.deep.equal([]);
    expect(slow.log.atLeast(ERROR)).to.deep.equal([]);
    await slow.stop();
  });
}

function limitsAndFailures(): void {
  it('returns 422 for more pixels than allowed', async () => {
    const small = await TestService.start({ maxPixels: 40 * 30 });
    const statuses: number[] = [];
    for (const picture of [png, await pngPicture(41, 30)]) {
      statuses.push((await small.post([filePart(picture)])).status);
    }
    const leftovers = await small.leftovers();
    await small.stop();
    expect(statuses).to.deep.equal([201, 422]);
    expect(leftovers).to.deep.equal([]);
  });

  it('returns 503 and leaves no orphaned files if the record cannot be stored', async () => {
    const broken = await TestService.start({
      modules: [wrapping(TOKENS.images, (images) => failing(images, 'add', new StorageUnavailable()))],
    });
    const response = await broken.post([filePart(png)]);
    const leftovers = await broken.leftovers();
    await broken.stop();
    expect(refusalOf(response)).to.deep.equal([503, 'storage_unavailable']);
    expect(response.headers['retry-after']).to.match(/^\d+$/);
    expect(leftovers).to.deep.equal([]);
  });
}

/** @param refusal status and code */
async function expectRefusal(response: Response, refusal: string): Promise<void> {
  expect(refusalOf(response).join(' ')).to.equal(refusal);
  expect(Object.keys(response.body as object)).to.have.members(['code', 'message']);
  expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(await service.leftovers()).to.deep.equal([]);
}

async function expectNothingStored(upload: () => Promise<unknown>): Promise<void> {
  const before = await service.records();
  await upload();
  expect(await service.leftovers()).to.deep.equal([]);
  expect(await service.records()).to.equal(before);
}

/** The head of an upload with a valid token. */
function uploadHead(headers: Readonly<Record<string, string | number>>, of: TestService = service): string {
  return requestHead('POST', '/api/upload', {
    Authorization: of.bearer,
    'Content-Type': FORM_TYPE,
    ...headers,
  });
}

async function begin(headers: Readonly<Record<string, string | number>>): Promise<BegunUpload> {
  return await beginUpload(service, '/api/upload', { Authorization: service.bearer, ...headers });
}

/** A form up to the middle of its file. */
function startOfForm(bytes: Uint8Array): Buffer {
  return openMultipart([filePart(bytes)]).subarray(0, -2);
}

function httpChunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
