import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type ListenOptions,
  type Server as NetServer,
} from 'node:net';
import { join } from 'node:path';
import type { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { refusalHeaders } from '../../adapters/http/middleware/cross-origin.ts';
import { createServer } from '../../adapters/http/server/create-server.ts';
import { readWebFiles, type WebFiles } from '../../adapters/http/web/read-web-files.ts';
import type { Config } from '../config/config.ts';
import { packageFolder } from '../package-folder.ts';
import { resolveAll } from '../resolve-all.ts';
import { requiring } from './prepare-storage.ts';

/** Handles requests as soon as the ports are taken. A port that is not available refuses the start. */
export class Listeners {
  readonly servers: Server[] = [];
  private readonly addresses: { readonly message: string; readonly at: AddressInfo }[] = [];

  private constructor(
    private readonly listeners: readonly Listener[],
    private readonly webFiles: WebFiles,
  ) {}

  /**
   * Nothing listens yet. A port that is taken is found before a catalog is made that nothing would serve.
   *
   * @param hasCatalog whether there is a catalog already
   * @throws {UnusableDependency}
   */
  static async prepare(config: Config, hasCatalog: () => Promise<boolean>): Promise<Listeners> {
    const listeners = listenersOf(config);
    // A listener for a moment would take connections from processes that share the port. They listen behind the making of the catalog.
    const isShared = config.reusePort && (await hasCatalog());
    for (const listener of listeners) {
      if (!listener.reusePort || !isShared) await tryPort(listener);
    }
    return new Listeners(listeners, config.web.listener === undefined ? new Map() : await webFiles());
  }

  /**
   * The API is the last to listen: a client that reaches it can reach the others.
   *
   * @throws {UnusableDependency} and then some of them may listen
   */
  async open(service: Container): Promise<void> {
    const { httpApi, addresses, config, telemetry } = resolveAll(
      service,
      'httpApi',
      'addresses',
      'config',
      'telemetry',
    );
    const apps: Readonly<Record<Listener['variable'], () => Koa>> = {
      MANAGEMENT_PORT: () => httpApi.managementApp,
      WEB_PORT: () => httpApi.webApp(this.webFiles),
      PORT: () => httpApi.app,
    };
    // The web listener has links, which all pages may load.
    const origins = { PORT: config.corsOrigins, WEB_PORT: '*', MANAGEMENT_PORT: [] } as const;
    const options = {
      ...resolveAll(service, 'uuids', 'timer', 'log'),
      requestTimeoutMs: config.requestTimeoutMs,
      requests: telemetry.underWay,
    };
    for (const listener of this.listeners) {
      const { variable } = listener;
      const server = createServer(apps[variable]().callback(), {
        ...options,
        refusalHeaders: refusalHeaders(origins[variable]),
      });
      const at = await listen(server, listener);
      this.servers.push(server);
      this.addresses.push({ message: MESSAGES[variable], at });
      // With port 0, they are known only now.
      if (variable === 'WEB_PORT') addresses.web.listensOn(at.port);
      if (variable === 'PORT') addresses.api.listensOn(at.port);
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
}

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly reusePort: boolean;
  /** Named in the error if the port is not available. */
  readonly variable: 'PORT' | 'WEB_PORT' | 'MANAGEMENT_PORT';
}

const MESSAGES = {
  MANAGEMENT_PORT: 'management listening',
  WEB_PORT: 'web listening',
  PORT: 'listening',
} as const;

/** Each process has a management port of its own: metrics are those of one process. */
function listenersOf({ management, web, listener, reusePort }: Config): readonly Listener[] {
  return [
    ...(management ? [{ ...management, reusePort: false, variable: 'MANAGEMENT_PORT' as const }] : []),
    ...(web.listener ? [{ ...web.listener, reusePort, variable: 'WEB_PORT' as const }] : []),
    { ...listener, reusePort, variable: 'PORT' },
  ];
}

async function webFiles(): Promise<WebFiles> {
  return await requiring('WEB_PORT', () => readWebFiles(join(packageFolder(), 'dist/web')));
}

async function tryPort(listener: Listener): Promise<void> {
  const server = createNetServer((socket) => socket.destroy());
  await listen(server, listener);
  await new Promise((resolve) => server.close(resolve));
}

async function listen(
  server: NetServer,
  { host, port, reusePort, variable }: Listener,
): Promise<AddressInfo> {
  // Older types do not know the last one.
  const options: ListenOptions & { readonly reusePort: boolean } = { host, port, reusePort };
  await requiring(variable, async () => {
    await once(server.listen(options), 'listening');
  });
  return server.address() as AddressInfo;
}
