import { expect } from 'chai';
import type { Test } from 'supertest';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { Gate } from '../support/time/gate.ts';

let png: Buffer;
let jpeg: Buffer;

before(async () => {
  png = await pngPicture();
  jpeg = await jpegPicture();
});

const service = startFor('all', () =>
  TestService.start({ modules: [wrapping(TOKENS.blobs, waitingBeforePut)] }),
);
let beforePut: () => Promise<void>;
let keys = 0;

const owners: ReadonlyArray<readonly [what: string, a: object, b: object, isShared: boolean]> = [
  ['two subjects', { sub: 'alice' }, { sub: 'bob' }, false],
  ['one subject with two clients', { sub: 'alice', client_id: 'a' }, { sub: 'alice', client_id: 'b' }, true],
  [
    'two clients without a subject',
    { sub: undefined, client_id: 'a' },
    { sub: undefined, client_id: 'b' },
    false,
  ],
  ['one client without a subject', { sub: undefined, client_id: 'a' }, { sub: undefined, azp: 'a' }, true],
  ['a subject and a client of the same name', { sub: 'a' }, { sub: undefined, client_id: 'a' }, false],
];

describe('Idempotency-Key', () => {
  beforeEach(() => {
    beforePut = async () => {};
    keys += 1;
  });

  it('returns the same response for the same bytes and stores nothing', async () => {
    const first = await upload(png);
    const before = await service.records();
    const second = await upload(png);
    expect([second.status, second.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.location).to.equal(first.headers.location);
    expect(await service.records()).to.equal(before);
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('returns 422 for other bytes and stores nothing', async () => {
    await upload(png);
    const before = await service.records();
    expect(refusalOf(await upload(jpeg))).to.deep.equal([422, 'idempotency_key_reused']);
    expect(await service.records()).to.equal(before);
    expect(await service.leftovers()).to.deep.equal([]);
  });

  it('returns 409 with Retry-After during the first upload', async () => {
    const [reached, gate] = [new Gate(), new Gate()];
    beforePut = async () => {
      reached.open();
      await gate.opened;
    };
    const first = upload(png).then((response) => response);
    await reached.opened;
    const second = await upload(png);
    gate.open();
    expect(refusalOf(second)).to.deep.equal([409, 'idempotency_key_in_use']);
    expect(second.headers['retry-after']).to.match(/^\d+$/);
    expect((await first).status).to.equal(201);
    expect((await upload(png)).headers['idempotency-replayed']).to.equal('true');
  });

  failedUploads();

  for (const [what, a, b, isShared] of owners) {
    it(`${isShared ? 'is shared by' : 'is separate for'} ${what}`, async () => {
      await upload(png, { ...a });
      const { headers } = await upload(png, { ...b });
      expect(headers['idempotency-replayed']).to.equal(isShared ? 'true' : undefined);
    });
  }

  for (const key of ['x', 'x'.repeat(255), `!"#$%&'()*+,-./:;<=>?@[]^_{|}~`]) {
    it(`accepts ${key.slice(0, 32)} (${key.length} characters)`, async () => {
      expect((await upload(png).set('Idempotency-Key', key)).status).to.equal(201);
    });
  }

  for (const key of ['', 'x'.repeat(256), 'with space', 'über', 'tab\tbed']) {
    it(`returns 400 for ${JSON.stringify(key.slice(0, 32))} (${key.length} characters)`, async () => {
      expect(refusalOf(await upload(png).set('Idempotency-Key', key))).to.deep.equal([
        400,
        'invalid_request',
      ]);
      expect(await service.leftovers()).to.deep.equal([]);
    });
  }
});

function failedUploads(): void {
  for (const [what, bytes, headers, status] of [
    ['an empty file', () => Buffer.alloc(0), {}, 400],
    ['a file with a wrong digest', () => png, { 'X-Content-SHA256': '0'.repeat(64) }, 400],
    ['a file that is not an image', () => Buffer.from('plain text'), {}, 415],
    ['a damaged file', () => png.subarray(0, -20), {}, 422],
  ] as const) {
    it(`is not consumed by ${what}`, async () => {
      expect((await upload(bytes()).set(headers)).status).to.equal(status);
      expect((await upload(png)).status).to.equal(201);
      expect(await service.leftovers()).to.deep.equal([]);
    });
  }

  it('is not consumed by an aborted upload', async () => {
    const form = multipart([filePart(png)]);
    const connection = await service.connect();
    const headers = {
      Authorization: service.bearer,
      'Content-Type': FORM_TYPE,
      'Content-Length': form.length,
      'Idempotency-Key': `key-${keys}`,
    };
    connection.send(requestHead('POST', '/api/upload', headers));
    connection.send(form.subarray(0, -20));
    connection.end();
    await service.log.entry(({ msg }) => msg === 'client left');
    expect(await service.leftovers()).to.deep.equal([]);

    const accepted = await upload(png);

    expect(accepted.status).to.equal(201);
    expect(accepted.headers).not.to.have.property('idempotency-replayed');
  });
}

function waitingBeforePut(blobs: BlobStorage): BlobStorage {
  return intercepted(blobs, (method, proceed) => (method === 'put' ? beforePut().then(proceed) : proceed()));
}

/** An upload with the key of the current test. */
function upload(bytes: Buffer, claims: Record<string, unknown> = {}): Test {
  return service
    .post([filePart(bytes)])
    .set('Authorization', `Bearer ${service.token(claims)}`)
    .set('Idempotency-Key', `key-${keys}`);
}
