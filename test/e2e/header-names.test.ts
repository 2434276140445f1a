import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { sample, titleOf } from '../support/sample.ts';
import { nodeOfVersion } from '../support/servers/node-versions.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { RunningService } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

/** CI fetches versions in a step of its own. Otherwise the service runs in the version of the tests. */
const VERSIONS: ReadonlyArray<string | undefined> = process.env.HEADER_NODE_VERSIONS?.split(',') ?? [
  undefined,
];
const RANDOM_REQUESTS = 600;
const AT_A_TIME = 16;
const { seed } = sample(RANDOM_REQUESTS);

/** Names that JavaScript gives to properties of objects, and that Node.js gives to those of requests. */
const NAMES = [
  ...propertiesOf(Object.prototype),
  ...propertiesOf(new IncomingMessage(new Socket())),
  ...propertiesOf([]),
  'host',
  'expect',
  'upgrade',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'range',
  'if-match',
  'cookie',
  'content-type',
  'content-length',
  'transfer-encoding',
  'x-request-id',
  'traceparent',
  'accept',
  'origin',
].filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));

const VALUES = ['', 'x', '__proto__', '0', ',,,', '{"__proto__":1}', '\xff\x80', 'a'.repeat(3_000)];

interface Target {
  readonly port: number;
  /** The request line and what belongs to it. */
  readonly head: string;
  readonly body?: string;
}

function propertiesOf(value: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
}

/** The status; `undefined` if the service closes the connection without a response. */
async function statusOf(
  { port, head, body = '' }: Target,
  lines: readonly string[],
): Promise<number | undefined> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  const request = [head, ...lines, 'Connection: close', '', body].join('\r\n');
  // Not `end`: a client that closes its side has left.
  socket.write(Buffer.from(request, 'latin1'));
  await new Promise((resolve) => socket.once('close', resolve));
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return statuses.find((status) => status >= 200);
}

/** A body of chunks whose trailers have such a name. */
function trailing(name: string): string {
  return `2\r\n{}\r\n0\r\n${name}: x\r\n\r\n`;
}

describe('The service', function () {
  this.timeout(LONG_TEST_MS);
  for (const version of VERSIONS) {
    describe(`in Node.js ${version ?? process.version}`, () => respondsToAnyHeader(version));
  }
});

function respondsToAnyHeader(version: string | undefined): void {
  let folder: ServiceFolder;
  let service: RunningService;
  let targets: readonly Target[];

  before(async () => {
    const node = await nodeOfVersion(version);
    folder = await ServiceFolder.open();
    service = await folder.start(
      { WEB_HOST: '127.0.0.1', WEB_PORT: '0', WEB_URL: 'https://cats.example.com/', MANAGEMENT_PORT: '0' },
      { through: ['sh', '-c', 'shift; exec "$0" "$@"', node] },
    );
    targets = targetsOf(service, folder.token);
  });

  after(() => folder.close());

  /** Each header is sent alone to each listener, as a header and as a trailer. */
  it('responds to each name and value', async () => {
    const requests = NAMES.flatMap((name) =>
      targets.flatMap((target) => [
        ...VALUES.map((value) => ({ target, lines: [`${name}: ${value}`] })),
        { target: { ...target, body: trailing(name) }, lines: ['Transfer-Encoding: chunked'] },
      ]),
    );
    await requireResponses(requests);
  });

  it(titleOf('responds to any of them together', { size: RANDOM_REQUESTS, seed }), async () => {
    const random = randomNumbers(seed);
    const anyOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const requests = Array.from({ length: RANDOM_REQUESTS }, () => ({
      target: anyOf(targets),
      lines: Array.from({ length: 1 + Math.floor(random() * 20) }, () => {
        const name = anyOf(NAMES);
        return `${random() < 0.2 ? name.toUpperCase() : name}: ${anyOf(VALUES)}`;
      }),
    }));
    await requireResponses(requests);
  });

  it('then stops as usual', async () => {
    const { code } = await service.process.stop('SIGTERM');
    expect([code, service.process.stderr]).to.deep.equal([0, '']);
  });
}

interface SentRequest {
  readonly target: Target;
  readonly lines: readonly string[];
}

/** Each must be answered, and none with 500: a process that has ended closes connections without a response. */
async function requireResponses(requests: readonly SentRequest[]): Promise<void> {
  for (let at = 0; at < requests.length; at += AT_A_TIME) {
    const some = requests.slice(at, at + AT_A_TIME);
    const statuses = await Promise.all(some.map(({ target, lines }) => statusOf(target, lines)));
    const failed = some
      .map(({ target: { head }, lines }, index) => ({
        lines,
        head: head.slice(0, 30),
        status: statuses[index],
      }))
      .filter(({ status }) => status === undefined || status === 500);
    expect(failed).to.deep.equal([]);
  }
}

function targetsOf({ process: { stdout }, url }: RunningService, token: string): readonly Target[] {
  const ports = Object.fromEntries(
    stdout.split('\n').map((line) => {
      const { msg, port } = JSON.parse(line) as { readonly msg: string; readonly port?: number };
      return [msg, port];
    }),
  );
  const [management, web] = [ports['management listening'] ?? 0, ports['web listening'] ?? 0];
  const api = Number(new URL(url).port);
  const withToken = `Host: localhost\r\nAuthorization: Bearer ${token}`;
  return [
    { port: api, head: 'GET / HTTP/1.1\r\nHost: localhost' },
    { port: api, head: `GET /api/images?limit=1 HTTP/1.1\r\n${withToken}` },
    { port: api, head: `POST /api/images/lookup HTTP/1.1\r\nContent-Type: application/json\r\n${withToken}` },
    { port: web, head: 'GET /config.json HTTP/1.1\r\nHost: localhost' },
    { port: management, head: 'GET /livez HTTP/1.1\r\nHost: localhost' },
  ];
}
