import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { changeView, ownedChangeView } from '../../src/adapters/http/changes/change-view.ts';
import { HttpWebhookReceiver } from '../../src/adapters/http/webhooks/http-webhook-receiver.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import type { WebhookMessage, WebhookReply } from '../../src/domain/ports/process/webhook-receiver.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { ScriptedServer, type SeenRequest, type Step } from '../support/servers/scripted-server.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const SECRETS = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const [SECRET = ''] = SECRETS;
const AT = new Date('2026-01-31T12:00:00.123Z');

const UPDATED: WebhookMessage = {
  id: '12-345',
  type: 'image.updated',
  at: AT,
  data: {
    change: {
      space: 'space of bob' as Space,
      position: { number: 12, mark: 345 },
      type: 'image.updated',
      imageId: 7,
      version: 2,
      at: AT,
      by: 'bob',
    },
    cursor: 'aCursor',
  },
};
const LOST: WebhookMessage = { id: 'lost-1-2-3-4', type: 'changes.lost', at: AT, data: null };

const clock = new ManualClock(AT);

function status(code: number, headers: Readonly<Record<string, string>> = {}): Step {
  return (response) => response.writeHead(code, headers).end();
}

interface Tried {
  readonly reply: WebhookReply;
  readonly seen: readonly SeenRequest[];
}

async function post(step: Step, message = UPDATED, secrets = SECRETS): Promise<Tried> {
  const server = await ScriptedServer.start(step);
  try {
    const receiver = new HttpWebhookReceiver({ url: `${server.url}/hooks?a=1`, secrets }, clock);
    return { reply: await receiver.post(message, STAYING), seen: server.seen };
  } finally {
    await server.stop();
  }
}

describe('HttpWebhookReceiver', () => {
  describe('sends', requests);
  describe('takes', responses);
  describe('reports a receiver', wrongReceivers);
});

function requests(): void {
  it('one POST with the change and a timestamp', async () => {
    const { seen } = await post(status(204));

    expect(seen.map(({ method, url }) => [method, url])).to.deep.equal([['POST', '/hooks?a=1']]);
    expect(seen[0]?.headers).to.deep.include({
      'content-type': 'application/json',
      'webhook-id': '12-345',
      'webhook-timestamp': String(Math.floor(AT.getTime() / 1000)),
    });
    expect(JSON.parse(String(seen[0]?.body))).to.deep.equal({
      type: 'image.updated',
      timestamp: AT.toISOString(),
      data: { cursor: 'aCursor', type: 'image.updated', id: 7, at: AT.toISOString(), by: 'bob', version: 2 },
    });
  });

  it('the space of the change last, if clients have spaces', async () => {
    const server = await ScriptedServer.start(status(204));
    const address = { url: server.url, secrets: SECRETS };
    await new HttpWebhookReceiver(address, clock, ownedChangeView).post(UPDATED, STAYING);
    await server.stop();

    const { data } = JSON.parse(String(server.seen[0]?.body)) as { data: object };
    expect(Object.entries(data).at(-1)).to.deep.equal(['space', 'space of bob']);
  });

  it('no data with lost changes', async () => {
    const { seen } = await post(status(204), LOST);
    expect(String(seen[0]?.body)).to.equal(
      '{"type":"changes.lost","timestamp":"2026-01-31T12:00:00.123Z","data":null}',
    );
  });

  it('one signature of each secret, which the library of Standard Webhooks verifies', async () => {
    const server = await ScriptedServer.start(status(204));
    const receiver = new HttpWebhookReceiver({ url: server.url, secrets: SECRETS }, new SystemClock());
    await receiver.post(UPDATED, STAYING);
    await server.stop();
    const [{ body, headers }] = server.seen as [SeenRequest];
    const verified = SECRETS.map((secret) =>
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>),
    );

    expect(verified).to.deep.equal([JSON.parse(String(body)), JSON.parse(String(body))]);
    const [first, second] = String(headers['webhook-signature']).split(' ');
    expect([first, second].every((signature) => signature?.startsWith('v1,'))).to.equal(true);
    const other = new Webhook(Buffer.alloc(32, 9).toString('base64'));
    expect(() => other.verify(body.toString(), headers as Record<string, string>)).to.throw();
  });

  it('the same body at another time, with another timestamp', async () => {
    const first = await post(status(204));
    clock.advance(5_000);
    const second = await post(status(204));

    expect(second.seen[0]?.body).to.deep.equal(first.seen[0]?.body);
    expect(second.seen[0]?.headers['webhook-timestamp']).not.to.equal(
      first.seen[0]?.headers['webhook-timestamp'],
    );
  });

  it('user and password of the URL as Basic', async () => {
    const server = await ScriptedServer.start(status(204));
    const url = server.url.replace('//', '//m%C3%BCller:p%3Aw@');
    await new HttpWebhookReceiver({ url, secrets: [SECRET] }, clock).post(UPDATED, STAYING);
    await server.stop();

    const expected = `Basic ${Buffer.from('müller:p:w').toString('base64')}`;
    expect(server.seen[0]?.headers.authorization).to.equal(expected);
    expect(server.seen[0]?.headers.host).to.equal(new URL(server.url).host);
  });
}

