import { expect } from 'chai';
import { CatalogClient, type CatalogOptions } from '../../client/src/catalog-client.ts';
import { CatalogError } from '../../client/src/catalog-error.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import type { UploadSource } from '../../client/src/platform/platform.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { Gate } from '../support/time/gate.ts';

const RECORD = { id: 7 };
const FILE = new File(['bytes'], 'cat.png');

let server: ScriptedServer;
const waits: number[] = [];

function useServer(): void {
  afterEach(async () => {
    await server.stop();
    waits.length = 0;
  });
}

async function clientOf(
  steps: readonly Step[],
  options: Partial<CatalogOptions> = {},
): Promise<CatalogClient<UploadSource>> {
  server = await ScriptedServer.start(...steps);
  return new CatalogClient(
    { url: server.url, getToken: () => 'token', ...options },
    { ...nodePlatform, wait: async (ms) => void waits.push(ms) },
  );
}

describe('the retries of the client', () => {
  useServer();

  for (const [name, step] of [
    ['a connection that ends without a response', hangUp],
    ['408', refusal(408, 'request_timeout')],
    ['429', refusal(429, 'too_many_requests')],
    ['503', refusal(503, 'overloaded')],
    ['502 of a gateway', (response) => void response.writeHead(502).end('<html>')],
    ['504 of a gateway', (response) => void response.writeHead(504).end('<html>')],
    ['409 idempotency_key_in_use', refusal(409, 'idempotency_key_in_use')],
  ] as ReadonlyArray<readonly [string, Step]>) {
    it(`repeat an upload after ${name}, under the same idempotency key`, async () => {
      const client = await clientOf([step, json(201, RECORD)]);

      expect((await client.upload(FILE)).id).to.equal(7);

      const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.have.lengthOf(2);
      expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
      expect(keys[1]).to.equal(keys[0]);
    });
  }

  for (const [status, code] of [
    [400, 'invalid_request'],
    [403, 'insufficient_scope'],
    [409, 'conflict'],
    [422, 'idempotency_key_reused'],
    [500, 'internal_error'],
    [503, 'read_only'],
    [429, 'too_many_changes'],
  ] as const) {
    it(`do not repeat a request after ${status} ${code}`, async () => {
      const client = await clientOf([refusal(status, code), json(201, RECORD)]);

      expect(await rejection(client.upload(FILE))).to.include({ status, code });
      expect(server.seen).to.have.lengthOf(1);
    });
  }

  it('repeat no shift of times without a response: it would move them twice', async () => {
    const client = await clientOf([hangUp, json(200, { updated: [7], missing: [] })]);

    const error = await rejection(client.editMany([7], { shiftTaken: '+PT1H' }));
    expect(error).to.include({ kind: 'unreachable' });
    expect(server.seen).to.have.lengthOf(1);
  });

  it('repeat a shift of times after a service was busy, and other edits also without a response', async () => {
    const edited = json(200, { updated: [7], missing: [] });
    const client = await clientOf([refusal(503, 'overloaded'), edited, hangUp, edited]);

    await client.editMany([7], { shiftTaken: '+PT1H' });
    await client.editMany([7], { title: 'Cat' });

    expect(server.seen).to.have.lengthOf(4);
  });

  it('repeat an upload whose response ends early', async () => {
    const cutOff: Step = (response) => {
      response.writeHead(201, { 'content-length': 100 });
      response.write('{"id":7', () => response.destroy());
    };
    const client = await clientOf([cutOff, json(201, RECORD)]);

    expect((await client.upload(FILE)).id).to.equal(7);
    expect((await client.get(7)).id).to.equal(7);
  });

  it('repeat a page whose body ends early, and give no record twice', async () => {
    const cutOff: Step = (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('[{"id":1},', () => response.destroy());
    };
    const client = await clientOf([cutOff, json(200, [{ id: 1 }, { id: 2 }])]);

    expect((await collectAll(client.list())).map(({ id }) => id)).to.deep.equal([1, 2]);
  });

  it('use another key for another upload', async () => {
    const client = await clientOf([json(201, RECORD)]);
    await client.upload(FILE);
    await client.upload(FILE);

    const [first, second] = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).to.not.equal(second);
  });
});

