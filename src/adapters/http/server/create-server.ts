import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { UuidGenerator } from '../../../domain/ports/uuid-generator.ts';
import type { ErrorCode } from '../error-table.ts';
import { closeInStages, lingerOnClose } from './lingering-close.ts';
import { originForm } from './origin-form.ts';

export interface ServerOptions {
  /** In milliseconds. */
  readonly requestTimeoutMs: number;
  readonly uuids: UuidGenerator;
}

const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than in common load balancers, so that they close the connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How long a client may read nothing of its response. */
const STALL_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 1_000;
const MAX_CONNECTIONS = 10_000;

/** Responds with JSON to malformed requests, for which Node would send no body. */
export function createServer(handle: RequestListener, { requestTimeoutMs, uuids }: ServerOptions): Server {
  const server = createHttpServer({
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node would respond without a body; `respond` does so with one.
    requireHostHeader: false,
  });
  const open = new OpenResponses();
  const respond: RequestListener = (request, response) => {
    open.watch(request, response);
    lingerOnClose(request);
    const target = originForm(request.url ?? '');
    if (target === undefined || !hasOneHost(request)) return refuseMalformed(response, uuids.next());
    request.url = target;
    handle(request, response);
  };
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = STALL_TIMEOUT_MS;
  // Also fires for idle connections. A connection that waits for its response is silent because of the service, not the client.
  server.on('timeout', (socket) => {
    if (!open.isAwaitedOn(socket)) socket.destroy();
  });
  server.on('request', respond);
  // The application sends `100 Continue` itself, once it accepts the headers.
  server.on('checkContinue', respond);
  // Any other expectation may be ignored (RFC 9110, section 10.1.1); Node would send a bare 417.
  server.on('checkExpectation', respond);
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    if (!socket.writable || error.code === 'ECONNRESET' || open.hasBegunOn(socket)) socket.destroy();
    else refuse(error, socket, uuids.next());
  });
  return server;
}

class OpenResponses {
  readonly #unfinished = new WeakMap<Socket, Set<ServerResponse>>();

  watch({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#unfinished.get(socket) ?? new Set();
    this.#unfinished.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  }

  /** An error that is written now would become a part of a half-sent response. */
  hasBegunOn(socket: Socket): boolean {
    return [...(this.#unfinished.get(socket) ?? [])].some((response) => response.headersSent);
  }

  isAwaitedOn(socket: Socket): boolean {
    return [...(this.#unfinished.get(socket) ?? [])].some((response) => !response.headersSent);
  }
}

/** RFC 9112, section 3.2. `headers` has only the first of several. HTTP/1.0 needs none. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

function refuseMalformed(response: ServerResponse, requestId: string): void {
  const { status, headers, body } = refusal(undefined, requestId);
  response.writeHead(status, headers).end(body);
}

/** The application never sees such a request: it is not HTTP, or incomplete. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  const { status, headers, body } = refusal(error.code, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const response = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
  closeInStages(socket, response);
}

interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function refusal(errorCode: string | undefined, requestId: string): Refusal {
  const { status, code, message } = refusalOf(errorCode);
  const body = JSON.stringify({ code, message });
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
  };
  return { status, headers, body };
}

function refusalOf(errorCode: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (errorCode) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request_timeout', message: 'The request did not arrive in time' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'invalid_request', message: 'The request headers are too large' };
    default:
      return { status: 400, code: 'invalid_request', message: 'The request is not well-formed HTTP' };
  }
}
