import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import type { ImageSearch } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { longestRecord } from '../support/fixtures/longest-record.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { type Served, startServed } from '../support/http/web-listener.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const WEB_URL = 'https://cats.example.com/';
/** More than a connection takes while its client reads nothing. */
const BYTES = 32 * 1024 * 1024;

const PAGE = '/api/images?limit=1000';

/** Responses of any length. */
const REQUESTS = {
  'pages of records': async () => get(PAGE).repeat(5),
  'the whole listing': async () => get('/api/images'),
  'an original': async () => get('/api/image/1/file'),
  'an archive': async () => {
    const body = JSON.stringify({ ids: [1] });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    return requestHead('POST', '/api/images/archive', { Authorization: service().bearer, ...headers }) + body;
  },
} as const;

const time = new ManualTime();
const served = startFor('all', () =>
  startServed({
    webUrl: WEB_URL,
    timer: time.after,
    modules: [wrapping(TOKENS.search, endless), wrapping(TOKENS.blobs, large)],
  }),
);

function service(): Served['service'] {
  return served.service;
}

function get(path: string): string {
  return requestHead('GET', path, { Authorization: service().bearer });
}

/** Connects, sends, and reads nothing. */
async function stall(port: number, requests: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.pause().on('error', () => {});
  socket.write(requests);
  return socket;
}

function clientsGone(): number {
  return service().log.entries.filter(({ msg }) => msg === 'client left').length;
}

/** Lets time pass until the service has closed the connection; some of it while the connection takes what it can hold. */
async function isClosedAfterHalfAMinute(): Promise<void> {
  let seconds = 0;
  const passOne = (): number => {
    time.pass(1_000);
    seconds += 1;
    return clientsGone();
  };
  expect(await eventually(passOne, (gone) => gone > 0)).to.be.at.least(1);
  expect(seconds).to.be.at.least(30);
}

/** Many records of the longest texts. */
function endless(search: InSpaces<ImageSearch>): InSpaces<ImageSearch> {
  const reads: Partial<ImageSearch> = {
    findPage: async ({ after, limit }) => {
      const first = after?.by === 'created' ? after.id + 1 : 1;
      const items = Array.from({ length: limit }, (_, at) => ({
        item: first + at,
        position: { by: 'created', id: first + at } as const,
      }));
      return { items, next: items.at(-1)?.position };
    },
    async *readRecords(ids) {
      for (let begin = 0; begin < ids.length; begin += 32) {
        yield ids.slice(begin, begin + 32).map(longestRecord);
      }
    },
  };
  return { in: (space) => Object.assign(Object.create(search.in(space)) as ImageSearch, reads) };
}

/** Every blob is as long. */
function large(blobs: BlobStorage): BlobStorage {
  const open: BlobStorage['open'] = async () => ({ size: BYTES, read: zeros, close: async () => {} });
  return Object.assign(Object.create(blobs) as BlobStorage, { open });
}

async function* zeros(): AsyncGenerator<Uint8Array, void, undefined> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let left = BYTES; left > 0; left -= chunk.length) yield chunk;
}

describe('a client that takes nothing for 30 seconds', () => {
  let stalled: Socket | undefined;

  before(async () => {
    await service().images.add(newImage({ size: BYTES }));
  });

  beforeEach(() => service().log.clear());

  afterEach(() => {
    stalled?.destroy();
  });

  for (const [response, requests] of Object.entries(REQUESTS)) {
    it(`of ${response} is cut off, and nothing runs for it any more`, async () => {
      stalled = await stall(service().port, await requests());
      await isClosedAfterHalfAMinute();
      await service().idle();
    });
  }

  it('of a link is cut off on the web listener', async () => {
    const { body } = await service().postJson('/api/images/links', '{"ids":[1]}').expect(200);
    const url = (body as { images: Record<string, readonly string[]> }).images[1]?.[0] ?? '';
    stalled = await stall(served.web.port, requestHead('GET', new URL(url).pathname));
    await isClosedAfterHalfAMinute();
    await served.web.idle();
  });
});
