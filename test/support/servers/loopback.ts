import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';

/** Resolves to the port. */
export async function listenOnLoopback(server: SocketServer, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Cuts open connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
