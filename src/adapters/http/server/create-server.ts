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
import { closeInStages, lingerOnClose } from './lingering-close.ts';
import { originForm } from './origin-form.ts';

export interface ServerOptions {
  /** How long a request may take to arrive whole, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly uuids: UuidGenerator;
}

/** How long the header of a request may take. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How long an idle connection is kept for a next request; longer than the usual balancer's, so that it closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How long a client may take nothing of its answer. */
const STALL_TIMEOUT_MS = 30_000;
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
    // Node would answer without a body; `answer` does it instead.
    requireHostHeader: false,
  });
  const begun = new AnswersBegun();
  const answer: RequestListener = (request, response) => {
    begun.watch(request, response);
    lingerOnClose(request);
    const target = originForm(request.url ?? '');
    if (target === undefined || lacksHost(request)) return refuseMalformed(response, uuids.next());
    request.url = target;
    handle(request, response);
  };
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = STALL_TIMEOUT_MS;
  // Comes for idle connections, too. The one silence that is not the client's is that while its answer is made.
  server.on('timeout', (socket) => {
    if (!begun.isAwaitedOn(socket)) socket.destroy();
  });
  server.on('request', answer);
  // The application says `100 Continue` itself, once it knows that it wants the body.
  server.on('checkContinue', answer);
  // Any other expectation may be ignored (RFC 9110, section 10.1.1); Node would answer a bare 417.
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    if (!socket.writable || error.code === 'ECONNRESET' || begun.on(socket)) socket.destroy();
    else refuse(error, socket, uuids.next());
  });
  return server;
}

/** Which connections have an answer half-way: an error written now would pass for a part of it. */
class AnswersBegun {
  readonly #unfinished = new WeakMap<Socket, Set<ServerResponse>>();

  watch({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#unfinished.get(socket) ?? new Set();
    this.#unfinished.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  }

  on(socket: Socket): boolean {
    return [...(this.#unfinished.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Whether there is a request that nothing has been answered yet. */
  isAwaitedOn(socket: Socket): boolean {
    return [...(this.#unfinished.get(socket) ?? [])].some((response) => !response.headersSent);
  }
}

/** RFC 9112, section 3.2. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function refuseMalformed(response: ServerResponse, requestId: string): void {
  const { status, headers, body } = refusal(undefined, requestId);
  response.writeHead(status, headers).end(body);
}

/** What is answered below the application: a request that is no HTTP, or that does not come to its end. */
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
