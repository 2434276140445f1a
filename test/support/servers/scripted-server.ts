import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from './loopback.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Responds to a request that has arrived completely. */
export type Step = (response: ServerResponse, request: SeenRequest) => void;

/** A server on the loopback interface whose responses a test writes down in advance. */
export class ScriptedServer {
  readonly seen: SeenRequest[] = [];

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** @param steps one for each request; the last one also for all later requests */
  static async start(...steps: readonly Step[]): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(`http://127.0.0.1:${await listenOnLoopback(server)}`, server);
    server.on('request', (request, response) => void scripted.#respond(steps, request, response));
    return scripted;
  }

  async stop(): Promise<void> {
    await closeServer(this.server);
  }

  async #respond(steps: readonly Step[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body };
    // That of Node.js may be a second old. A test that needs one writes it down.
    response.sendDate = false;
    const step = steps[this.seen.length] ?? steps.at(-1);
    this.seen.push(seen);
    step?.(response, seen);
  }
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Step {
  return json(status, { code, message: `The reason is ${code}` }, headers);
}

/** Ends the connection without a response. */
export const hangUp: Step = (response) => response.destroy();
