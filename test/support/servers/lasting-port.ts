import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port that nobody else gets while its server is down: it is below the ports of outgoing connections, and behind the
 * last one that browsers refuse (https://fetch.spec.whatwg.org/#port-blocking). Other tests ask for such ports, too: until this
 * process ends, it is reserved by the UDP port of the same number, which no server uses.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 20_000);
    if ((await isReserved(port)) && (await isFree(port))) return port;
  }
}

async function isReserved(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  return await once(socket, 'listening').then(
    () => true,
    () => false,
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
