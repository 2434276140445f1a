import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Test } from 'supertest';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { readZip, type ZippedFile } from '../support/fixtures/read-zip.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { type RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate } from '../support/time/gate.ts';

const UNKNOWN = 999_999;
const PATH = '/api/images/archive';

let service: TestService;

function archive(ids: readonly number[], of = service): Test {
  return of.postJson(PATH, JSON.stringify({ ids })).responseType('blob');
}

async function filesOf(ids: readonly number[]): Promise<readonly ZippedFile[]> {
  return readZip((await archive(ids).expect(200)).body as Buffer);
}

function namesOf(files: readonly ZippedFile[]): readonly string[] {
  return files.map(({ name }) => name);
}

describe('POST /api/images/archive', () => {
  let one: ImageRecord;
  let two: ImageRecord;
  let large: ImageRecord;

  before(async () => {
    service = await TestService.start({ maxFileBytes: 5_000_000 });
    one = await service.upload(await noisyPng(20, 10), 'cat.png');
    two = await service.upload(await noisyPng(10, 20), 'Žluťoučký 猫 😺.png');
    large = await service.upload(await noisyPng(600, 600), 'large.png');
  });

  after(() => service.stop());

  async function original({ id }: ImageRecord): Promise<Buffer> {
    return (await service.get(`/api/image/${id}/file`)).body as Buffer;
  }

  it('has the originals byte for byte, in the order of the request, each once', async () => {
    const response = await archive([large.id, one.id, large.id, two.id]).expect(200);
    const files = readZip(response.body as Buffer);

    expect(namesOf(files)).to.deep.equal(['large.png', 'cat.png', 'Žluťoučký 猫 😺.png']);
    for (const [at, image] of [large, one, two].entries()) {
      expect(files[at]?.bytes.equals(await original(image)), image.originalName).to.equal(true);
    }
    expect(response.headers).to.include({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="images.zip"',
      'cache-control': 'no-store',
      'content-length': String((response.body as Buffer).length),
    });
    expect(response.headers).not.to.have.property('content-encoding');
  });

  it('lists missing ids in missing.txt, the last file', async () => {
    const files = await filesOf([UNKNOWN, one.id, Number.MAX_SAFE_INTEGER * 2, 1_000_000]);

    expect(namesOf(files)).to.deep.equal(['cat.png', 'missing.txt']);
    expect(files[1]?.bytes.toString()).to.equal(`${UNKNOWN}\n18014398509481982\n1000000\n`);
  });

  it('returns 404 if all images are missing', async () => {
    const response = await service
      .postJson(PATH, JSON.stringify({ ids: [UNKNOWN, UNKNOWN + 1] }))
      .expect(404);
    expect(response.body).to.include({ code: 'image_not_found' });
  });

  it('has the times of the pictures, and of the uploads of those without', async () => {
    const patch = JSON.stringify({ takenAt: '2019-07-01T14:30:10+02:00' });
    await service
      .patchJson(`/api/image/${one.id}/metadata`, patch, 'application/merge-patch+json')
      .expect(200);
    const [first, second] = await filesOf([one.id, two.id]);

    expect(first?.time).to.equal('2019-07-01 12:30:10');
    expect(second?.time.slice(0, 15)).to.equal(two.createdAt.slice(0, 15).replace('T', ' '));
  });
});

const SIZE = 3_000_000;
let ids: number[];
let open: (blob: OpenedBlob, at: number) => OpenedBlob | undefined | Promise<OpenedBlob | undefined>;
let opened: number[];
let closed: number[];

function useBlobs(): void {
  beforeEach(async () => {
    [ids, opened, closed] = [[], [], []];
    open = (blob) => blob;
    service = await TestService.start({ modules: [wrapping(TOKENS.blobs, (blobs) => madeBlobs(blobs))] });
    for (let index = 0; index < 12; index += 1) {
      const { id } = await service.images.add(newImage({ originalName: `${index}.jpg`, size: SIZE }));
      ids.push(id);
    }
  });

  afterEach(() => service.stop());
}

/** Every blob has the same bytes, and is not in the store. */
function madeBlobs(blobs: BlobStorage): BlobStorage {
  const bytes = patternedBytes(SIZE);
  const openMade: BlobStorage['open'] = async () => {
    const at = opened.length;
    opened.push(at);
    const blob = { size: SIZE, read: () => streamOf(bytes), close: async () => void closed.push(at) };
    return await open(blob, at);
  };
  return Object.assign(Object.create(blobs) as BlobStorage, { open: openMade });
}

async function send(): Promise<RawConnection> {
  const connection = await service.connect();
  const body = JSON.stringify({ ids });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  connection.send(requestHead('POST', PATH, { Authorization: service.bearer, ...headers }) + body);
  return connection;
}

async function outcomeOf(test: Test): Promise<string> {
  return await test.then(
    ({ status }) => String(status),
    () => 'broken off',
  );
}

function unavailable(): never {
  throw new StorageUnavailable();
}