describe('the retries of the client, as the caller sees them,', () => {
  useServer();

  it('tell an observer before each, and when the request has been successful', async () => {
    const told: string[] = [];
    const observer = {
      retrying: ({ code }: CatalogError, delayMs: number) => void told.push(`${code} ${delayMs}`),
      succeeded: () => void told.push('succeeded'),
    };
    const busy = refusal(503, 'overloaded', { 'retry-after': '4' });
    const client = await clientOf([busy, busy, json(200, RECORD), refusal(500, 'internal_error')], {
      observer,
    });
    await client.get(7);
    await rejection(client.get(7));

    expect(told).to.deep.equal(['overloaded 4000', 'overloaded 4000', 'succeeded']);
  });

  it('wait as long as Retry-After says, in seconds or as a date', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const steps = [
      refusal(503, 'overloaded', { 'retry-after': '4' }),
      refusal(503, 'overloaded', { 'retry-after': inAnHour }),
      json(200, RECORD),
    ];
    const client = await clientOf(steps, { maxWaitMs: 3_600_000 });
    await client.get(7);

    expect(waits[0]).to.equal(4000);
    expect(waits[1]).to.be.within(3_500_000, 3_600_000);
  });

  it('wait no longer than a minute: the request fails with what the service says', async () => {
    const client = await clientOf([refusal(503, 'overloaded', { 'retry-after': '61' }), json(200, RECORD)]);

    expect(await rejection(client.get(7))).to.include({ code: 'overloaded', retryAfterMs: 61_000 });
    expect(waits).to.deep.equal([]);
  });

  it('wait no longer than the caller allows', async () => {
    const busy = refusal(503, 'overloaded', { 'retry-after': '2' });
    const client = await clientOf([busy, json(200, RECORD)], { maxWaitMs: 1_999 });

    expect(await rejection(client.get(7))).to.include({ code: 'overloaded' });
    expect((await client.get(7)).id).to.equal(7);
  });

  it('follow the changes after the longest wait, although the service wants a longer one', async () => {
    const busy = refusal(503, 'overloaded', { 'retry-after': '3600' });
    const page = json(200, { changes: [{ id: 7 }], next: 'n', more: false });
    const client = await clientOf([busy, page]);

    for await (const { id } of client.changes()) {
      expect(id).to.equal(7);
      break;
    }

    expect(waits).to.deep.equal([60_000]);
  });

  it('wait longer each time if the service says nothing', async () => {
    const client = await clientOf([hangUp]);
    await rejection(client.get(7));

    expect(waits).to.have.lengthOf(5);
    for (const [index, ms] of waits.entries()) expect(ms).to.be.within(250 * 2 ** index, 500 * 2 ** index);
  });

  it('end with the last error', async () => {
    const client = await clientOf([refusal(503, 'storage_unavailable')], { retries: 2 });

    expect(await rejection(client.get(7))).to.include({ code: 'storage_unavailable', status: 503 });
    expect(server.seen).to.have.lengthOf(3);
  });

  it('end when the caller aborts, with the reason of the signal', async () => {
    server = await ScriptedServer.start(hangUp);
    const abort = new AbortController();
    const client = new CatalogClient(
      { url: server.url, getToken: () => 'token' },
      {
        ...nodePlatform,
        wait: async (_ms, signal) => {
          abort.abort(new RangeError('enough'));
          await nodePlatform.wait(60_000, signal);
        },
      },
    );

    expect(await rejection(client.get(7, { signal: abort.signal }))).to.equal(abort.signal.reason);
  });

  for (const [name, step] of [
    ['a request without a response', hangUp],
    ['502 of a gateway', refusal(502, 'bad_gateway')],
  ] as const) {
    it(`take an image for deleted that is gone after ${name}`, async () => {
      const client = await clientOf([step, refusal(404, 'image_not_found')]);

      await client.delete(7);

      expect(server.seen).to.have.lengthOf(2);
    });
  }

  it('report an image that is missing at the first request', async () => {
    const client = await clientOf([refusal(404, 'image_not_found')]);

    expect(await rejection(client.delete(7))).to.include({ code: 'image_not_found', status: 404 });
  });

  it('report an image that is missing after the service had no storage', async () => {
    const client = await clientOf([refusal(503, 'storage_unavailable'), refusal(404, 'image_not_found')]);

    expect(await rejection(client.delete(7))).to.include({ code: 'image_not_found' });
  });
});

