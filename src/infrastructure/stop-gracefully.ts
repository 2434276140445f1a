import type { Server } from 'node:http';

const CLOSE_IDLE_INTERVAL_MS = 100;

/**
 * Stops a listener: no new connections, running requests may finish within the grace, and their connections end with
 * them. `server.close()` alone would go on serving a keep-alive client that is never idle at the right moment.
 */
export async function stopGracefully(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
  const patience = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