function responses(): void {
  for (const code of [200, 202, 204, 299]) {
    it(`${code} as delivered`, async () => {
      expect((await post(status(code))).reply).to.deep.equal({ result: 'delivered' });
    });
  }

  for (const code of [304, 400, 401, 404, 429, 500, 503]) {
    it(`${code} as failed`, async () => {
      const expected = { result: 'failed', error: `HTTP ${code}`, retryAfterMs: 0 };
      expect((await post(status(code))).reply).to.deep.equal(expected);
    });
  }

  it('410 as gone', async () => {
    const expected = { result: 'gone', error: 'HTTP 410', retryAfterMs: 0 };
    expect((await post(status(410))).reply).to.deep.equal(expected);
  });

  it('Retry-After in seconds, and as a date', async () => {
    const date = new Date(clock.now().getTime() + 90_000).toUTCString();
    const past = new Date(0).toUTCString();
    const waits = [];
    for (const value of ['120', date, past, 'soon', '-1', '1e9']) {
      const { reply } = await post(status(503, { 'retry-after': value }));
      waits.push('retryAfterMs' in reply ? Math.ceil(reply.retryAfterMs / 1000) : undefined);
    }
    expect(waits.slice(0, 4)).to.deep.equal([120, 90, 0, 0]);
    expect(waits[4]).to.equal(0);
  });

  it('a redirect as failed, and does not follow it', async () => {
    const { reply, seen } = await post(status(307, { location: '/elsewhere' }));
    expect(reply).to.deep.include({ result: 'failed', error: 'HTTP 307' });
    expect(seen).to.have.length(1);
  });

  it('an endless body as none: it closes the connection', async () => {
    let isClosed: Promise<unknown> = Promise.resolve();
    const { reply } = await post((response) => {
      isClosed = once(response, 'close');
      const more = (): void => {
        while (response.write(Buffer.alloc(1024 * 1024)));
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    await isClosed;
    expect(reply).to.deep.equal({ result: 'delivered' });
  });
}

/** What it writes when a client has connected. */
async function rawServer(write: (socket: Socket) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    write(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function failureOf(
  write: (socket: Socket) => void,
  deadlineMs = 15_000,
  ended = STAYING,
): Promise<string> {
  const sockets: Socket[] = [];
  const { server, url } = await rawServer((socket) => {
    sockets.push(socket);
    write(socket);
  });
  const reply = await new HttpWebhookReceiver({ url, secrets: [SECRET] }, clock, changeView, deadlineMs).post(
    UPDATED,
    ended,
  );
  for (const socket of sockets) socket.destroy();
  server.close();
  return reply.result === 'failed' ? reply.error : reply.result;
}

function wrongReceivers(): void {
  it('that sends garbage', async () => {
    const error = await failureOf((socket) => socket.write('hunter2 is my password\r\n\r\n'));
    expect(error).to.match(/^HPE_[A-Z_]+$/);
  });

  it('that sends endless headers', async () => {
    const error = await failureOf((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`);
    });
    expect(error).to.equal('HPE_HEADER_OVERFLOW');
  });

  it('that closes the connection', async () => {
    expect(await failureOf((socket) => socket.end())).to.match(/^ECONNRESET$|^EPIPE$/);
  });

  it('that changes the protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    expect(await failureOf((socket) => socket.write(upgrade))).to.equal('the connection was closed');
  });

  it('that never reads and never responds', async () => {
    expect(await failureOf((socket) => socket.pause(), 50)).to.equal('no response within 0.05 s');
  });

  it('that only ever announces a response', async () => {
    const error = await failureOf((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)), 50);
    expect(error).to.equal('no response within 0.05 s');
  });

  for (const [when, before] of [
    ['has not read the message', ''],
    ['has begun its response', 'HTTP/1.1 200 OK\r\nx: '],
  ] as const) {
    it(`that ${when} as ended if the caller ends the try`, async () => {
      const leaving = new AbortController();
      const end = (socket: Socket): unknown => socket.write(before, () => leaving.abort());
      const outcome = await failureOf(end, undefined, leaving.signal);
      expect(outcome).to.equal('ended');
    });
  }

  it('without TLS under an https URL, in capitals too', async () => {
    const { server, url } = await rawServer((socket) => socket.end('no TLS'));
    const secureUrl = url.replace('http:', 'HTTPS:');
    const reply = await new HttpWebhookReceiver({ url: secureUrl, secrets: [SECRET] }, clock).post(
      UPDATED,
      STAYING,
    );
    server.close();
    expect(reply).to.deep.include({ result: 'failed', error: 'EPROTO' });
  });

  it('that is not there', async () => {
    const { server, url } = await rawServer(() => {});
    const closed = once(server, 'close');
    server.close();
    await closed;
    const receiver = new HttpWebhookReceiver({ url, secrets: [SECRET] }, clock);
    expect(await receiver.post(UPDATED, STAYING)).to.deep.include({
      result: 'failed',
      error: 'ECONNREFUSED',
    });
  });
}
