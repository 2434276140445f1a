import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port that no other process gets while its server is down: it is below the ports of outgoing connections, and behind the
 * last one that browsers refuse (https://fetch.spec.whatwg.org/#port-blocking).
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const server = createServer();
    try {
      const port = randomInt(10_081, 20_000);
      await once(server.listen(port, '127.0.0.1'), 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch {
      // Taken: another one.
    }
  }
}
