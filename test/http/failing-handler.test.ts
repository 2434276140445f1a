import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createServer } from '../../src/adapters/http/server/create-server.ts';
import { RequestsUnderWay } from '../../src/adapters/http/telemetry/requests-under-way.ts';
import { CapturedLog } from '../support/doubles/captured-log.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { ManualTime } from '../support/time/manual-time.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

describe('A listener whose application fails', () => {
  let server: Server;
  let log: CapturedLog;

  async function connectTo(handle: Handle): Promise<RawConnection> {
    log = new CapturedLog();
    server = createServer(handle, {
      requestTimeoutMs: 10_000,
      uuids: new SequentialUuids(),
      requests: new RequestsUnderWay(),
      timer: new ManualTime().after,
      log: log.logger,
      refusalHeaders: {},
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return await RawConnection.open((server.address() as AddressInfo).port);
  }

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const failures: ReadonlyArray<readonly [how: string, handle: Handle]> = [
    [
      'before it returns a promise',
      () => {
        throw new Error('A header cannot be read');
      },
    ],
    [
      'later',
      async () => {
        throw new Error('A header cannot be read');
      },
    ],
  ];

  for (const [how, handle] of failures) {
    it(`responds with 500 if that happens ${how}, and logs the error with the id of the request`, async () => {
      const connection = await connectTo(handle);
      connection.send(requestHead('GET', '/'));
      const { status, headers, body } = await connection.response();
      await connection.closed;

      const { code } = JSON.parse(body) as { readonly code: string };
      expect([status, code]).to.deep.equal([500, 'internal_error']);
      expect(body).not.to.contain('header cannot');
      const [line] = log.entries;
      expect(line).to.include({ msg: 'request failed outside of the application' });
      expect(line?.requestId).to.equal(headers['x-request-id']);
    });
  }

  it('closes the connection if the response has begun, also of a request that waited for it', async () => {
    let handled = 0;
    const connection = await connectTo(async (_request, response) => {
      handled += 1;
      response.writeHead(200, { 'Content-Length': 2 }).write('1');
      if (handled === 1) response.end('2');
      else throw new Error('The second response fails');
    });
    connection.send(requestHead('GET', '/1'));
    connection.send(requestHead('GET', '/2'));
    await connection.closed;

    expect(connection.pending.match(/200 OK/g)).to.have.length(2);
    expect(log.entries.map(({ msg }) => msg)).to.deep.equal(['request failed outside of the application']);
  });
});