describe('the token of the client', () => {
  let server: ScriptedServer;

  afterEach(() => server.stop());

  const acceptsOnly =
    (token: string): Step =>
    (response, request) => {
      const step =
        request.headers.authorization === `Bearer ${token}`
          ? json(200, RECORD)
          : refusal(401, 'invalid_token');
      step(response, request);
    };

  it('is requested once for all requests', async () => {
    server = await ScriptedServer.start(acceptsOnly('good'));
    let calls = 0;
    const client = clientWith(() => {
      calls += 1;
      return 'good';
    });
    await Promise.all([client.get(1), client.get(2)]);
    await client.get(3);

    expect(calls).to.equal(1);
  });

  it('is renewed once for many concurrent 401s', async () => {
    server = await ScriptedServer.start(acceptsOnly('new'));
    const gate = new Gate();
    const refused: Array<string | undefined> = [];
    const client = clientWith(async (token) => {
      refused.push(token);
      if (token === undefined) return 'old';
      await gate.opened;
      return 'new';
    });
    const records = Promise.all(Array.from({ length: 20 }, (_, index) => client.get(index + 1)));
    gate.open();
    await records;

    expect(refused).to.deep.equal([undefined, 'old']);
  });

  it('is renewed once for a request that is refused again', async () => {
    server = await ScriptedServer.start(refusal(401, 'invalid_token', { 'x-request-id': 'r-1' }));
    const client = clientWith(() => 'bad');

    const error = await rejection(client.get(1));

    expect(error).to.be.instanceOf(CatalogError);
    expect(error).to.include({ code: 'invalid_token', status: 401, requestId: 'r-1' });
    expect(server.seen).to.have.lengthOf(2);
  });

  it('is requested again after an error', async () => {
    server = await ScriptedServer.start(acceptsOnly('good'));
    let calls = 0;
    const client = clientWith(() => {
      calls += 1;
      if (calls === 1) throw new RangeError('no token');
      return 'good';
    });

    expect(await rejection(client.get(1))).to.be.instanceOf(RangeError);
    expect((await client.get(1)).id).to.equal(7);
  });

  it('is kept while the service has no signing keys yet', async () => {
    server = await ScriptedServer.start(
      refusal(401, 'invalid_token', { 'retry-after': '0' }),
      json(200, RECORD),
    );
    let calls = 0;
    const client = clientWith(() => {
      calls += 1;
      return 'good';
    });

    expect((await client.get(1)).id).to.equal(7);
    expect(calls).to.equal(1);
  });

  it('is asked for by each request if it is kept elsewhere', async () => {
    server = await ScriptedServer.start(acceptsOnly('new'));
    const tokens = ['new', 'new', 'old', 'new'];
    const refused: Array<string | undefined> = [];
    const getToken = (token?: string): string => {
      refused.push(token);
      return tokens.shift() ?? 'none';
    };
    const client = clientWith(getToken, { tokenPerRequest: true });
    for (const id of [1, 2, 3]) await client.get(id);

    expect(refused).to.deep.equal([undefined, undefined, undefined, 'old']);
  });

  function clientWith(
    getToken: CatalogOptions['getToken'],
    options: Partial<CatalogOptions> = {},
  ): CatalogClient<UploadSource> {
    return new CatalogClient({ url: server.url, getToken, ...options }, nodePlatform);
  }
});
