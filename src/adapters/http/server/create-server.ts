import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { UuidGenerator } from '../../../domain/ports/uuid-generator.ts';
import { lingerOnClose } from './lingering-close.ts';
import { refuseConnection, refuseMalformed } from './refuse-malformed.ts';

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
    if (hasBody(request)) lingerOnClose(request);
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
    else refuseConnection(error, socket, uuids.next());
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** RFC 9112, section 3.2. `headers` has only the first of several. HTTP/1.0 needs none. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
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
