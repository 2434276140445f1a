import { createServer, type Server, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from './loopback.ts';

/** Responds to a request; it may leave the response open, or destroy its connection. */
export type Answer = (response: ServerResponse) => void;

/** An identity provider's JWKS endpoint on the loopback interface, with responses that a test controls. */
export class SigningKeyServer {
  /** Requests so far. */
  hits = 0;
  answer: Answer = publish([]);
  onHit: () => void = () => {};
  /** Responses of other paths. */
  readonly pages = new Map<string, Answer>();
  #server: Server = this.#create();
  #port = 0;

  static async start(answer: Answer): Promise<SigningKeyServer> {
    const server = new SigningKeyServer();
    server.answer = answer;
    await server.resume();
    return server;
  }

  /** The domain, as configured: with a trailing slash. */
  get domain(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get jwksUri(): string {
    return `${this.domain}.well-known/jwks.json`;
  }

  /** Refuses connections until `resume`. */
  async stop(): Promise<void> {
    await closeServer(this.#server);
  }

  /** Listens on the same port again. */
  async resume(): Promise<void> {
    this.#server = this.#create();
    this.#port = await listenOnLoopback(this.#server, this.#port);
  }

  #create(): Server {
    return createServer((request, response) => {
      this.hits += 1;
      this.onHit();
      const notFound: Answer = (missing) => missing.writeHead(404).end();
      if (request.url === '/.well-known/jwks.json') this.answer(response);
      else (this.pages.get(request.url ?? '') ?? notFound)(response);
    });
  }
}

/** Responds with a JWK Set. */
export function publish(keys: unknown): Answer {
  return respond(200, JSON.stringify({ keys }));
}

/** Responds with any status, body and headers. */
export function respond(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}
