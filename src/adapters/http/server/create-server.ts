import {
  createServer as createHttpServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Timer } from '../../../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type { ErrorCode } from '../errors/errors.ts';
import type { RequestsUnderWay } from '../telemetry/requests-under-way.ts';
import { closeInStages, lingerOnClose } from './close-in-stages.ts';
import { IdleConnections } from './idle-connections.ts';
import { StalledReaders } from './stalled-readers.ts';

export interface ServerOptions {
  /** In milliseconds. */
  readonly requestTimeoutMs: number;
  readonly uuids: UuidGenerator;
  readonly requests: Pick<RequestsUnderWay, 'handle'>;
  readonly timer: Timer;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Headers of the responses that the server sends instead of the application. */
  readonly refusalHeaders: Readonly<Record<string, string>>;
  /** 10,000 by default. */
  readonly maxConnections?: number;
}

/** Resolves when the request has ended. */
type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than in common load balancers, so that they close the connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;
const MAX_CONNECTIONS = 10_000;

/** Responds with JSON to malformed requests, for which Node would send no body. */
export function createServer(handle: Handle, options: ServerOptions): Server {
  const { requestTimeoutMs, requests, timer, log, maxConnections = MAX_CONNECTIONS } = options;
  const server = createHttpServer({
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node would respond without a body; `respond` does so with one.
    requireHostHeader: false,
  });
  const open = new OpenResponses(IdleConnections.bound(server, { maxConnections, timer, log }));
  const respond: RequestListener = (request, response) => {
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (hasBody) lingerOnClose(request);
    open.add(request, response, () => requests.handle(serve(request, response, handle, options)));
  };
  // The length of all headers is limited. With a limit on their number, older versions of Node.js drop the rest without a word.
  server.maxHeadersCount = 0;
  StalledReaders.watch(server, timer);
  server.on('request', respond);
  // The application sends `100 Continue` itself, once it accepts the headers.
  server.on('checkContinue', respond);
  // Any other expectation may be ignored (RFC 9110, section 10.1.1); Node would send a bare 417.
  server.on('checkExpectation', respond);
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    if (!socket.writable || error.code === 'ECONNRESET' || open.hasBegunOn(socket)) socket.destroy();
    else refuseConnection(socket, refusal(refusalOf(error.code), options));
  });
  return server;
}

/**
 * Never rejects. This runs in an event listener, and an error that is thrown in one ends the process. Errors of routes do not get here:
 * the application responds to them.
 */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  options: ServerOptions,
): Promise<void> {
  try {
    const target = originForm(request.url ?? '');
    if (target === undefined || !hasOneHost(request)) {
      send(response, refusal(MALFORMED, options));
      return;
    }
    request.url = target;
    await handle(request, response);
  } catch (error) {
    const fault = refusal(FAULT, options);
    const requestId = fault.headers['X-Request-Id'];
    options.log.error({ err: error, requestId }, 'request failed outside of the application');
    if (response.headersSent) request.socket.destroy();
    else send(response, fault);
  }
}

/** Of one connection. Each that waits is held with its headers, and all of them may be answered within one turn of the event loop. */
const MAX_UNFINISHED = 256;

/**
 * Requests of one connection are handled one after the other. A client may send hundreds before it reads the first response; those
 * behind it would be held as a whole. One that sends more is disconnected.
 */
class OpenResponses {
  /** In the order of the requests, with what handles them. */
  private readonly unfinished = new WeakMap<Socket, Map<ServerResponse, () => void>>();

  constructor(private readonly connections: IdleConnections) {}

  add({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const responses = this.unfinished.get(socket) ?? new Map<ServerResponse, () => void>();
    if (responses.size >= MAX_UNFINISHED) {
      socket.destroy();
      return;
    }
    this.unfinished.set(socket, responses.set(response, begin));
    this.connections.began(socket);
    response.once('close', () => {
      responses.delete(response);
      this.connections.ended(socket);
      const [beginNext] = responses.values();
      // Not behind the last response: RFC 9112, section 9.6.
      if (socket.writable) beginNext?.();
    });
    if (responses.size === 1) begin();
  }

  /** An error that is written now would become a part of a half-sent response. */
  hasBegunOn(socket: Socket): boolean {
    return [...(this.unfinished.get(socket)?.keys() ?? [])].some((response) => response.headersSent);
  }
}

/**
 * RFC 9112, section 3.2. HTTP/1.0 needs no `Host`. `headers` has only the first of several, and reading `headersDistinct` throws for a
 * header named `__proto__` in versions of Node.js before March 2026.
 */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

/** RFC 9112, section 3.2.1; a fragment is never sent. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*(?<rest>.*)$/i;

/**
 * The path and the query as the client has spelled them. `undefined` for an unsupported target (RFC 9112, section 3.2):
 * reading `ctx.path` throws for some (`http://[`); in an event listener that ends the process.
 */
function originForm(target: string): string | undefined {
  if (target === '*' || ORIGIN_FORM.test(target)) return target;
  const rest = ABSOLUTE_FORM.exec(target)?.groups?.['rest'];
  if (rest === undefined || !URL.canParse(target)) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return ORIGIN_FORM.test(path) ? path : undefined;
}

function send(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers).end(body);
}

/** The application never sees such a request: it is not HTTP, or incomplete. */
function refuseConnection(socket: Socket, { status, headers, body }: Refusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const response = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
  closeInStages(socket, response);
}

interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface RefusalReason {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const MALFORMED: RefusalReason = {
  status: 400,
  code: 'invalid_request',
  message: 'The request is not well-formed HTTP',
};

const TOO_LARGE: RefusalReason = {
  status: 431,
  code: 'invalid_request',
  message: `The request headers are larger than ${maxHeaderSize} bytes: send a shorter token, or let the service accept longer ones with --max-http-header-size of Node.js`,
};

const FAULT: RefusalReason = {
  status: 500,
  code: 'internal_error',
  message: 'The service failed to handle the request',
};

/** With a body in JSON, for which Node would send none. */
function refusal({ status, code, message }: RefusalReason, options: ServerOptions): Refusal {
  const body = JSON.stringify({ code, message });
  const headers = {
    ...options.refusalHeaders,
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': options.uuids.next(),
  };
  return { status, headers, body };
}

function refusalOf(errorCode: string | undefined): RefusalReason {
  switch (errorCode) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request_timeout', message: 'The request did not arrive in time' };
    case 'HPE_HEADER_OVERFLOW':
      return TOO_LARGE;
    default:
      return MALFORMED;
  }
}
