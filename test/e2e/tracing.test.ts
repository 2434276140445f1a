import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/servers/otlp-receiver.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const SAMPLED = `00-${TRACE}-${SPAN}-01`;

describe('Traces of a process', () => {
  let receiver: OtlpReceiver;
  let catalog: RunningCatalog;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });

  afterEach(async () => {
    await catalog.stop();
    await receiver.stop();
  });

  async function start(endpoint: string): Promise<void> {
    catalog = await RunningCatalog.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  }

  async function traced(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await catalog.request(path, { ...init, headers: { traceparent: SAMPLED } });
    await response.arrayBuffer();
    return response;
  }

  async function upload(): Promise<void> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(await noisyPng(300, 300))]), 'cat.png');
    expect((await traced('api/upload', { method: 'POST', body })).status).to.equal(201);
  }

  it('has the steps of an upload below its request, in the trace of the caller', async () => {
    await start(receiver.endpoint);
    await upload();
    await catalog.process.stop();
    const [request] = receiver.named('POST /api/upload');
    expect([request?.traceId, request?.parentSpanId]).to.deep.equal([TRACE, SPAN]);
    for (const name of ['authenticate', 'receive', 'inspect', 'store blob', 'record']) {
      expect(parentsOf(name), name).to.deep.equal([request?.spanId]);
    }
    // The start fetches them as well.
    const [authenticate] = receiver.named('authenticate');
    expect([undefined, authenticate?.spanId]).to.include.members([...parentsOf('fetch signing keys')]);
    expect(receiver.named('fetch signing keys')).to.have.length.at.least(1);
  });

  it('has the steps of a rendition below its request', async () => {
    await start(receiver.endpoint);
    await upload();
    await traced('api/image/1/file?width=16');
    await catalog.process.stop();
    const [request] = receiver.named('GET /api/image/:id/file');
    // The default rendition is made without a request.
    const make = receiver.named('make rendition').find(({ parentSpanId }) => parentSpanId !== undefined);
    expect(make?.parentSpanId).to.equal(request?.spanId);
    expect(parentsOf('read record')).to.include(request?.spanId);
    expect(parentsOf('open bytes')).to.include(make?.spanId);
  });

  it('has route and status, and an error only for failures of the service', async () => {
    await start(receiver.endpoint);
    await traced('api/image/1');
    await catalog.process.stop();
    const [request] = receiver.named('GET /api/image/:id');
    expect(attribute(request, 'http.response.status_code')).to.deep.equal({ intValue: 404 });
    expect(attribute(request, 'http.route')).to.deep.equal({ stringValue: '/api/image/:id' });
    expect(request?.status?.code ?? 0).to.equal(0);
  });

  it('is not recorded if the caller does not record it', async () => {
    await start(receiver.endpoint);
    const headers = { traceparent: `00-${TRACE}-${SPAN}-00` };
    await (await catalog.request('api/images', { headers })).text();
    await catalog.process.stop();
    expect(receiver.named('GET /api/images')).to.deep.equal([]);
    expect(catalog.logged(({ msg }) => msg === 'request')[0]?.traceId).to.equal(TRACE);
  });

  it('goes to /v1/traces as the service image-catalog', async () => {
    await start(`${receiver.endpoint}/`);
    await traced('');
    await catalog.process.stop();
    expect([...receiver.paths]).to.deep.equal(['/v1/traces']);
    expect(receiver.resources[0]?.find(({ key }) => key === 'service.name')?.value).to.deep.equal({
      stringValue: 'image-catalog',
    });
  });

  it('does not fail requests nor the stop if there is no receiver', async () => {
    const port = await lastingPort();
    await start(`http://127.0.0.1:${port}`);
    await upload();
    expect((await traced('api/image/1')).status).to.equal(200);
    expect(await catalog.process.stop()).to.deep.equal({ code: 0, signal: null });
    expect(catalog.logged(({ msg }) => msg === 'spans cannot be delivered')).to.have.length.at.most(1);
  });

  it('does not fail requests nor the stop if the receiver hangs', async () => {
    receiver.isHanging = true;
    await start(receiver.endpoint);
    await upload();
    expect((await traced('api/image/1')).status).to.equal(200);
    expect(await catalog.process.stop()).to.deep.equal({ code: 0, signal: null });
  });

  function parentsOf(name: string): readonly (string | undefined)[] {
    return receiver.named(name).map(({ parentSpanId }) => parentSpanId);
  }
});

/** Hides a package from `import`. */
const HIDING = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  export async function resolve(name, context, next) {
    if (name !== '@opentelemetry/sdk-trace-node') return await next(name, context);
    throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
  }
\`));`;

describe('A process without the packages of OpenTelemetry', () => {
  let folder: ServiceFolder;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(async () => await folder.close());

  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HIDING)}`;

  it('ends with 78 and names the variable and the package', async () => {
    const process = folder.spawn({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    expect((await process.exited).code).to.equal(78);
    expect(process.stderr).to.match(/OTEL_EXPORTER_OTLP_ENDPOINT.*@opentelemetry\/sdk-trace-node/);
  });

  it('starts if the variable is not set', async () => {
    const { process } = await folder.start({ NODE_OPTIONS });
    expect(await process.stop()).to.deep.equal({ code: 0, signal: null });
  });
});

function attribute(span: ReceivedSpan | undefined, key: string): unknown {
  return span?.attributes.find((found) => found.key === key)?.value;
}
