import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { createServer } from '../../src/adapters/http/server/create-server.ts';
import { RequestsUnderWay } from '../../src/adapters/http/telemetry/requests-under-way.ts';
import { CapturedLog, WARN } from '../support/doubles/captured-log.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const LIMIT = 3;
const SECOND = 1_000;

let server: Server;
let time: ManualTime;
let log: CapturedLog;
/** Of requests for `/held`. */
let held: ServerResponse[];
let connections: RawConnection[];

async function connect(): Promise<{ readonly client: RawConnection; readonly socket: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = await RawConnection.open((server.address() as AddressInfo).port);
  connections.push(client);
  const [socket] = await accepted;
  return { client, socket };
}

/** Sends the bytes, and resolves when the service has read them. */
async function send({ client, socket }: Awaited<ReturnType<typeof connect>>, text: string): Promise<void> {
  const expected = socket.bytesRead + text.length;
  client.send(text);
  await eventually(
    () => socket.bytesRead,
    (bytes) => bytes === expected,
  );
}

async function ask({ client }: Awaited<ReturnType<typeof connect>>): Promise<number> {
  client.send(requestHead('GET', '/'));
  return (await client.response()).status;
}

async function hold(connection: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const before = held.length;
  connection.client.send(requestHead('GET', '/held'));
  await eventually(
    () => held.length,
    (count) => count > before,
  );
}

describe('A listener at its limit of connections', () => {
  beforeEach(async () => {
    [time, log, held, connections] = [new ManualTime(), new CapturedLog(), [], []];
    server = createServer(
      async (request, response) => {
        if (request.url === '/held') held.push(response);
        else response.end('ok');
      },
      {
        requestTimeoutMs: 60_000,
        uuids: new SequentialUuids(),
        requests: new RequestsUnderWay(),
        timer: time.after,
        log: log.logger,
        refusalHeaders: {},
        maxConnections: LIMIT,
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const connection of connections) connection.close();
    server.close();
    server.closeAllConnections();
  });

  it('closes the one whose last byte is oldest for a new one', async () => {
    const [first, second, third] = [await connect(), await connect(), await connect()];
    expect(await ask(first)).to.equal(200);
    expect(await ask(third)).to.equal(200);
    const fourth = await connect();
    await second.client.closed;
    expect([first.socket.destroyed, third.socket.destroyed]).to.deep.equal([false, false]);

    const fifth = await connect();
    await first.client.closed;
    expect([await ask(third), await ask(fourth), await ask(fifth)]).to.deep.equal([200, 200, 200]);
  });

  it('knows of bytes that are no whole request, whenever they came', async () => {
    const [first, second, third] = [await connect(), await connect(), await connect()];
    await send(first, 'GET / HT');
    time.pass(SECOND);
    await send(second, 'GET / HT');
    time.pass(SECOND);
    await connect();
    await third.client.closed;
    await connect();
    await first.client.closed;
    expect(second.socket.destroyed).to.equal(false);

    await send(second, 'TP/1.1\r\nHost: a\r\n');
    const last = await connect();
    expect([second.socket.destroyed, last.socket.destroyed]).to.deep.equal([false, false]);
  });

  it('closes none with a request under way: if each has one, the new connection', async () => {
    const [first, second, third] = [await connect(), await connect(), await connect()];
    await hold(first);
    await hold(second);
    await hold(third);
    const refused = await connect();
    await refused.client.closed;
    expect(refused.client.pending).to.equal('');

    held[1]?.end('ok');
    expect((await second.client.response()).body).to.equal('ok');
    const fourth = await connect();
    await second.client.closed;
    expect(await ask(fourth)).to.equal(200);
    for (const response of held) response.end('ok');
    expect([(await first.client.response()).status, (await third.client.response()).status]).to.deep.equal([
      200, 200,
    ]);
  });

  it('does not count connections that their clients have closed', async () => {
    const [first, second] = [await connect(), await connect()];
    for (let round = 0; round < 5; round += 1) {
      const { client, socket } = await connect();
      client.close();
      await eventually(
        () => socket.destroyed,
        (isGone) => isGone,
      );
    }
    await hold(first);
    await hold(second);
    held[0]?.destroy();
    await first.client.closed;
    await settled();
    const [third, fourth] = [await connect(), await connect()];
    expect([second, third, fourth].map(({ socket }) => socket.destroyed)).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(log.entries).to.deep.equal([]);
  });

  it('says so in the log, once a minute at most', async () => {
    for (let number = 0; number < LIMIT + 5; number += 1) await connect();
    time.pass(59 * SECOND);
    await connect();
    expect(log.atLeast(WARN).map(({ maxConnections }) => maxConnections)).to.deep.equal([LIMIT]);
    time.pass(SECOND);
    await connect();
    expect(log.atLeast(WARN)).to.have.length(2);
  });
});
