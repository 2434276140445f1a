import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { join } from 'node:path';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { createServer, RunningRequests } from '../../adapters/http/server/create-server.ts';
import { readWebFiles, type WebFiles } from '../../adapters/http/web/read-web-files.ts';
import type { HttpParts } from '../compose-service.ts';
import type { Config } from '../config/config.ts';
import { packageFolder } from '../version.ts';
import { UnusableDependency } from './unusable-dependency.ts';

export interface Listeners {
  readonly servers: readonly Server[];
  readonly requests: RunningRequests;
}

/**
 * The API is the last to listen: a client that reaches it can reach the others.
 *
 * @throws {UnusableDependency} and then none of them listens
 */
export async function startListeners(parts: HttpParts, config: Config, log: Logger): Promise<Listeners> {
  const servers: Server[] = [];
  const requests = new RunningRequests();
  try {
    for (const listener of await listenersOf(parts, config)) {
      const { requestTimeoutMs } = config;
      const server = createServer(listener.app.callback(), {
        requestTimeoutMs,
        uuids: parts.uuids,
        requests,
        timer: parts.timer,
      });
      await listen(server, listener, log);
      servers.push(server);
    }
    return { servers, requests };
  } catch (error) {
    for (const server of servers) close(server);
    throw error;
  }
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

interface Listener {
  readonly app: Koa;
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
  /** Named in the error if the port is not available. */
  readonly variable: string;
  readonly message: string;
  readonly onListening?: (port: number) => void;
}

/** Each process has a management port of its own: metrics are those of one process. */
async function listenersOf(parts: HttpParts, config: Config): Promise<readonly Listener[]> {
  const { reusePort } = config;
  const listeners: Listener[] = [];
  if (config.management !== undefined) {
    const named = { variable: 'MANAGEMENT_PORT', message: 'management listening' };
    listeners.push({ app: parts.api.managementApp, ...config.management, ...named });
  }
  if (config.web.listener !== undefined) {
    const named = { variable: 'WEB_PORT', message: 'web listening' };
    const app = parts.api.webApp(await readBuiltPages());
    const onListening = (port: number): void => parts.webAddress.listensOn(port);
    listeners.push({ app, ...config.web.listener, reusePort, ...named, onListening });
  }
  const onListening = (port: number): void => parts.apiAddress.listensOn(port);
  const named = { variable: 'PORT', message: 'listening' };
  return [...listeners, { app: parts.api.app, ...config.listener, reusePort, ...named, onListening }];
}

/** @throws {UnusableDependency} */
async function readBuiltPages(): Promise<WebFiles> {
  try {
    return await readWebFiles(join(packageFolder() ?? '.', 'dist/web'));
  } catch (cause) {
    throw new UnusableDependency('WEB_PORT', { cause });
  }
}

async function listen(server: Server, listener: Listener, log: Logger): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new UnusableDependency(listener.variable, { cause })));
    const { host, port: wanted, reusePort = false } = listener;
    // Older types do not know the last one.
    const options: ListenOptions & { readonly reusePort: boolean } = { host, port: wanted, reusePort };
    server.listen(options, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  log.info({ host: address, port }, listener.message);
  listener.onListening?.(port);
}
