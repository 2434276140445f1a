import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import supertest, { type Test } from 'supertest';
import { refusalHeaders } from '../../../src/adapters/http/middleware/cross-origin.ts';
import { createServer } from '../../../src/adapters/http/server/create-server.ts';
import { RequestsUnderWay } from '../../../src/adapters/http/telemetry/requests-under-way.ts';
import type { WebFiles } from '../../../src/adapters/http/web/read-web-files.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import { TestService, type TestServiceOptions } from './test-service.ts';

/** The web listener of a service, on a real socket of the loopback interface. */
export class WebListener {
  readonly #server: Server;
  readonly #requests: RequestsUnderWay;

  private constructor(server: Server, requests: RequestsUnderWay) {
    this.#server = server;
    this.#requests = requests;
  }

  static async start(service: TestService, files: WebFiles = new Map()): Promise<WebListener> {
    return await WebListener.serve(service, service.container.get(TOKENS.httpApi).webApp(files));
  }

  /** Another application of the service. */
  static async serve(service: TestService, app: Koa): Promise<WebListener> {
    const requests = new RequestsUnderWay();
    const server = createServer(app.callback(), {
      requestTimeoutMs: 5_000,
      uuids: service.container.get(TOKENS.uuids),
      requests,
      timer: service.container.get(TOKENS.timer),
      log: service.log.logger,
      refusalHeaders: refusalHeaders('*'),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebListener(server, requests);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  watchConnections(watch: (socket: Socket) => void): void {
    this.#server.on('connection', watch);
  }

  get agent(): ReturnType<typeof supertest> {
    return supertest(`http://127.0.0.1:${this.port}`);
  }

  get(path: string): Test {
    return this.agent.get(path);
  }

  /** Resolves when no request is running, also of clients that have left. */
  async idle(): Promise<void> {
    await this.#requests.idle();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A service with its web listener. */
export interface Served {
  readonly service: TestService;
  readonly web: WebListener;
  stop(): Promise<void>;
}

export async function startServed(options: TestServiceOptions): Promise<Served> {
  const service = await TestService.start(options);
  const web = await WebListener.start(service);
  const stop = async (): Promise<void> => {
    await web.stop();
    await service.stop();
  };
  return { service, web, stop };
}
