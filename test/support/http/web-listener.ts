import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest, { type Test } from 'supertest';
import { createServer, RunningRequests } from '../../../src/adapters/http/server/create-server.ts';
import type { WebFiles } from '../../../src/adapters/http/web/read-web-files.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import type { TestService } from './test-service.ts';

/** The web listener of a service, on a real socket of the loopback interface. */
export class WebListener {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(service: TestService, files: WebFiles = new Map()): Promise<WebListener> {
    const handle = service.container.get(TOKENS.httpApi).webApp(files).callback();
    const server = createServer(handle, {
      requestTimeoutMs: 5_000,
      uuids: service.container.get(TOKENS.uuids),
      requests: new RunningRequests(),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebListener(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get agent(): ReturnType<typeof supertest> {
    return supertest(`http://127.0.0.1:${this.port}`);
  }

  get(path: string): Test {
    return this.agent.get(path);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
