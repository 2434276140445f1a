import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a bare server on a free loopback port, and prints the port. */
export function listen(handle: RequestListener): void {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ msg: 'listening', port: (server.address() as AddressInfo).port }));
  });
}