describe('An archive that does not go well', () => {
  useBlobs();

  for (const [which, at] of [
    ['the first image', 0],
    ['a later image', 2],
    ['the last image', 11],
  ] as const) {
    it(`lists ${which} as missing if it was deleted meanwhile, and has the length that was promised`, async () => {
      open = async (blob, turn) => {
        if (turn !== at) return blob;
        await service.images.removeById(ids[at] ?? 0);
        return undefined;
      };
      const response = await archive([...ids, UNKNOWN]).expect(200);
      const zip = response.body as Buffer;
      const files = readZip(zip);

      expect(zip).to.have.length(Number(response.headers['content-length']));
      expect(namesOf(files)).to.deep.equal(
        [...ids.keys()]
          .filter((turn) => turn !== at)
          .map((turn) => `${turn}.jpg`)
          .concat('missing.txt'),
      );
      expect(files.at(-1)?.bytes.toString().trimEnd()).to.equal(`${ids[at]}\n${UNKNOWN}`);
    });
  }

  for (const [what, readOrThrow] of [
    ['cannot be opened', unavailable],
    ['is shorter than its record', (blob) => ({ ...blob, read: () => streamOf(patternedBytes(SIZE - 1)) })],
    ['is longer than its record', (blob) => ({ ...blob, read: () => streamOf(patternedBytes(SIZE + 1)) })],
  ] as const satisfies ReadonlyArray<readonly [string, (blob: OpenedBlob) => OpenedBlob]>) {
    it(`breaks off if a later original ${what}, and logs one error with the id of its image`, async () => {
      open = (blob, at) => (at === 2 ? readOrThrow(blob) : blob);
      expect(await outcomeOf(archive(ids))).to.equal('broken off');
      await service.idle();
      const errors = service.log.atLeast(ERROR);
      expect(errors.map(({ msg, imageId }) => [msg, imageId])).to.deep.equal([['response cut off', ids[2]]]);
      expect(errors[0]?.['blobKey']).to.be.a('string');
    });
  }

  it('sends no more bytes than promised if an original is longer than its record when it is read', async () => {
    const bytes = patternedBytes(SIZE * 2);
    open = (blob) => ({ ...blob, read: () => streamOf(bytes) });
    ids = ids.slice(-1);
    const connection = await send();
    await connection.closed;
    const [head = ''] = connection.pending.split('\r\n\r\n', 1);
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(connection.pending.length - head.length - 4).to.be.lessThan(promised);
  });

  it('goes on if it is as long as ZIP64 requires only with an image that was deleted meanwhile', async () => {
    const small = ids[0] ?? 0;
    const { id } = await service.images.add(newImage({ size: 0xffff_ffff - SIZE }));
    open = async (blob, at) => {
      if (at === 0) return blob;
      await service.images.removeById(id);
      return undefined;
    };
    ids = [small, id];
    const connection = await send();
    await connection.swallow(SIZE + 1_000);
    expect(service.log.atLeast(ERROR)).to.deep.equal([]);
    connection.abandon();
  });

  for (const [what, status, code, openFirst] of [
    ['is lost', 500, 'internal_error', (blob) => ({ ...blob, size: 1 })],
    ['cannot be opened', 503, 'storage_unavailable', unavailable],
  ] as const satisfies ReadonlyArray<readonly [string, number, string, (blob: OpenedBlob) => OpenedBlob]>) {
    it(`returns ${status} if the first original ${what}`, async () => {
      open = openFirst;
      const response = await service.postJson(PATH, JSON.stringify({ ids })).expect(status);
      expect(response.body).to.include({ code });
      if (status === 500) expect(service.log.atLeast(ERROR)).to.have.length(1);
    });
  }
});

describe('An archive that is under way', () => {
  useBlobs();

  it('stops reading at once if the client leaves', async () => {
    const connection = await send();
    await connection.begun();
    connection.abandon();
    await service.log.entry(({ msg }) => msg === 'client left');
    await eventually(
      () => closed.length,
      (count) => count === opened.length,
    );

    expect(opened.length).to.be.lessThan(ids.length);
    expect(closed.length).to.equal(opened.length);
    expect(service.log.atLeast(ERROR)).to.deep.equal([]);
  });

  it('opens no further original for a client that reads nothing', async () => {
    const accepted = once(service.server, 'connection') as Promise<[Socket]>;
    const connection = await send();
    const [sending] = await accepted;
    await connection.begun();
    let before = 0;
    await eventually(
      () => sending.writableLength,
      (left) => {
        const isStuck = left > 0 && left === before;
        before = left;
        return isStuck;
      },
    );
    expect(opened.length).to.be.lessThan(ids.length);
    connection.abandon();
  });

  it('is one of two at a time for each subject, and counts after the checks of the body', async () => {
    const gate = new Gate();
    open = (blob) => ({ ...blob, read: () => waiting(gate, blob.read()) });
    const running = [await send(), await send()];
    for (const connection of running) await connection.begun();

    expect((await service.postJson(PATH, '{}')).status).to.equal(400);
    const third = await service.postJson(PATH, JSON.stringify({ ids }));
    expect([third.status, third.body]).to.deep.include(503);
    expect(third.body).to.include({ code: 'overloaded' });
    expect(third.headers['retry-after']).to.equal('1');
    const body = JSON.stringify({ ids });
    const other = service
      .anonymous('post', PATH)
      .set({ Authorization: `Bearer ${service.token({ sub: 'bob' })}`, 'Content-Type': 'application/json' })
      .send(body)
      .responseType('blob');
    const finished = outcomeOf(other);
    gate.open();
    expect(await finished).to.equal('200');
    for (const connection of running) connection.abandon();
    await eventually(
      () => service.runningRequests,
      (count) => count === 0,
    );
    expect(await outcomeOf(archive(ids))).to.equal('200');
  });
});

async function* waiting(gate: Gate, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await gate.opened;
  yield* bytes;
}
