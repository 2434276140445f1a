import type { Server } from 'node:http';

const CLOSE_IDLE_INTERVAL_MS = 100;

/** `server.close()` alone keeps serving a keep-alive client that is never idle when it looks. */
export async function stopGracefully(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
