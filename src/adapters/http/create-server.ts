import { createServer as createHttpServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';

export interface ServerOptions {
  /** How long a request may take to arrive whole, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly uuids: UuidGenerator;
}

/** How long the header of a request may take. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How long an idle connection is kept for a next request; longer than the usual balancer's, so that it closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How often Node looks for timeouts: what it may add to each. */
const CHECK_INTERVAL_MS = 1_000;
const MAX_CONNECTIONS = 10_000;

/** The listener, with its limits set on purpose, and JSON where Node alone would answer bare. */
export function createServer(handle: RequestListener, { requestTimeoutMs, uuids }: ServerOptions): Server {
  const server = createHttpServer({
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', handle);
  // The application says `100 Continue` itself, once it knows that it wants the body.
  server.on('checkContinue', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket, uuids.next()));
  return server;
}

/** What is answered below the application: a request that is no HTTP, or that does not come to its end. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(rawResponse(error.code, requestId), () => socket.destroy());
}

function rawResponse(errorCode: string | undefined, requestId: string): string {
  const { status, code, message } = refusalOf(errorCode);
  const body = JSON.stringify({ code, message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

function refusalOf(errorCode: string | undefined): { status: number; code: string; message: string } {
  switch (errorCode) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request_timeout', message: 'The request did not arrive in time' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'invalid_request', message: 'The request headers are too large' };
    default:
      return { status: 400, code: 'invalid_request', message: 'The request is not well-formed HTTP' };
  }
}
