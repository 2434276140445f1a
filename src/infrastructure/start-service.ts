import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { createServer } from '../adapters/http/create-server.ts';
import { SigningKeys } from '../adapters/http/signing-keys.ts';
import { SweepOrphans } from '../application/sweep-orphans.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { prepareStorage, UnusableDependency } from './prepare-storage.ts';
import { type Sweeper, startSweeper } from './start-sweeper.ts';
import { stopGracefully } from './stop-gracefully.ts';
import { TOKENS } from './tokens.ts';

export interface RunningService {
  /** Lets running requests finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Brings the service up: storage, then the listeners. It logs "listening" once it answers.
 *
 * @throws {UnusableDependency}
 */
export async function startService(config: Config, log: Logger): Promise<RunningService> {
  const container = createContainer(config, log);
  try {
    await prepareStorage(container);
    const leftovers = await container.get(SweepOrphans).sweepStaging({ dryRun: false });
    if (leftovers > 0) log.info({ leftovers }, 'unfinished uploads removed');
    const servers = await startListeners(container);
    const sweeper = startSweeper(container.get(SweepOrphans), config.sweep.intervalMs, log);
    // The first request need not wait for the provider; that it is away now is logged, and no reason not to start.
    void container.get(SigningKeys).warmUp();
    return { stop: () => stop(servers, sweeper, container) };
  } catch (error) {
    await container.unbindAllAsync();
    throw error;
  }
}

async function startListeners(container: Container): Promise<readonly Server[]> {
  const { management, listener } = container.get(TOKENS.config);
  const servers: Server[] = [];
  if (management !== undefined) {
    const app = container.get(TOKENS.managementApp);
    servers.push(await listen(container, app, management, 'MANAGEMENT_PORT', 'management listening'));
  }
  servers.push(await listen(container, container.get(TOKENS.app), listener, 'PORT', 'listening'));
  return servers;
}

async function listen(
  container: Container,
  app: Koa,
  { host, port }: Config['listener'],
  variable: string,
  message: string,
): Promise<Server> {
  const { requestTimeoutMs } = container.get(TOKENS.config);
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response), {
    requestTimeoutMs,
    uuids: container.get(TOKENS.uuids),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new UnusableDependency(variable, { cause })));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  container.get(TOKENS.log).info({ host: address.address, port: address.port }, message);
  return server;
}

async function stop(servers: readonly Server[], sweeper: Sweeper, container: Container): Promise<void> {
  const { shutdownGraceMs } = container.get(TOKENS.config);
  const swept = sweeper.stop();
  await Promise.all(servers.map((server) => stopGracefully(server, shutdownGraceMs)));
  await swept;
  await container.unbindAllAsync();
}
