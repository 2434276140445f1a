import { expect } from 'chai';
import { parseTraceParent } from '../../src/adapters/http/telemetry/trace-parent.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import type { LogEntry } from '../support/doubles/captured-log.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { TestService, type TestServiceOptions } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { Gate, settled } from '../support/time/gate.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const SENT = `00-${TRACE}-${SPAN}-01`;

describe('traceparent', () => {
  it('names the trace, the span of the caller and whether it is recorded', () => {
    expect(parseTraceParent(SENT)).to.deep.equal({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-00`)?.isSampled).to.equal(false);
  });

  it('of a later version may have more fields', () => {
    expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-follows`)?.traceId).to.equal(TRACE);
  });

  const invalid: Readonly<Record<string, string>> = {
    empty: '',
    'of the invalid version': `ff-${TRACE}-${SPAN}-01`,
    'of version 00 with more fields': `${SENT}-more`,
    'of a later version with longer flags': `cc-${TRACE}-${SPAN}-01x`,
    'in upper case': SENT.toUpperCase(),
    'with a trace id of zeros': `00-${'0'.repeat(32)}-${SPAN}-01`,
    'with a span id of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
    'with a short trace id': `00-${TRACE.slice(1)}-${SPAN}-01`,
    'with other digits': `00-${TRACE.replace('a', 'g')}-${SPAN}-01`,
    'without flags': `00-${TRACE}-${SPAN}`,
    'in a list': `${SENT}, ${SENT}`,
  };
  for (const [which, header] of Object.entries(invalid)) {
    it(`is ignored if it is ${which}`, () => {
      expect(parseTraceParent(header)).to.equal(undefined);
    });
  }
});

describe('Lines of the log', () => {
  let service: TestService;

  async function start(options: TestServiceOptions = {}): Promise<void> {
    service = await TestService.start(options);
  }

  afterEach(async () => await service.stop());

  async function lineOf(message: string): Promise<LogEntry> {
    return await service.log.entry(({ msg }) => msg === message);
  }

  it('have the trace id that the caller sent', async () => {
    await start();
    await service.get('/api/images').set('traceparent', SENT);
    expect((await lineOf('request')).traceId).to.equal(TRACE);
  });

  it('have a new trace id for each request without one, or with an invalid one', async () => {
    await start();
    await service.get('/api/images');
    await service.get('/api/images').set('traceparent', `00-${'0'.repeat(32)}-${SPAN}-01`);
    await service.idle();
    const ids = service.log.entries.filter(({ msg }) => msg === 'request').map(({ traceId }) => traceId);
    for (const id of ids) expect(id).to.match(/^(?!0{32})[0-9a-f]{32}$/);
    expect(new Set(ids).size).to.equal(2);
  });

  it('have it if a client has left', async () => {
    await start({ stallTimeoutMs: 20_000 });
    const connection = await service.connect();
    connection.send(
      `POST /api/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${service.bearer}\r\ntraceparent: ${SENT}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n--x\r\n',
    );
    while (service.runningRequests === 0) await settled();
    connection.abandon();
    expect((await lineOf('client left')).traceId).to.equal(TRACE);
  });

  it('have it if they are written below the request, with the request id', async () => {
    await start({
      modules: [wrapping(TOKENS.blobs, (blobs) => failing(blobs, 'remove', new StorageUnavailable()))],
    });
    const { id } = await service.upload(await pngPicture());
    await service.delete(`/api/image/${id}`).set('traceparent', SENT).set('X-Request-Id', 'mine');
    const line = await lineOf('bytes left for the sweeper');
    expect([line.traceId, line.requestId]).to.deep.equal([TRACE, 'mine']);
  });

  it('have it if work that the request began fails after its response', async () => {
    await start();
    const { id } = await service.upload(await pngPicture());
    const cache = service.container.get(TOKENS.renditions);
    cache.open = () => Promise.reject(new StorageUnavailable());
    const written = new Gate();
    cache.put = async () => {
      await written.opened;
      throw new StorageUnavailable();
    };
    await service.get(`/api/image/${id}/file?width=16`).set('traceparent', SENT);
    await service.idle();
    written.open();
    expect((await lineOf('rendition not cached')).traceId).to.equal(TRACE);
  });
});
