import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { LONGEST_TAGS } from '../support/fixtures/longest-record.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const CONNECTIONS = 40;
const COUNT = 1_000;
const MIB = 1024 * 1024;
const PATH = '/api/images?limit=1000';

let service: TestService;
let time: ManualTime;
let stalled: readonly Socket[];
/** Of the clients that read nothing. */
let responses: ServerResponse[];

async function fill(): Promise<void> {
  const metadata = { ...NO_METADATA, tags: LONGEST_TAGS, version: 1, updatedAt: null };
  for (let begin = 0; begin < COUNT; begin += 100) {
    const images = Array.from({ length: 100 }, (_, at) => ({
      ...newImage(),
      id: begin + at + 1,
      createdAt: new Date(0),
      space: COMMON_SPACE,
      createdBy: null,
      metadata,
    }));
    await service.storage.images.restore(images);
  }
}

async function stall(path: string): Promise<Socket> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.pause().on('error', () => {});
  socket.write(requestHead('GET', path, { Authorization: service.bearer, 'Accept-Encoding': 'identity' }));
  return socket;
}

function begun(): readonly ServerResponse[] {
  return responses.filter(({ headersSent }) => headersSent);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers, without what the last requests have left. */
function bufferedBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('40 clients that request the longest pages and read nothing', function () {
  let before: number;

  this.beforeAll(async () => {
    time = new ManualTime();
    service = await TestService.start({ timer: time.after });
    await fill();
    responses = [];
    service.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === PATH) responses.push(response);
    });
    before = bufferedBytes();
    stalled = await Promise.all(Array.from({ length: CONNECTIONS }, () => stall(PATH)));
  });

  this.afterAll(async () => {
    for (const socket of stalled) socket.destroy();
    await service.stop();
  });

  it('do not let a short page of another subject wait for theirs', async () => {
    await eventually(
      () => responses.length,
      (count) => count === CONNECTIONS,
    );
    const bearer = service.bearerWith({ sub: 'bob' });
    const page = await service
      .anonymous('get', '/api/images?limit=5')
      .set('Authorization', bearer)
      .expect(200);
    expect(page.body).to.have.length(5);
    expect(begun().length, 'long pages that were ready before').to.be.below(CONNECTIONS);
  });

  it('hold a page each, and nothing beyond it', async () => {
    await eventually(
      () => begun().length,
      (count) => count === CONNECTIONS,
    );
    const lengths = responses.map((response) => Number(response.getHeader('content-length')));
    for (const length of lengths) expect(length).to.be.within(4 * MIB - 30 * 1024, 4 * MIB);
    for (const response of responses) expect(response.writableLength).to.be.at.most(MIB);
    const perPage = (bufferedBytes() - before) / CONNECTIONS;
    console.log(`        ${(perPage / MIB).toFixed(2)} MiB of buffers for each`);
    expect(perPage).to.be.at.most(5 * MIB);
  });

  it('hold nothing after 30 seconds', async () => {
    const isOver = await eventually(() => {
      time.pass(1_000);
      return responses.every(({ destroyed }) => destroyed);
    }, Boolean);
    expect(isOver).to.equal(true);
    await service.idle();
    expect((bufferedBytes() - before) / CONNECTIONS).to.be.below(MIB);
  });
});
