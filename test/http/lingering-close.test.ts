import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);

const MIB = 1024 * 1024;

const PREMATURE: ReadonlyArray<readonly [what: string, head: string, status: number]> = [
  [
    'an upload that is rejected before its body arrives',
    requestHead('POST', '/api/upload', { 'Content-Type': 'image/png', 'Transfer-Encoding': 'chunked' }),
    401,
  ],
  [
    'a request whose headers are too large',
    requestHead('POST', '/api/upload', { 'X-Large': 'x'.repeat(17_000), 'Transfer-Encoding': 'chunked' }),
    431,
  ],
  ['a message that is not HTTP', 'NONSENSE\r\n\r\n', 400],
];

for (const [what, head, status] of PREMATURE) {
  describe(what, () => {
    const service = startFor('all', () => TestService.start());
    let socket: Socket;
    let received: string;
    /** Of the service. */
    let otherSide: Socket;
    /** Resolves when the service closes its side of the connection. */
    let released: Promise<unknown>;
    let time: VirtualTimers;
    let endTime: () => void;

    /** The client keeps sending after it has the response and the service has ended its side. */
    beforeEach(async () => {
      time = new VirtualTimers();
      endTime = time.useEverywhere();
      const accepted = once(service.server, 'connection') as Promise<[Socket]>;
      socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      received = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
      });
      const ended = once(socket, 'end');
      socket.write(head);
      await ended;
      [otherSide] = await accepted;
      released = new Promise((resolve) => otherSide.once('close', resolve));
    });

    afterEach(() => {
      socket.destroy();
      endTime();
    });

    it('gets a response that ends the service’s side of the connection', () => {
      expect(received).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(received).to.match(/^connection: close\r$/im);
    });

    it('accepts further bytes from the client', async () => {
      for (let sent = 0; sent < 16; sent += 1) await deliver(CHUNK);
    });

    it('loses its connection if the client sends much more', async () => {
      for (let sent = 0; sent < 100; sent += 1) socket.write(CHUNK);
      await released;
      // The service has read no more than it must, whatever the client has sent.
      expect(otherSide.bytesRead).to.be.within(4 * MIB, 5 * MIB);
    });

    it('loses its connection if the client sends nothing more', async () => {
      time.pass(999);
      expect(otherSide.destroyed).to.equal(false);
      time.pass(1);
      await released;
    });

    it('is the last request that is processed', async () => {
      const before = received;
      const next = `0\r\n\r\n${requestHead('GET', '/')}`;
      const read = otherSide.bytesRead + next.length;
      socket.write(next);
      await eventually(
        () => otherSide.bytesRead,
        (bytes) => bytes === read,
      );
      time.pass(1000);
      await released;
      expect(received).to.equal(before);
      expect(service.log.entries.filter(({ path }) => path === '/')).to.deep.equal([]);
    });

    async function deliver(bytes: Buffer): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    }
  });
}
