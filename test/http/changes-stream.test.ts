import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { EventReader } from '../support/http/event-reader.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const EVENTS = { Accept: 'text/event-stream' };

let service: TestService;
let time: ManualTime;
let picture: Buffer;

before(async () => {
  picture = await noisyPng(20, 10);
});

let readers: EventReader[];

async function upload(): Promise<ImageRecord> {
  return await service.upload(picture);
}

async function open(query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const url = `${service.url}/api/changes${query}`;
  const reader = await EventReader.open(url, { Authorization: service.bearer, ...headers });
  readers.push(reader);
  await reader.until(() => reader.retryMs !== undefined);
  return reader;
}

/** Lets time pass until it is so. */
async function passing(isReached: () => boolean): Promise<void> {
  await eventually(() => {
    time.pass(250);
    return isReached();
  }, Boolean);
}

function taken(): number {
  return service.container.get(TOKENS.changeSlots).running('all');
}

function useService(): void {
  before(async () => {
    time = new ManualTime();
    service = await TestService.start({ timer: time.after, changesStreams: 4 });
  });

  after(() => service.stop());

  beforeEach(() => {
    readers = [];
  });

  afterEach(async () => {
    for (const reader of readers) reader.leave();
    await eventually(taken, (count) => count === 0);
  });
}

describe('GET /api/changes as a stream', () => {
  useService();

  it('sends what was there, then what comes, with the cursor as id and the type as event', async () => {
    const { id } = await upload();
    const reader = await open();
    await reader.until(() => reader.events.length > 0);
    const before = reader.events.length;
    await service.delete(`/api/image/${id}`).expect(204);
    await passing(() => reader.events.length > before);

    const { changes } = (await service.get('/api/changes').expect(200)).body as { changes: unknown[] };
    expect(reader.events.map(({ data }) => JSON.parse(data) as unknown)).to.deep.equal(changes);
    expect(reader.events.at(-1)).to.deep.include({ event: 'image.deleted' });
    for (const { id: cursor, data } of reader.events) expect(JSON.parse(data)).to.include({ cursor });
    expect(reader.response.headers.get('content-type')).to.equal('text/event-stream');
    expect(reader.response.headers.get('x-accel-buffering')).to.equal('no');
    expect(reader.response.headers.get('cache-control')).to.equal('no-store');
  });

  it('begins with the time to reconnect and the id of its start', async () => {
    await upload();
    const { body } = await service.get('/api/changes?after=latest').expect(200);
    const reader = await open('?after=latest');

    expect(reader.text).to.equal(`retry: 2000\nid: ${(body as { next: string }).next}\n\n`);
  });

  it('continues behind Last-Event-ID, which wins over after', async () => {
    const first = await upload();
    const { headers } = await service.get('/api/images?limit=1').expect(200);
    const second = await upload();
    const reader = await open('?after=latest', { 'Last-Event-ID': String(headers['changes-cursor']) });
    const [change] = await reader.changes(1);

    expect(first.id).to.be.below(second.id);
    expect(change).to.include({ id: second.id });
    const ignored = await open('?after=latest', { 'Last-Event-ID': '' });
    expect(ignored.events).to.deep.equal([]);
  });

  it('sends a comment every 15 seconds', async () => {
    const reader = await open('?after=latest');
    for (const count of [1, 2]) {
      time.pass(15_000);
      await reader.until(() => reader.comments.length >= count);
    }

    expect(reader.text).to.match(/^retry: 2000\nid: (\S+)\n\n(:\nid: \1\n\n){2}/);
  });
});

describe('GET /api/changes as a stream, at its limits', () => {
  useService();

  it('ends with a complete response when the token expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 20;
    const reader = await open('', { Authorization: `Bearer ${service.token({ exp })}` });
    time.pass(20_000);

    await reader.end();
    expect(reader.failure).to.equal(undefined);
  });

  it('takes a place of its subject until the client leaves', async () => {
    const held = [await open(), await open()];
    const { body } = await service.get('/api/changes').set(EVENTS).expect(503);
    expect(body).to.include({ code: 'overloaded' });
    held[0]?.leave();
    await eventually(taken, (count) => count === 1);
    await open();
  });

  const REFUSED = [
    ['limit', '?limit=1', {}],
    ['wait', '?wait=0', {}],
    ['include', '?include=image', {}],
    ['Last-Event-ID', '', { 'Last-Event-ID': 'a b' }],
  ] as const;
  for (const [name, query, headers] of REFUSED) {
    it(`returns 400 naming ${name}`, async () => {
      const { body } = await service
        .get(`/api/changes${query}`)
        .set({ ...EVENTS, ...headers })
        .expect(400);
      expect((body as { message: string }).message).to.contain(name);
    });
  }

  it('returns 410 before the first byte', async () => {
    await service
      .get('/api/changes')
      .set({ ...EVENTS, 'Last-Event-ID': 'unknown' })
      .expect(410);
  });

  const AS_JSON = [
    '*/*',
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    'text/event-stream, */*',
    'text/event-stream;q=0.5, */*;q=0.6',
  ];
  for (const accept of AS_JSON) {
    it(`is a page for ${accept}`, async () => {
      await service
        .get('/api/changes')
        .set('Accept', accept)
        .expect('Content-Type', /^application\/json/);
    });
  }

  it('has only headers for HEAD, and takes no place', async () => {
    const response = await service.head('/api/changes').set(EVENTS).expect(200);
    expect(response.headers).to.include({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(taken()).to.equal(0);
  });
});

describe('A stream of changes', () => {
  it('ends with a complete response when the service stops', async () => {
    readers = [];
    time = new ManualTime();
    service = await TestService.start({ timer: time.after });
    const reader = await open();
    service.container.get(TOKENS.changeUseCases).changeTail.stop();
    await reader.end();
    await service.stop();

    expect(reader.failure).to.equal(undefined);
  });
});
