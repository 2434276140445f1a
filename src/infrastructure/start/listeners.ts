import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { join } from 'node:path';
import type Koa from 'koa';
import type { Logger } from 'pino';
import {
  createServer,
  RunningRequests,
  type ServerOptions,
} from '../../adapters/http/server/create-server.ts';
import { readWebFiles } from '../../adapters/http/web/read-web-files.ts';
import type { Config } from '../config/config.ts';
import { packageFolder } from '../package-folder.ts';
import type { ServiceParts } from '../tokens.ts';
import { requiring } from './prepare-storage.ts';
import type { PublicAddress } from './public-address.ts';

/** Handles requests as soon as the ports are taken. A port that is not available refuses the start. */
export class Listeners {
  readonly servers: Server[] = [];
  readonly requests = new RunningRequests();
  private readonly addresses: { readonly message: string; readonly at: AddressInfo }[] = [];

  /**
   * The API is the last to listen: a client that reaches it can reach the others.
   *
   * @throws {UnusableDependency} and then none of them listens
   */
  static async open(parts: ServiceParts, config: Config): Promise<Listeners> {
    const listeners = new Listeners();
    try {
      for (const listener of await listenersOf(parts, config)) {
        await listeners.add(listener, {
          requestTimeoutMs: config.requestTimeoutMs,
          uuids: parts.uuids,
          timer: parts.timer,
        });
      }
      return listeners;
    } catch (error) {
      listeners.close();
      throw error;
    }
  }

  /** Logs "listening". */
  announce(log: Logger): void {
    for (const { message, at } of this.addresses) log.info({ host: at.address, port: at.port }, message);
  }

  /** With all connections. */
  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  private async add(listener: Listener, options: Omit<ServerOptions, 'requests'>): Promise<void> {
    const server = createServer(listener.app.callback(), { ...options, requests: this.requests });
    this.addresses.push({ message: listener.message, at: await listen(server, listener) });
    this.servers.push(server);
  }
}

interface Listener {
  readonly app: Koa;
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
  /** Named in the error if the port is not available. */
  readonly variable: string;
  readonly message: string;
  /** Gets the port. */
  readonly address?: PublicAddress;
}

/** Each process has a management port of its own: metrics are those of one process. */
async function listenersOf(
  { httpApi, addresses: { api, web } }: ServiceParts,
  config: Config,
): Promise<readonly Listener[]> {
  const { management, reusePort } = config;
  const listeners: Listener[] = [];
  if (management !== undefined) {
    const names = { variable: 'MANAGEMENT_PORT', message: 'management listening' };
    listeners.push({ app: httpApi.managementApp, ...management, ...names });
  }
  if (config.web.listener !== undefined) {
    const names = { variable: 'WEB_PORT', message: 'web listening', address: web };
    const app = httpApi.webApp(
      await requiring('WEB_PORT', () => readWebFiles(join(packageFolder(), 'dist/web'))),
    );
    listeners.push({ app, ...config.web.listener, reusePort, ...names });
  }
  const names = { variable: 'PORT', message: 'listening', address: api };
  return [...listeners, { app: httpApi.app, ...config.listener, reusePort, ...names }];
}

async function listen(server: Server, listener: Listener): Promise<AddressInfo> {
  const { host, port: wanted, reusePort = false, variable } = listener;
  // Older types do not know the last one.
  const options: ListenOptions & { readonly reusePort: boolean } = { host, port: wanted, reusePort };
  await requiring(variable, async () => {
    await once(server.listen(options), 'listening');
  });
  const address = server.address() as AddressInfo;
  listener.address?.listensOn(address.port);
  return address;
}
